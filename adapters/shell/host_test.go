package shell_test

import (
	"context"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/shell"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
)

func TestServeAnnouncesThenServesTheStreams(t *testing.T) {
	is := is.New(t)
	c := &console{stdin: strings.NewReader("{}\n")}
	c.serve = func(_ context.Context, announce func([]limit.Line), in io.Reader, out io.Writer) error {
		announce([]limit.Line{{Name: "config", Text: "none"}, {Name: "time", Text: "30s"}})
		_, err := io.Copy(out, in)
		return err
	}
	is.Equal(c.main(t.Context(), "serve", "mcp", "--config", "my.toml"), 0)
	is.Equal(c.out.String(), "{}\n") // standard output is the server's alone
	is.Equal(c.err.String(), "toolplane: config  none\ntoolplane: time    30s\n")
	is.Equal(c.options.Config, "my.toml")
}

func TestServeEndsWithTheSignalsStatus(t *testing.T) {
	is := is.New(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	c := &console{}
	c.serve = func(ctx context.Context, _ func([]limit.Line), _ io.Reader, _ io.Writer) error {
		cancel(shell.Signal{Number: syscall.SIGTERM})
		<-ctx.Done()
		return ctx.Err()
	}
	is.Equal(c.main(ctx, "serve", "mcp"), 143)
	is.Equal(c.err.String(), "") // a wish that was granted is no error
}

func TestServeNeedsAProtocol(t *testing.T) {
	is := is.New(t)
	c := &console{}
	is.Equal(c.main(t.Context(), "serve"), 2)
	is.Equal(c.err.String(), "toolplane: toolplane serve needs one of its commands; see toolplane serve --help\n")
	c = &console{}
	is.Equal(c.main(t.Context(), "serve", "mpc"), 2)
	is.Equal(c.err.String(), "toolplane: unknown command \"mpc\"; did you mean mcp?\n")
}

func TestConfigTrust(t *testing.T) {
	for _, tc := range []struct {
		name   string
		args   []string
		err    error
		path   string
		status int
		says   string
	}{
		{"the one of the directory", nil, nil, "toolplane.toml", 0, "toolplane: toolplane.toml is trusted until it changes\n"},
		{"another", []string{"x.toml"}, nil, "x.toml", 0, "toolplane: x.toml is trusted until it changes\n"},
		{"none", nil, fault.New(fault.ArgsInvalid, "toolplane.toml: no such file"), "toolplane.toml", 2, "toolplane: toolplane.toml: no such file\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := &console{}
			c.trust = func(path string) error {
				is.Equal(path, tc.path)
				return tc.err
			}
			is.Equal(c.main(t.Context(), append([]string{"config", "trust"}, tc.args...)...), tc.status)
			is.Equal(c.err.String(), tc.says)
		})
	}
}

func TestRunPassesTheConfiguration(t *testing.T) {
	is := is.New(t)
	c := &console{runner: everything}
	is.Equal(c.main(t.Context(), "run", "-c", "one", "--config", "my.toml"), 0)
	is.Equal(c.options.Config, "my.toml")
}

func TestLimitsOfTheConfigurationHoldWhileReading(t *testing.T) {
	is := is.New(t)
	c := &console{}
	is.Equal(c.main(t.Context(), "run", "--config", "small.toml", "-c", "return 1 + 1"), 2)
	is.True(strings.Contains(c.err.String(), "10")) // the limit on code
	c = &console{}
	is.Equal(c.main(t.Context(), "run", "--config", "small.toml", "-c", "a", "--input", "a=12345678901234567890123"), 2)
	is.True(strings.Contains(c.err.String(), "20")) // and on inputs
	is.Equal(c.opened, 0)                           // before anything was opened
}

func TestLargestLimitsReadEverything(t *testing.T) {
	is := is.New(t)
	c := &console{runner: everything, stdin: strings.NewReader("one")}
	is.Equal(c.main(t.Context(), "run", "--config", "endless.toml", "-"), 0)
	is.Equal(c.out.String(), "1\n") // one byte more than the most is no negative number
}
