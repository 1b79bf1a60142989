package shell_test

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/shell"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

func TestUsageErrorsOpenNoRuntime(t *testing.T) {
	for name, args := range map[string][]string{
		"no snippet":   {"run"},
		"no such file": {"run", "none.py"},
		"wrong input":  {"run", "-c", "one", "--input", "a"},
		"version":      {"version"},
		"help":         {"run", "--help"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := &console{runner: everything}
			c.main(t.Context(), args...)
			is.Equal(c.opened, 0) // nothing was started
		})
	}
}

func TestNilArgumentsAreNotTheProcessArguments(t *testing.T) {
	is := is.New(t)
	c := &console{}
	is.Equal(c.main(t.Context()), 0)                       // help is no error
	is.True(strings.Contains(c.out.String(), "Available")) // the help text
}

func TestOutputStreamsWhileTheSnippetRuns(t *testing.T) {
	is := is.New(t)
	c := &console{}
	var seen []string
	c.runner = runner{"streams": func(_ context.Context, req run.Request) (run.Outcome, error) {
		for _, text := range []string{"one\n", "two\n"} {
			req.Output(run.Stdout, []byte(text))
			seen = append(seen, c.out.String())
		}
		req.Output(run.Stderr, []byte("three\n"))
		seen = append(seen, c.err.String())
		return run.Outcome{Value: value(`4`)}, nil
	}}
	is.Equal(c.main(t.Context(), "run", "-c", "streams"), 0)   // status
	is.Equal(seen, []string{"one\n", "one\ntwo\n", "three\n"}) // each piece was there at once
	is.Equal(c.out.String(), "one\ntwo\n4\n")                  // the value comes after what was printed
	is.Equal(c.err.String(), "three\n")                        // nothing else on standard error
}

func TestJSONDoesNotStream(t *testing.T) {
	is := is.New(t)
	c := &console{runner: runner{"s": func(_ context.Context, req run.Request) (run.Outcome, error) {
		is.True(req.Output == nil) // nobody listens
		return run.Outcome{}, nil
	}}}
	is.Equal(c.main(t.Context(), "run", "-c", "s", "--json"), 0)
}

func TestProgressGoesToStderr(t *testing.T) {
	is := is.New(t)
	c := &console{runner: everything, env: map[string]string{"FIRST_USE": "1"}}
	is.Equal(c.main(t.Context(), "run", "-c", "one"), 0)
	is.Equal(c.err.String(), "toolplane: preparing Python (first use only)\n")
	is.Equal(c.out.String(), "1\n")
}

func TestInterruptEndsTheRunWithTheSignalsStatus(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cause error
		want  int
	}{
		{"Ctrl-C", shell.Signal{Number: syscall.SIGINT}, 130},
		{"SIGTERM", shell.Signal{Number: syscall.SIGTERM}, 143},
		{"a cancelled context", nil, 130},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			c := &console{runner: runner{
				"a": func(ctx context.Context, req run.Request) (run.Outcome, error) {
					cancel(tc.cause)
					return everything["waits"](ctx, req)
				},
			}}
			is.Equal(c.main(ctx, "run", "-c", "a"), tc.want)
			is.Equal(c.closed, 1) // the runtime is closed all the same
			is.True(strings.Contains(c.err.String(), "the run was cancelled"))
		})
	}
}

