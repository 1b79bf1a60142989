package app_test

import (
	"context"
	"errors"
	"strings"
	"sync"
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

// calls returns a script that makes calls one after another and ends with the
// first error.
func calls(n int, call run.Call) script {
	return func(ctx context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
		for range n {
			if _, err := b.Call(ctx, call); err != nil {
				return failed(err), nil
			}
		}
		return run.Report{}, nil
	}
}

// failed is the report of a snippet that did not catch an error of the bridge.
func failed(err error) run.Report {
	f, ok := errors.AsType[*fault.Fault](err)
	if !ok {
		return run.Report{Failure: &run.Failure{Type: "not a fault", Message: err.Error()}}
	}
	return run.Report{Failure: run.Stop(f)}
}

func one(context.Context, canon.Value) (run.Answer, error) {
	return run.Answer{Value: canon.Int(1)}, nil
}

func TestCallsBeyondTheLimitFail(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, calls(4, run.Call{Name: "host:app/one"}), func(c *limit.Caps) { c.Run.Calls = 3 }, tool(t, "one", one))
	out := do(t, w.workspace(t), run.Request{})
	is.Equal(out.Failure.Code, fault.CallsTooMany)                 // the fourth call fails
	is.True(strings.Contains(out.Failure.Message, "all of its 3")) // and names the limit
	is.Equal(out.Calls, 3)                                         // the refused one does not count
}

func TestCallsInFlightWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		var mu sync.Mutex
		now, most := 0, 0
		slow := tool(t, "slow", func(context.Context, canon.Value) (run.Answer, error) {
			mu.Lock()
			now++
			most = max(most, now)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			now--
			mu.Unlock()
			return run.Answer{}, nil
		})
		all := func(ctx context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
			var wg sync.WaitGroup
			for range 10 {
				wg.Go(func() { _, _ = b.Call(ctx, run.Call{Name: "host:app/slow"}) })
			}
			wg.Wait()
			return run.Report{}, nil
		}
		w := newWorld(t, all, func(c *limit.Caps) { c.Run.InFlight = 4 }, slow)
		out := do(t, w.workspace(t), run.Request{})
		is.Equal(most, 4)       // never more than the limit at once
		is.Equal(out.Calls, 10) // and all of them were made
	})
}

func TestCallEndsAtItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		stuck := tool(t, "stuck", func(ctx context.Context, _ canon.Value) (run.Answer, error) {
			<-ctx.Done()
			return run.Answer{}, ctx.Err()
		})
		w := newWorld(t, calls(1, run.Call{Name: "host:app/stuck"}), func(c *limit.Caps) { c.Run.CallTime = 5 * time.Second }, stuck)
		out := do(t, w.workspace(t), run.Request{})
		is.Equal(out.Failure.Code, fault.CallTimeout)                           // the call is over
		is.True(strings.Contains(out.Failure.Message, "host:app/stuck"))        // it is named
		is.True(strings.Contains(out.Failure.Message, "limit on one call, 5s")) // and its limit
	})
}

func TestEndOfTheRunPassesThroughACall(t *testing.T) {
	is := is.New(t)
	stuck := tool(t, "stuck", func(ctx context.Context, _ canon.Value) (run.Answer, error) {
		<-ctx.Done()
		return run.Answer{}, errors.New("connection closed")
	})
	var got error
	w := newWorld(t, func(ctx context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_, got = b.Call(ended, run.Call{Name: "host:app/stuck"})
		return run.Report{}, nil
	}, nil, stuck)
	do(t, w.workspace(t), run.Request{})
	is.True(errors.Is(got, context.Canceled)) // whatever the tool makes of it
}

func TestCallThatDoesNotHeedItsEndIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		end := make(chan struct{})
		defer close(end)
		deaf := tool(t, "deaf", func(context.Context, canon.Value) (run.Answer, error) {
			<-end
			return run.Answer{}, nil
		})
		w := newWorld(t, calls(1, run.Call{Name: "host:app/deaf"}), func(c *limit.Caps) { c.Run.CallTime = 5 * time.Second }, deaf)
		begun := time.Now()
		out := do(t, w.workspace(t), run.Request{})
		is.Equal(out.Failure.Code, fault.CallTimeout)
		is.True(time.Since(begun) < 6*time.Second) // nobody waits for the function
	})
}

func TestPanicOfASourceIsHidden(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, calls(1, run.Call{Name: "host:app/mad"}), nil, tool(t, "mad", func(context.Context, canon.Value) (run.Answer, error) {
		panic("secret")
	}))
	out := do(t, w.workspace(t), run.Request{})
	is.Equal(out.Failure.Code, fault.InternalError)
	is.True(!strings.Contains(out.Failure.Message, "secret"))
	is.True(strings.Contains(w.log.String(), "secret"))
}

func TestUnknownCapabilityNamesNearOnes(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, calls(1, run.Call{Name: "host:app/onne"}), nil, tool(t, "one", one))
	out := do(t, w.workspace(t), run.Request{})
	is.Equal(out.Failure.Code, fault.CapabilityUnknown)
	is.Equal(out.Failure.Type, "LookupError")                      // caught by its builtin
	is.True(strings.Contains(out.Failure.Message, "host:app/one")) // says what exists
}

