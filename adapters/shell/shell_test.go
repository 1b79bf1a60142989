package shell_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/shell"
	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// runner is a ports.Runner whose snippets are keys of what they do.
type runner map[string]func(ctx context.Context, req run.Request) (run.Outcome, error)

func (r runner) Run(ctx context.Context, req run.Request) (run.Outcome, error) {
	do, ok := r[strings.TrimSpace(req.Code)]
	if !ok {
		return run.Outcome{}, fmt.Errorf("the test has no snippet %q", req.Code)
	}
	return do(ctx, req)
}

// runnerFunc is a ports.Runner that does one thing.
type runnerFunc func(ctx context.Context, req run.Request) (run.Outcome, error)

func (f runnerFunc) Run(ctx context.Context, req run.Request) (run.Outcome, error) {
	return f(ctx, req)
}

// console is what a test gives to the command line and gets from it.
type console struct {
	runner runner
	always func(context.Context, run.Request) (run.Outcome, error)               // instead of runner
	open   func(context.Context) (ports.Runner, func() error, error)             // instead of both
	serve  func(context.Context, func([]limit.Line), io.Reader, io.Writer) error // what ServeMCP does
	trust  func(path string) error                                               // what Trust does
	stdin  io.Reader
	stdout io.Writer
	env    map[string]string

	out, err bytes.Buffer
	opened   int
	closed   int
	options  shell.Options // of the last call
}

var build = shell.Build{Program: "v1.2.3", Go: "go1.26 linux/amd64", Python: "3.13.5"}

func (c *console) main(ctx context.Context, args ...string) int {
	if c.stdin == nil {
		c.stdin = strings.NewReader("")
	}
	if c.stdout == nil {
		c.stdout = &c.out
	}
	env := func(name string) string { return c.env[name] }
	return shell.New(c, build).Main(ctx, args, env, c.stdin, c.stdout, &c.err)
}

// The console is the host too.
var _ shell.Host = (*console)(nil)

func (c *console) Open(ctx context.Context, opts shell.Options) (ports.Runner, func() error, error) {
	c.opened++
	c.options = opts
	if c.env["FIRST_USE"] != "" {
		opts.Progress("preparing Python (first use only)")
	}
	if c.open != nil {
		return c.open(ctx)
	}
	closeRunner := func() error { c.closed++; return nil }
	if c.always != nil {
		return runnerFunc(c.always), closeRunner, nil
	}
	return c.runner, closeRunner, nil
}

func (c *console) Limits(opts shell.Options) (limit.Run, error) {
	limits := limit.Defaults().Run
	switch opts.Config {
	case "small.toml":
		limits.Code, limits.Inputs = 10, 20
	case "endless.toml":
		limits.Code, limits.Inputs = math.MaxInt64, math.MaxInt64
	}
	return limits, nil
}

func (c *console) ServeMCP(ctx context.Context, opts shell.Options, announce func([]limit.Line), in io.Reader, out io.Writer) error {
	c.options = opts
	return c.serve(ctx, announce, in, out)
}

func (c *console) Trust(path string) error { return c.trust(path) }

func value(text string) canon.Value {
	v, err := canon.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}

func returns(text string) func(context.Context, run.Request) (run.Outcome, error) {
	return func(context.Context, run.Request) (run.Outcome, error) {
		return run.Outcome{Value: value(text)}, nil
	}
}

func fails(f run.Failure) func(context.Context, run.Request) (run.Outcome, error) {
	return func(context.Context, run.Request) (run.Outcome, error) { return run.Outcome{Failure: &f}, nil }
}

func refuses(err error) func(context.Context, run.Request) (run.Outcome, error) {
	return func(context.Context, run.Request) (run.Outcome, error) { return run.Outcome{}, err }
}

func minted(kind handle.Kind) handle.Handle { return handle.Mint(kind, [handle.Size]byte{1, 2, 3}) }

