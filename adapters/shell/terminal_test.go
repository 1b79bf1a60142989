package shell_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/run"
)

func TestColourOnlyOnTerminals(t *testing.T) {
	is := is.New(t)
	c := &console{runner: everything, env: map[string]string{"TERM": "xterm"}}
	c.main(t.Context(), "run", "-c", "notes")
	is.True(!strings.Contains(c.err.String(), "\x1b")) // a buffer is no terminal
}

func TestNamesAreFitForATerminal(t *testing.T) {
	const name, shown = "no\x1b[31mX\u202e.py", `no\x1b[31mX\u202e.py`
	traceback := "Traceback:\n\tFile \"" + shown + "\", line 1\nValueError: \x1b]0;title\a é\u00a0\u200d\n"
	c := &console{}
	c.always = func(_ context.Context, req run.Request) (run.Outcome, error) {
		is.New(t).Equal(req.File, shown) // in the frames of tracebacks
		if strings.TrimSpace(req.Code) == "loops" {
			return everything["loops"](t.Context(), req)
		}
		return run.Outcome{Failure: &run.Failure{Type: "ValueError", Traceback: traceback}}, nil
	}
	t.Chdir(t.TempDir())
	for _, tc := range []struct {
		name string
		code string // "" for no file
		args []string
		want string
	}{
		{"a missing file", "", []string{"run", name}, "toolplane: " + shown + ": no such file\n"},
		{"no text at all", "", []string{"run", "\xff.py"}, "toolplane: \\xff.py: no such file\n"},
		{"an unknown command", "", []string{name}, `toolplane: unknown command "` + shown + `"; to run a file: toolplane run ` + shown + "\n"},
		{"a stopped run", "loops", []string{"run", name}, "toolplane: " + shown + ": TimeoutError: the run took longer than 1s\n"},
		{"a traceback", "raises", []string{"run", name}, "Traceback:\n\tFile \"" + shown + "\", line 1\nValueError: \\x1b]0;title\\a é\u00a0\u200d\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			if tc.code != "" && os.WriteFile(name, []byte(tc.code), 0o600) != nil {
				t.Skip("skipped: the file system has no such names")
			}
			c.err.Reset()
			c.main(t.Context(), tc.args...)
			is.Equal(c.err.String(), tc.want)
		})
	}
}
