// Package shell is the command line: it reads files, flags and standard input,
// hands snippets to a ports.Runner and shows what came of them.
//
// A wrong command line ends with status 2 before anything runs, naming the flag
// or file, what was given and the way out. Standard output carries only what
// was asked for: what the snippet prints and the value it ends with, or with
// --json one object for each run; everything else goes to standard error. The
// package never exits the process, reads no variable of the environment but
// those it is given, and keeps nothing between two calls of Main.
package shell

import (
	"context"
	"errors"
	"io"

	"toolplane/domain/limit"
	"toolplane/ports"
)

// Host is what the command line drives. A fault of a class that the user can do
// something about ends the program with status 2, any other error with 1.
type Host interface {
	// Limits returns what bounds a run. It opens nothing.
	Limits(opts Options) (limit.Run, error)

	// Open makes the runtime that snippets run in. It is called at most once for
	// each Main, and only by commands that run something; what it returns is
	// closed by the function that comes with it.
	Open(ctx context.Context, opts Options) (ports.Runner, func() error, error)

	// ServeMCP serves one MCP client until in ends or ctx does. It announces
	// what is in force before it serves.
	ServeMCP(ctx context.Context, opts Options, announce func([]limit.Line), in io.Reader, out io.Writer) error

	// Trust allows a configuration to be used where it lies.
	Trust(path string) error
}

// Options are what the command line says about the runtime.
type Options struct {
	// Config is the configuration to read; "" leaves it to the host to look for
	// one.
	Config string

	// Paranoid compares the sandbox's whole memory with its image after each
	// run.
	Paranoid bool

	// Progress shows one step of work that takes a while, such as "preparing
	// Python (first use only)". It may be called concurrently until the runtime
	// is closed.
	Progress func(step string)
}

// Build says what was built; what is empty is read from the program itself.
type Build struct {
	Program string // version and commit of this program
	Go      string // the Go release and the platform
	Python  string // the CPython that runs snippets, such as "3.13.5"
}

// Shell is the command line. It may be used concurrently.
type Shell struct {
	host  Host
	build Build
}

// New returns a command line that drives a host.
func New(host Host, build Build) *Shell {
	return &Shell{host: host, build: build}
}

// Main carries out one command line, args without the program's name, and
// returns the exit status. The end of ctx ends the run that goes on; when its
// cause is a Signal, the status is 128 plus its number.
func (s *Shell) Main(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &call{
		shell: s, args: append([]string{}, args...), stdin: stdin,
		out: &sink{w: stdout}, err: &sink{w: stderr, colour: wantsColour(stderr, env)},
	}
	root := c.root()
	root.SetArgs(c.args) // never nil, which would mean the process's own
	root.SetIn(stdin)
	root.SetOut(c.out)
	root.SetErr(c.err)
	status := c.status(root.ExecuteContext(ctx))
	if c.out.failed() != nil && status == statusOK {
		status = c.status(c.outputFailed())
	}
	return status
}

// call is one call of Main.
type call struct {
	shell    *Shell
	args     []string
	stdin    io.Reader
	out, err *sink
}

// The exit statuses; those of signals are 128 plus the signal's number.
const (
	statusOK      = 0
	statusFailed  = 1
	statusUsage   = 2
	statusStopped = 3
	statusPipe    = 128 + 13 // nobody reads standard output any more
	statusSignal  = 128
)

// exit is an error that carries an exit status; one without a cause ends
// quietly, because everything is said already.
type exit struct {
	status int
	cause  error
}

func (e *exit) Error() string {
	if e.cause == nil {
		return ""
	}
	return e.cause.Error()
}

func (e *exit) Unwrap() error { return e.cause }

// status says what went wrong and returns the status for it. An error that is
// not an exit is one of usage.
func (c *call) status(err error) int {
	if err == nil {
		return statusOK
	}
	if e, ok := errors.AsType[*exit](err); ok {
		if e.cause != nil {
			c.complain(e.cause.Error())
		}
		return e.status
	}
	c.complain(err.Error())
	return statusUsage
}