// everything is one snippet for each thing that a run can come to.
var everything = runner{
	"nothing": returns("null"),
	"one":     returns("1"),
	"rows":    returns(`{"z":1,"a":[{"id":123456789012345678901234567890,"f":1.0,"t":"a \"b\" <c> é"},[],{}],"n":null}`),
	"prints": func(_ context.Context, req run.Request) (run.Outcome, error) {
		if req.Output != nil {
			req.Output(run.Stdout, []byte("to stdout, without an end"))
			req.Output(run.Stderr, []byte("to stderr\n"))
		}
		return run.Outcome{
			Value: value(`"done"`), Stdout: run.Text{Head: "to stdout, without an end", Size: 25},
			Stderr: run.Text{Head: "to stderr\n", Size: 10},
		}, nil
	},
	"notes": func(context.Context, run.Request) (run.Outcome, error) {
		return run.Outcome{Value: value(`{"mean":"Infinity"}`), Notes: []run.Note{
			{Path: "$.mean", Text: "Infinity is shown as text"}, {Text: "the last statement is an assignment"},
		}}, nil
	},
	"saves": func(context.Context, run.Request) (run.Outcome, error) {
		return run.Outcome{
			Value: value(`"saved"`), Duration: 1234567 * time.Nanosecond, Backend: "extism", Calls: 2,
			Stdout:    run.Text{Head: "start…", Tail: "…end", Size: 1000},
			Results:   []run.Pointer{{Handle: minted(handle.Result), Label: "rows", Bytes: 42}},
			Artifacts: []run.Pointer{{Handle: minted(handle.Artifact), Bytes: 7, Filename: "a.png", MediaType: "image/png"}},
			Notes:     []run.Note{{Path: "$.a", Text: "set became a list"}},
		}, nil
	},
	"previous": func(_ context.Context, req run.Request) (run.Outcome, error) {
		return run.Outcome{Value: value(`{"previous":` + string(req.Previous.Bytes()) + `,"inputs":` + string(req.Inputs.Bytes()) + `}`)}, nil
	},
	"timeout": func(_ context.Context, req run.Request) (run.Outcome, error) {
		return run.Outcome{Value: value(`"` + req.Timeout.String() + `"`)}, nil
	},
	"raises": fails(run.Failure{
		Type: "ZeroDivisionError", Message: "division by zero", Line: 3,
		Traceback: "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    1/0\n    ~^~\nZeroDivisionError: division by zero\n",
	}),
	"frames": fails(run.Failure{
		Type: "ValueError", Message: "unknown or expired result handle res_x", Line: 1, Code: fault.ResultUnknown,
		Traceback: "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n",
	}),
	"loops":     fails(*run.Stop(fault.New(fault.RunTimeout, "the run took longer than 1s"))),
	"crashes":   fails(run.Failure{Type: "RuntimeError", Message: "the sandbox trapped", Line: 2, Code: fault.RunCrashed}),
	"reserved":  refuses(fault.New(fault.ArgsInvalid, `an input may not be called "previous"`)),
	"defective": refuses(fault.New(fault.InternalError, "internal error 7f3a")),
	"waits": func(ctx context.Context, _ run.Request) (run.Outcome, error) {
		<-ctx.Done()
		return run.Outcome{Failure: run.Stop(fault.New(fault.RunCancelled, "the run was cancelled"))}, nil
	},
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestGolden shows what people see. Each case is a command line; its output is
// in testdata.
func TestGolden(t *testing.T) {
	for _, tc := range []struct {
		name  string
		stdin string
		args  []string
	}{
		{"value", "", []string{"run", "-c", "rows"}},
		{"null-prints-nothing", "", []string{"run", "-c", "nothing"}},
		{"value-after-an-open-line", "", []string{"run", "-c", "prints"}},
		{"notes", "", []string{"run", "-c", "notes"}},
		{"saves", "", []string{"run", "-c", "saves"}},
		{"json", "", []string{"run", "--json", "rows.py", "saves.py"}},
		{"json-failure", "", []string{"run", "--json", "-c", "raises"}},
		{"json-stopped", "", []string{"run", "--json", "-c", "loops"}},
		{"previous", "", []string{"run", "rows.py", "previous.py", "--input", "a=1"}},
		{"first-failure-ends-the-sequence", "", []string{"run", "rows.py", "raises.py", "saves.py"}},
		{"stdin-is-code", "rows\n", []string{"run", "-"}},
		{"inputs", `{"from": "stdin"}`, []string{
			"run", "-c", "previous", "--input", "n=1.10", "--input", "t=plain", "--input", "empty=", "--input", "f=@rows.json",
			"--input", "text=@rows.py", "--input", "s=-", "--input", `q="@x"`, "--input", "eq=a=b",
		}},
		{"input-not-json", "", []string{"run", "-c", "previous", "--input", "f=@broken.json"}},
		{"timeout-unit", "", []string{"run", "-c", "timeout", "--timeout", "1500ms"}},
		{"timeout-beyond-the-limit", "", []string{"run", "-c", "timeout", "--timeout", "1h"}},
		{"timeout-seconds", "", []string{"run", "-c", "timeout", "--timeout", "0.5"}},
		{"raises", "", []string{"run", "raises.py"}},
		{"raises-without-headline", "", []string{"run", "-c", "frames"}},
		{"stopped", "", []string{"run", "loops.py"}},
		{"crashed", "", []string{"run", "-c", "crashes"}},
		{"reserved-input", "", []string{"run", "-c", "reserved", "--input", "previous=1"}},
		{"defect", "", []string{"run", "-c", "defective"}},
		{"version", "", []string{"version"}},
		{"version-flag", "", []string{"--version"}},
		{"help", "", []string{"--help"}},
		{"help-without-arguments", "", nil},
		{"help-run", "", []string{"run", "--help"}},

		{"usage-unknown-help", "", []string{"help", "rnu"}},
		{"usage-unknown-command", "", []string{"rnu"}},
		{"usage-unknown-command-with-a-flag", "", []string{"rnu", "-c", "one"}},
		{"usage-unknown-subcommand-with-a-flag", "", []string{"config", "trsut", "--force"}},
		{"usage-trust-two", "", []string{"config", "trust", "a.toml", "b.toml"}},
		{"usage-file-as-command", "", []string{"rows.py"}},
		{"usage-unknown-flag", "", []string{"run", "-c", "one", "--inputs", "a=1"}},
		{"usage-unknown-short-flag", "", []string{"run", "-x"}},
		{"usage-nothing-to-run", "", []string{"run"}},
		{"usage-code-and-file", "", []string{"run", "-c", "one", "rows.py"}},
		{"usage-code-twice", "", []string{"run", "-c", "one", "-c", "rows"}},
		{"usage-stdin-twice", "", []string{"run", "-", "rows.py", "-"}},
		{"usage-stdin-code-and-input", "", []string{"run", "-", "--input", "a=-"}},
		{"usage-stdin-two-inputs", "", []string{"run", "-c", "one", "--input", "a=-", "--input", "b=@-"}},
		{"usage-input-shape", "", []string{"run", "-c", "one", "--input", "rows.json"}},
		{"usage-input-twice", "", []string{"run", "-c", "one", "--input", "a=1", "--input", "a=2"}},
		{"usage-input-no-file", "", []string{"run", "-c", "one", "--input", "a=@"}},
		{"usage-input-missing-file", "", []string{"run", "-c", "one", "--input", "a=@none.json"}},
		{"usage-input-binary", "", []string{"run", "-c", "one", "--input", "a=@binary"}},
		{"usage-timeout-text", "", []string{"run", "-c", "one", "--timeout", "soon"}},
		{"usage-timeout-negative", "", []string{"run", "-c", "one", "--timeout", "-1s"}},
		{"usage-timeout-nan", "", []string{"run", "-c", "one", "--timeout", "nan"}},
		{"usage-missing-file", "", []string{"run", "rows.py", "none.py"}},
		{"usage-directory", "", []string{"run", "."}},
		{"usage-not-utf8", "", []string{"run", "binary"}},
		{"usage-config-empty", "", []string{"run", "-c", "one", "--config", ""}},
		{"usage-version-arguments", "", []string{"version", "now"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			golden, err := filepath.Abs(filepath.Join("testdata", tc.name+".golden"))
			is.NoErr(err) // the place of the golden file
			t.Chdir(t.TempDir())
			for name := range everything {
				write(t, name+".py", name+"\n")
			}
			write(t, "rows.json", "\uFEFF[{\"b\": 1, \"a\": 2e0}]\n")
			write(t, "broken.json", "{\"a\": 1,}\n")
			write(t, "binary", "ab\xff")

			c := &console{runner: everything, stdin: strings.NewReader(tc.stdin)}
			status := c.main(t.Context(), tc.args...)
			got := fmt.Sprintf("$ toolplane %s\n--- stdout\n%s--- stderr\n%s--- status %d\n",
				strings.Join(tc.args, " "), c.out.String(), c.err.String(), status)
			is.Equal(c.opened, c.closed) // what was opened is closed
			if *update {
				is.NoErr(os.WriteFile(golden, []byte(got), 0o600)) // written
			}
			want, err := os.ReadFile(golden)
			is.NoErr(err)               // a missing golden file is written by -update
			is.Equal(got, string(want)) // what the user sees
		})
	}
}
