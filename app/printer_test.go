package app_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// TestOutputThatIsNotTakenHoldsUpNoSnippet has a client that takes nothing: the
// snippet prints and calls on, and only the end of the run waits.
func TestOutputThatIsNotTakenHoldsUpNoSnippet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		take, over := make(chan struct{}), make(chan struct{})
		var seen strings.Builder
		w := newWorld(t, func(ctx context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
			defer close(over)
			is.NoErr(b.Print(run.Stdout, []byte("a")))
			is.NoErr(b.Print(run.Stdout, []byte("b")))
			_, err := b.Call(ctx, run.Call{Name: "host:app/tool"})
			return run.Report{}, err
		}, nil, tool(t, "tool", func(context.Context, canon.Value) (run.Answer, error) { return run.Answer{}, nil }))
		go func() {
			<-over
			time.Sleep(time.Hour)
			close(take)
		}()
		begun := time.Now()
		out := do(t, w.workspace(t), run.Request{Output: func(_ run.Stream, text []byte) {
			<-take
			seen.Write(text)
		}})
		is.Equal(seen.String(), "ab") // nothing is lost
		is.Equal(out.Stdout.Head, "ab")
		is.Equal(time.Since(begun), time.Hour)
	})
}

func TestOutputThatIsNotTakenDoesNotOutliveItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		never, calls := make(chan struct{}), 0
		w := newWorld(t, prints("a", "b", "c"), nil)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Hour, cancel)
		_, err := w.workspace(t).Run(ctx, run.Request{Output: func(run.Stream, []byte) {
			calls++
			<-never
		}})
		is.NoErr(err)
		close(never)
		synctest.Wait()
		is.Equal(calls, 1) // and gets nothing afterwards
	})
}

func TestOutputThatPanicsIsAnInternalError(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, prints("a"), nil)
	_, err := w.workspace(t).Run(t.Context(), run.Request{Output: func(run.Stream, []byte) { panic("secret") }})
	is.Equal(fault.CodeOf(err), fault.InternalError)
	is.True(!strings.Contains(err.Error(), "secret"))
	is.True(strings.Contains(w.log.String(), "secret"))
}

func TestTurnsAheadOfTheReaderAreBounded(t *testing.T) {
	is := is.New(t)
	take := make(chan struct{})
	w := newWorld(t, func(_ context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
		defer close(take)
		for n := 0; ; n++ {
			if err := b.Print(run.Stdout+run.Stream(n%2), []byte("x")); err != nil {
				return failed(err), nil
			}
		}
	}, func(c *limit.Caps) { c.Run.OutputTotal = 1 << 20 })
	out := do(t, w.workspace(t), run.Request{Output: func(run.Stream, []byte) { <-take }})
	is.Equal(out.Failure.Code, fault.OutputTooLarge)
	is.True(out.Stdout.Size+out.Stderr.Size < 100_000) // long before the limit on bytes
}
