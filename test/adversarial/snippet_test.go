package adversarial_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/run"
	"toolplane/ports"
)

// usualLimit is the time that a snippet gets if its outcome is not to be
// stopped: more than it needs on a busy machine.
const usualLimit = 60 * time.Second

// lateness is by how much a run may outlive its limit on a busy machine: the
// time that a snippet gets to tidy up, and waiting for a processor.
const lateness = 5 * time.Second

// snippet is one attempt and the outcome that it must have; see
// testdata/README.md.
type snippet struct {
	name string
	code string
	must [][2]string // keyword and rest of the line
}

func readSnippets(t *testing.T) map[string][]*snippet {
	t.Helper()
	is := is.New(t)
	files, err := filepath.Glob("testdata/*.txt")
	is.NoErr(err)
	all := map[string][]*snippet{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		is.NoErr(err)
		all[strings.TrimSuffix(filepath.Base(file), ".txt")] = parseSnippets(string(text))
	}
	return all
}

func parseSnippets(text string) []*snippet {
	var all []*snippet
	var s *snippet
	inMust := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "=== "):
			s = &snippet{name: line[len("=== "):]}
			all = append(all, s)
			inMust = false
		case line == "--- must":
			inMust = true
		case s == nil:
		case !inMust:
			s.code += line + "\n"
		case strings.TrimSpace(line) != "":
			keyword, rest, _ := strings.Cut(line, " ")
			s.must = append(s.must, [2]string{keyword, rest})
		}
	}
	return all
}

// attempt runs the snippet as often as it asks for.
func (s *snippet) attempt(t *testing.T, w ports.Runner) {
	limit, times := usualLimit, 1
	for _, m := range s.must {
		var err error
		switch m[0] {
		case "limit":
			limit, err = time.ParseDuration(m[1])
		case "times":
			times, err = strconv.Atoi(m[1])
		}
		is.New(t).NoErr(err) // a setting
	}
	for n := range times {
		s.once(t, w, limit, n)
		healthy(t, w)
		if t.Failed() {
			t.Fatalf("attempt number %d", n)
		}
	}
}

func (s *snippet) once(t *testing.T, w ports.Runner, limit time.Duration, n int) {
	is := is.New(t)
	inputs, err := canon.Parse(fmt.Appendf(nil, `{"attempt":%d}`, n))
	is.NoErr(err)
	begin := time.Now()
	out, err := w.Run(t.Context(), run.Request{Code: s.code, Timeout: limit, Inputs: inputs})
	took := time.Since(begin)
	is.NoErr(err) // the sandbox works and is as fresh as before
	if over := took - limit; over > lateness {
		t.Errorf("ended %v after its limit", over)
	}
	s.judge(t, out, took)
}

func (s *snippet) judge(t *testing.T, out run.Outcome, took time.Duration) {
	t.Helper()
	f := run.Failure{}
	if out.Failure != nil {
		f = *out.Failure
	}
	fails, anyhow := "", false
	texts := map[string]string{
		"value": string(out.Value.Bytes()), "message": f.Message, "traceback": f.Traceback, "notes": fmt.Sprint(out.Notes),
		"stdout": printed(out.Stdout), "stderr": printed(out.Stderr), "line": strconv.Itoa(f.Line), "code": string(f.Code),
	}
	for _, m := range s.must {
		switch keyword, rest := m[0], m[1]; keyword {
		case "limit", "times":
		case "survive":
			anyhow = true
		case "error":
			fails = rest
		case "within":
			d, err := time.ParseDuration(rest)
			if err != nil || took > d {
				t.Errorf("took %v, more than %v (%v)", took, rest, err)
			}
		default:
			text, known := texts[strings.TrimSuffix(keyword, "~")]
			if !known {
				t.Fatalf("unknown keyword %q", keyword)
			}
			matches := text == rest
			if strings.HasSuffix(keyword, "~") {
				matches = regexp.MustCompile("(?s)" + rest).MatchString(text)
			}
			if !matches {
				t.Errorf("%s is %.2000q, not %s", keyword, text, rest)
			}
		}
	}
	if f.Type != fails && !anyhow {
		t.Errorf("the run failed with %q, not with %q: %.1000s (%s)\n%.3000s", f.Type, fails, f.Message, f.Code, f.Traceback)
	}
	if t.Failed() || testing.Verbose() {
		t.Logf("%v: type %q, code %q, message %.150q, value %.150q", took.Round(time.Millisecond), f.Type, f.Code, f.Message, texts["value"])
	}
}

// healthy checks that runs after an attempt are as if there had been none.
func healthy(t *testing.T, w ports.Runner) {
	t.Helper()
	is := is.New(t)
	out, err := w.Run(t.Context(), run.Request{Code: "print('healthy')\nreturn [1+1, await up_greet(name='W'), await asyncio.gather(up_echo(i=1), up_echo(i=2))]"})
	is.NoErr(err)                                                          // the sandbox works
	is.True(out.Failure == nil)                                            // the next run
	is.Equal(string(out.Value.Bytes()), `[2,"hello W",[{"i":1},{"i":2}]]`) // is normal
	is.Equal(printed(out.Stdout), "healthy\n")
	is.Equal(printed(out.Stderr), "")
	is.Equal(len(out.Notes), 0)

	out, err = w.Run(t.Context(), run.Request{Code: "def f():\n    raise KeyError('k')\nf()"})
	is.NoErr(err)
	is.True(out.Failure != nil) // and so is one that fails
	is.Equal(out.Failure.Type, "KeyError")
	is.Equal(out.Failure.Line, 2)
	is.Equal(out.Failure.Traceback, `Traceback (most recent call last):
  File "<snippet>", line 3, in <module>
    f()
  File "<snippet>", line 2, in f
    raise KeyError('k')
KeyError: 'k'
`)
}

// printed is what was kept of a stream.
func printed(t run.Text) string { return t.Head + t.Tail }
