package contract

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// endless is a snippet that ends only when it is stopped.
func (b *box) endless() run.Job { return b.job("while True:\n    pass", "loop") }

func memoryIsLimited(t *testing.T, b *box) {
	is := is.New(t)
	job := b.job(`
try:
    x = [0] * (2 ** 28)
except MemoryError:
    x = "caught"
x
`, "value \"caught\"")
	is.Equal(b.value(t, job, &bridge{}), `"caught"`) // it can be caught
	f := b.failure(t, b.job("x = bytearray(2 ** 30)", "alloc 1073741824"), &bridge{})
	is.Equal(f.Type, "MemoryError") // or not
	b.healthy(t)

	// A limit is of the run, not of the sandbox.
	job = b.job("len(bytearray(300 * 2 ** 20))", "alloc 314572800\nvalue 314572800")
	job.Limits.Memory = 512 << 20
	is.Equal(b.value(t, job, &bridge{}), "314572800") // within its own limit
}

func stopsAtTheDeadline(t *testing.T, b *box) {
	is := is.New(t)
	b.healthy(t) // what is prepared once is prepared
	for _, python := range []string{
		"while True:\n    pass",
		"import time\ntime.sleep(100)",
		"import asyncio\nawait asyncio.sleep(100)",
		"while True:\n    try:\n        while True: pass\n    except BaseException: pass",
		"9**9**9",
	} {
		job := b.job(python, "loop")
		job.Limits.Time = 150 * time.Millisecond
		begin := time.Now()
		f := b.failure(t, job, &bridge{})
		is.Equal(f.Code, fault.RunTimeout)                   // stopped by the limit
		is.Equal(f.Type, "TimeoutError")                     // in Python's terms
		is.True(time.Since(begin) < job.Limits.Time+soon)    // soon
		is.True(time.Since(begin) >= job.Limits.Time*99/100) // not before
	}
	b.healthy(t)
}

func deadlineEndsCalls(t *testing.T, b *box) {
	is := is.New(t)
	b.healthy(t)
	job := b.job(`await call_tool("host:test/slow", {})`, "call host:test/slow {}")
	job.Limits.Time = 150 * time.Millisecond
	got := bridge{answer: untilDone(make(chan struct{}))}
	is.Equal(b.failure(t, job, &got).Code, fault.RunTimeout) // stopped
	is.True(got.idle())                                      // and nothing goes on
}

func deafCallsAreLeftBehind(t *testing.T, b *box) {
	is := is.New(t)
	b.healthy(t)
	end := make(chan struct{})
	got := bridge{answer: func(context.Context, run.Call) (run.Answer, error) {
		<-end
		return run.Answer{}, nil
	}}
	job := b.job(`
try:
    await call_tool("host:test/deaf", {})
except TimeoutError as e:
    print(e)
`, "catch host:test/deaf {}")
	job.Limits.CallTime = 100 * time.Millisecond
	begin := time.Now()
	b.value(t, job, &got)
	is.True(time.Since(begin) < job.Limits.CallTime+soon) // the snippet goes on

	job = b.job(`await call_tool("host:test/deaf", {})`, "call host:test/deaf {}")
	job.Limits.Time = 150 * time.Millisecond
	begin = time.Now()
	is.Equal(b.failure(t, job, &got).Code, fault.RunTimeout)
	is.True(time.Since(begin) < job.Limits.Time+soon) // the run ends
	is.True(!got.idle())                              // while the calls go on

	close(end)
	for deadline := time.Now().Add(soon); !got.idle(); time.Sleep(time.Millisecond) {
		is.True(time.Now().Before(deadline)) // they end when they like
	}
	b.healthy(t)
}