func TestInterruptWhileStandardInputIsRead(t *testing.T) {
	is := is.New(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	r, w := io.Pipe()
	defer w.Close() // ends the read that nobody waits for
	c := &console{stdin: readerFunc(func(p []byte) (int, error) {
		cancel(shell.Signal{Number: syscall.SIGINT})
		return r.Read(p)
	})}
	is.Equal(c.main(ctx, "run", "-"), 130)
	is.Equal(c.opened, 0) // it came before the runtime
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestInterruptWhileTheRuntimeOpens(t *testing.T) {
	is := is.New(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	c := &console{open: func(ctx context.Context) (ports.Runner, func() error, error) {
		cancel(shell.Signal{Number: syscall.SIGINT})
		return nil, nil, ctx.Err()
	}}
	is.Equal(c.main(ctx, "run", "-c", "1"), 130)
	is.Equal(c.err.String(), "") // no words about what the user did
}

func TestFaultsOfOpeningAreTheUsersOrOurs(t *testing.T) {
	for _, tc := range []struct {
		name string
		err  error
		want int
	}{
		{"the user's", fault.New(fault.ArgsInvalid, "toolplane.toml:3: unknown key"), 2},
		{"ours", fault.New(fault.InternalError, "internal error 1"), 1},
		{"the machine's", errors.New("no space left on device"), 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := &console{open: func(context.Context) (ports.Runner, func() error, error) { return nil, nil, tc.err }}
			is.Equal(c.main(t.Context(), "run", "-c", "1"), tc.want)
			is.Equal(c.err.String(), "toolplane: "+tc.err.Error()+"\n")
		})
	}
}

func TestFailureToCloseIsTold(t *testing.T) {
	is := is.New(t)
	c := &console{open: func(context.Context) (ports.Runner, func() error, error) {
		return everything, func() error { return errors.New("the store is still in use") }, nil
	}}
	is.Equal(c.main(t.Context(), "run", "-c", "one"), 1)
	is.Equal(c.err.String(), "toolplane: the store is still in use\n")
}

// failing is a standard output that takes no more after some bytes.
type failing struct {
	room int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	if len(p) <= f.room {
		f.room -= len(p)
		return len(p), nil
	}
	return 0, f.err
}

func TestClosedPipeEndsQuietly(t *testing.T) {
	printsForEver := func(ctx context.Context, req run.Request) (run.Outcome, error) {
		for ctx.Err() == nil {
			req.Output(run.Stdout, []byte("y\n"))
		}
		return everything["waits"](ctx, req)
	}
	for _, tc := range []struct {
		name string
		args []string
	}{
		{"while printing", []string{"run", "-c", "yes"}},
		{"at the value", []string{"run", "-c", "rows"}},
		{"with --json", []string{"run", "-c", "rows", "--json"}},
		{"before the next file", []string{"run", "yes.py", "never.py"}},
		{"at a help text", []string{"--help"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			t.Chdir(t.TempDir())
			write(t, "yes.py", "yes")
			write(t, "never.py", "never")
			pipe := &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
			c := &console{
				runner: runner{"yes": printsForEver, "rows": everything["rows"]},
				stdout: &failing{room: 6, err: pipe},
			}
			is.Equal(c.main(t.Context(), tc.args...), 141) // as programs that SIGPIPE ends
			is.Equal(c.err.String(), "")                   // no complaint
			is.Equal(c.opened, c.closed)                   // but a proper end
		})
	}
}

func TestFullDiskIsNotSuccess(t *testing.T) {
	is := is.New(t)
	c := &console{runner: everything, stdout: &failing{err: &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}}}
	is.Equal(c.main(t.Context(), "run", "-c", "one"), 1)
	is.Equal(c.err.String(), "toolplane: standard output: no space left on device\n")
}

func TestSizesAreCheckedBeforeReading(t *testing.T) {
	is := is.New(t)
	t.Chdir(t.TempDir())
	most := limit.Defaults().Run
	sparse(t, "code.py", most.Code+1)
	sparse(t, "input.json", most.Inputs+1)
	for _, tc := range []struct {
		args  []string
		stdin io.Reader
		want  string
	}{
		{[]string{"run", "code.py"}, nil, "toolplane: code.py is larger than the 4 MiB that a snippet may have; pass data with --input\n"},
		{[]string{"run", "-"}, endless{}, "toolplane: <stdin> is larger than the 4 MiB that a snippet may have; pass data with --input\n"},
		{[]string{"run", "-c", "one", "--input", "a=@input.json"}, nil, "toolplane: --input a: the inputs are larger than the 64 MiB that they may have together; pass fewer or smaller ones\n"},
		{[]string{"run", "-c", "one", "--input", "b=1", "--input", "a=-"}, endless{}, "toolplane: --input a: the inputs are larger than the 64 MiB that they may have together; pass fewer or smaller ones\n"},
	} {
		c := &console{runner: everything, stdin: tc.stdin}
		is.Equal(c.main(t.Context(), tc.args...), 2) // a usage error
		is.Equal(c.err.String(), tc.want)            // names the thing, the limit and the way out
	}
}

// endless is a source of text that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func sparse(t *testing.T, name string, size int64) {
	t.Helper()
	f, err := os.Create(name)
	if err == nil {
		err = errors.Join(f.Truncate(size), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestValueIsIndentedAsJSONIndentWould(t *testing.T) {
	is := is.New(t)
	for _, text := range []string{
		`null`, `{}`, `[]`, `[[],{}]`, `"a\\\"b:,{[]}"`, `{"a":{"b":[1,2,{"c":""}]},"\\":-1.5e+16}`, `[true,false,"é\u0001"]`,
	} {
		c := &console{runner: runner{"v": returns(text)}}
		c.main(t.Context(), "run", "-c", "v")
		want := ""
		if text != "null" {
			want = indented(t, text) + "\n"
		}
		is.Equal(c.out.String(), want) // encoding/json agrees
	}
}
