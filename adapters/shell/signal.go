package shell

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// Signal is the cause of a context that a signal ended.
type Signal struct{ Number syscall.Signal }

// Error names the signal.
func (s Signal) Error() string { return "ended by signal: " + s.Number.String() }

// Is makes a Signal a cancellation, as the end of its context is.
func (s Signal) Is(target error) bool { return target == context.Canceled }

// Signals returns a context that SIGINT, SIGTERM and, unless the process is to
// ignore it, SIGHUP end with a Signal as the cause. A second signal ends the process
// at once, as if nothing listened. A closed pipe on standard output becomes an error
// of the write, so that a program that nobody reads any more still cleans up. Stop
// undoes all of it.
func Signals(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ends, pipes := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(ends, syscall.SIGHUP)
	}
	signal.Notify(pipes, syscall.SIGPIPE) // never read: to be listening is enough
	var waiting sync.WaitGroup
	waiting.Go(func() {
		select {
		case s := <-ends:
			signal.Stop(ends)
			number, _ := s.(syscall.Signal)
			cancel(Signal{Number: number})
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		cancel(nil)
		signal.Stop(ends)
		signal.Stop(pipes)
		waiting.Wait()
	}
}

// interrupted returns the quiet exit of a call whose context ended.
func interrupted(ctx context.Context) *exit {
	if s, ok := errors.AsType[Signal](context.Cause(ctx)); ok {
		return &exit{status: statusSignal + int(s.Number)}
	}
	return &exit{status: statusSignal + int(syscall.SIGINT)}
}

// lastWords is how long what is left to say may take once ctx has ended.
const lastWords = 250 * time.Millisecond

// unlessEnded does work that may wait for a person, as reading a terminal does and
// writing to whoever does not read, and returns when ctx has ended for so long.
// Such work cannot be interrupted: it ends with its stream, or with the process.
func unlessEnded(ctx context.Context, patience time.Duration, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return interrupted(ctx)
	}
}