func callsThatWaitKeepTheirTime(t *testing.T, b *box) {
	is := is.New(t)
	b.healthy(t)
	slots := make(chan struct{}, 2) // as the application has them
	got := bridge{answer: func(ctx context.Context, call run.Call) (run.Answer, error) {
		slots <- struct{}{}
		defer func() { <-slots }()
		time.Sleep(200 * time.Millisecond)
		return run.Answer{Value: call.Args}, nil
	}}
	job := b.job(`
import asyncio
len(await asyncio.gather(*[call_tool("host:test/slow", {}) for _ in range(8)]))
`, "gather 8 host:test/slow {}\nvalue 8")
	job.Limits.InFlight, job.Limits.CallTime = 2, 300*time.Millisecond
	is.Equal(b.value(t, job, &got), "8") // all of them, though most waited longer than one may last
}

func cancelledRunStops(t *testing.T, b *box) {
	is := is.New(t)
	b.healthy(t) // what is prepared once is prepared
	for _, job := range []run.Job{b.endless(), b.job(`await call_tool("host:test/slow", {})`, "call host:test/slow {}")} {
		ctx, cancel := context.WithCancel(t.Context())
		started := make(chan struct{})
		got := bridge{answer: untilDone(started)}
		job.Code = b.snippet(`print("on")`, "print on") + "\n" + job.Code
		got.print = func(run.Stream, []byte) error {
			cancel()
			return nil
		}
		begin := time.Now()
		report, err := b.Run(ctx, job, &got)
		is.NoErr(err)                                     // a report
		is.Equal(report.Failure.Code, fault.RunCancelled) // that says so
		is.True(time.Since(begin) < soon)                 // soon
		is.True(got.idle())                               // and nothing goes on
	}
	b.healthy(t)
}

func cancelledBeforeItBegins(t *testing.T, b *box) {
	is := is.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report, err := b.Run(ctx, b.endless(), &bridge{})
	is.NoErr(err)                                     // a report
	is.Equal(report.Failure.Code, fault.RunCancelled) // that says so
}

func refusedPrintStops(t *testing.T, b *box) {
	is := is.New(t)
	refusal := fault.New(fault.OutputTooLarge, "more than 8 bytes were printed")
	job := b.job("while True:\n    print('more')", "print more\nprint more\nloop")
	f := b.failure(t, job, &bridge{print: func(run.Stream, []byte) error { return refusal }})
	is.Equal(f.Code, fault.OutputTooLarge) // the fault
	is.Equal(f.Message, refusal.Error())   // in its words
	is.True(f.Stopped())                   // from outside
	b.healthy(t)
}

func crashIsAReport(t *testing.T, b *box) {
	is := is.New(t)
	for _, python := range []string{"import os\nos.abort()", "import os\nos._exit(0)"} {
		f := b.failure(t, b.job(python, "trap"), &bridge{})
		is.Equal(f.Code, fault.RunCrashed) // a trap
		is.True(f.Message != "")           // that says what happened
		b.healthy(t)
	}
}

func impossibleLimitsAreAnError(t *testing.T, b *box) {
	is := is.New(t)
	job := b.job("1", "value 1")
	job.Limits.Memory = 0
	_, err := b.Run(t.Context(), job, &bridge{})
	is.True(err != nil) // not a report
}

func closeEndsRuns(t *testing.T, b *box) {
	const n = 3
	is := is.New(t)
	var started, ended sync.WaitGroup
	started.Add(n)
	for range n {
		ended.Go(func() {
			once := sync.OnceFunc(started.Done)
			defer once() // a run that fails must not hang the test
			job := b.job("print('on')\nwhile True:\n    pass", "print on\nloop")
			report, err := b.Run(t.Context(), job, &bridge{print: func(run.Stream, []byte) error {
				once()
				return nil
			}})
			if err != nil || report.Failure == nil || report.Failure.Code != fault.RunCancelled {
				t.Errorf("a run that Close ended reports %v and %v", report.Failure, err)
			}
		})
	}
	started.Wait()
	is.NoErr(b.Close()) // ends them
	ended.Wait()
	_, err := b.Run(t.Context(), b.job("1", "value 1"), &bridge{})
	is.True(err != nil) // nothing runs any more
	is.NoErr(b.Close()) // again
}