func TestArgumentsAreChecked(t *testing.T) {
	is := is.New(t)
	strict := tool(t, "strict", one)
	strict.descriptor.Input = value(t, `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	w := newWorld(t, calls(1, run.Call{Name: "host:app/strict", Args: value(t, `{"n":"x"}`)}), nil, strict)
	out := do(t, w.workspace(t), run.Request{})
	is.Equal(out.Failure.Code, fault.ArgsInvalid)
	is.True(strings.Contains(out.Failure.Message, `"n"`)) // the argument is named
}

func TestUnusableSchemaLeavesTheCapabilityCallable(t *testing.T) {
	is := is.New(t)
	loose := tool(t, "loose", one)
	loose.descriptor.Input = value(t, `{"type":"nonsense"}`)
	w := newWorld(t, calls(2, run.Call{Name: "host:app/loose"}), nil, loose)
	is.True(do(t, w.workspace(t), run.Request{}).OK())
	is.Equal(strings.Count(w.log.String(), "schema cannot be used"), 1) // said once
}

func TestForeignErrorsAreHidden(t *testing.T) {
	is := is.New(t)
	broken := tool(t, "broken", func(context.Context, canon.Value) (run.Answer, error) {
		return run.Answer{}, errors.New("password=hunter2 rejected")
	})
	w := newWorld(t, calls(1, run.Call{Name: "host:app/broken"}), nil, broken)
	out := do(t, w.workspace(t), run.Request{})
	is.Equal(out.Failure.Code, fault.InternalError)
	is.True(!strings.Contains(out.Failure.Message, "hunter2")) // the snippet sees an id
	is.True(strings.Contains(w.log.String(), "hunter2"))       // the operator the reason
	id := strings.Fields(strings.TrimPrefix(out.Failure.Message, "internal error "))[0]
	is.True(strings.Contains(w.log.String(), strings.Trim(id, ";"))) // under the same id
}

func TestAnswersBeyondTheLimitFail(t *testing.T) {
	is := is.New(t)
	big := tool(t, "big", func(context.Context, canon.Value) (run.Answer, error) {
		return run.Answer{Blobs: []run.Blob{{Data: make([]byte, 100)}}}, nil
	})
	w := newWorld(t, calls(1, run.Call{Name: "host:app/big"}), func(c *limit.Caps) { c.Run.Answer, c.Results.Entry, c.Artifacts.Entry = 99, 99, 99 }, big)
	out := do(t, w.workspace(t), run.Request{})
	is.Equal(out.Failure.Code, fault.ToolFailed)
	is.True(strings.Contains(out.Failure.Message, "the limit is 99"))
}

func TestNotesOfAnswersReachTheOutcome(t *testing.T) {
	is := is.New(t)
	noted := tool(t, "noted", func(context.Context, canon.Value) (run.Answer, error) {
		return run.Answer{Notes: []run.Note{{Path: "$.a", Text: "named twice"}}}, nil
	})
	w := newWorld(t, calls(2, run.Call{Name: "host:app/noted"}), nil, noted)
	is.Equal(len(do(t, w.workspace(t), run.Request{}).Notes), 2)
}

// prints returns a script that prints parts in turn to stdout and stderr.
func prints(parts ...string) script {
	return func(_ context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
		for i, part := range parts {
			if err := b.Print(run.Stdout+run.Stream(i%2), []byte(part)); err != nil {
				return failed(err), nil
			}
		}
		return run.Report{}, nil
	}
}

func TestPrintingStreamsAndIsKept(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, prints("a", "b", "c"), nil)
	var seen strings.Builder
	out := do(t, w.workspace(t), run.Request{Output: func(_ run.Stream, text []byte) { seen.Write(text) }})
	is.Equal(seen.String(), "abc") // as it comes
	is.Equal(out.Stdout.Head, "ac")
	is.Equal(out.Stderr.Head, "b")
}

func TestPrintingBeyondTheLimitStops(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, prints("12345", "6789", "0", "x"), func(c *limit.Caps) { c.Run.OutputTotal = 10 })
	out := do(t, w.workspace(t), run.Request{})
	is.True(out.Failure.Stopped())                       // both streams count together
	is.Equal(out.Stdout.Size+out.Stderr.Size, int64(10)) // what came before is kept
	is.True(strings.Contains(out.Failure.Message, "limit of 10 bytes"))
}

func TestKeptOutputIsBoundedOverBothStreams(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, prints(strings.Repeat("o", 90), strings.Repeat("e", 90)), func(c *limit.Caps) { c.Run.OutputKept = 40 })
	out := do(t, w.workspace(t), run.Request{})
	is.True(out.Stdout.Kept()+out.Stderr.Kept() <= 40)                   // together
	is.True(out.Stdout.Kept() > 0 && out.Stderr.Kept() > 0)              // something of each
	is.Equal([]int64{out.Stdout.Size, out.Stderr.Size}, []int64{90, 90}) // true sizes
}

// TestSavesNeedNoPlaceAmongTheCalls saves while every call in flight goes on.
func TestSavesNeedNoPlaceAmongTheCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		slow := tool(t, "slow", func(ctx context.Context, _ canon.Value) (run.Answer, error) {
			time.Sleep(time.Second)
			return run.Answer{}, nil
		})
		w := newWorld(t, func(ctx context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
			var slowCall sync.WaitGroup
			slowCall.Go(func() { _, _ = b.Call(ctx, run.Call{Name: "host:app/slow"}) })
			defer slowCall.Wait()
			synctest.Wait()
			begun := time.Now()
			_, err := b.Call(ctx, run.Call{Name: "toolplane:results/save", Args: argument("label", ""), Payload: run.Bytes([]byte("1"))})
			is.Equal(time.Since(begun), time.Duration(0)) // at once
			return run.Report{}, err
		}, func(c *limit.Caps) { c.Run.InFlight = 1 }, slow)
		out := do(t, w.workspace(t), run.Request{})
		is.Equal(len(out.Results), 1)
	})
}
