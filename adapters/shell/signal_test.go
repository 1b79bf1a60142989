//go:build unix

package shell_test

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/shell"
)

func TestSignalEndsTheContext(t *testing.T) {
	for _, number := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(number.String(), func(t *testing.T) {
			is := is.New(t)
			heed(number)
			ctx, stop := shell.Signals(t.Context())
			defer stop()
			is.NoErr(syscall.Kill(os.Getpid(), number)) // send it
			<-ctx.Done()
			is.Equal(context.Cause(ctx), shell.Signal{Number: number}) // the cause tells which
			is.Equal(ctx.Err(), context.Canceled)                      // as any cancelled context
		})
	}
}

// heed has the process no longer ignore a signal, as nohup makes it do.
func heed(number syscall.Signal) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, number)
	signal.Stop(c)
}

func TestHangUpIsIgnoredWhereItWas(t *testing.T) {
	is := is.New(t)
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	ctx, stop := shell.Signals(t.Context())
	defer stop()
	is.NoErr(syscall.Kill(os.Getpid(), syscall.SIGHUP))
	is.NoErr(syscall.Kill(os.Getpid(), syscall.SIGTERM))
	<-ctx.Done()
	is.Equal(context.Cause(ctx), shell.Signal{Number: syscall.SIGTERM}) // the first one that counted
}

func TestSignalsStopsListening(t *testing.T) {
	is := is.New(t)
	ctx, stop := shell.Signals(t.Context())
	stop()
	stop()
	is.Equal(context.Cause(ctx), context.Canceled) // no signal came
}

func TestClosedPipeIsAnErrorNotTheEnd(t *testing.T) {
	is := is.New(t)
	_, stop := shell.Signals(t.Context())
	defer stop()
	is.NoErr(syscall.Kill(os.Getpid(), syscall.SIGPIPE)) // would end the process
}
