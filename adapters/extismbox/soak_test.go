package extismbox_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// footprint is what a process must not collect more and more of.
type footprint struct{ goroutines, descriptors, mappings, heap, resident int }

func measure() footprint {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f := footprint{goroutines: runtime.NumGoroutine(), heap: int(m.HeapAlloc)}
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		f.descriptors = len(entries)
	}
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil {
		f.mappings = strings.Count(string(maps), "\n")
	}
	if stat, err := os.ReadFile("/proc/self/statm"); err == nil {
		f.resident, _ = strconv.Atoi(strings.Fields(string(stat))[1])
		f.resident *= os.Getpagesize()
	}
	return f
}

// TestManyRunsLeaveNothing runs well, failing, stopped and trapping snippets
// together. SOAK_RUNS makes it longer than is good for every day.
func TestManyRunsLeaveNothing(t *testing.T) {
	is := is.New(t)
	runs := 600
	if n, err := strconv.Atoi(os.Getenv("SOAK_RUNS")); err == nil {
		runs = n
	}
	box := open(t, extismbox.Options{})
	h := &host{answer: func(ctx context.Context, call run.Call) (run.Answer, error) {
		if strings.HasSuffix(call.Name, "/slow") {
			<-ctx.Done()
			return run.Answer{}, ctx.Err()
		}
		return run.Answer{Value: call.Args}, nil
	}}
	batch := func(from, to int) {
		var all sync.WaitGroup
		for w := range 2 {
			all.Go(func() {
				for i := from + w; i < to; i += 2 {
					soakRun(t, box, h, i)
				}
			})
		}
		all.Wait()
	}
	batch(0, runs/3)
	before := measure()
	batch(runs/3, runs)
	after := measure()
	t.Logf("after %d runs: %+v, after %d: %+v", runs/3, before, runs, after)
	is.True(after.goroutines <= before.goroutines)     // no goroutine stays
	is.True(after.descriptors <= before.descriptors)   // nor descriptor
	is.True(after.mappings <= before.mappings+40)      // nor mapping, but for what Go itself does
	is.True(after.heap <= before.heap+2<<20)           // nor heap
	is.True(after.resident <= before.resident+100<<20) // nor memory
}

// soakRun is the ith run: of a hundred, ten are stopped, ten fail and one traps.
func soakRun(t *testing.T, box *extismbox.Sandbox, h *host, i int) {
	job := run.Job{Limits: limit.Defaults().Run}
	var want fault.Code
	switch k := i % 100; {
	case k < 5:
		job.Code, want = "while True: pass", fault.RunTimeout
	case k < 10:
		job.Code, want = "await call_tool('host:a/slow', {})", fault.RunTimeout
	case k < 20:
		job.Code = "raise ValueError('x')"
	case k == 20:
		job.Code, want = "import os\nos.abort()", fault.RunCrashed
	case k < 30:
		job.Code = "x = bytearray(40_000_000)\nx[::4096] = b'1' * len(x[::4096])"
	default:
		job.Code = "if 'mine' in globals(): raise SystemError('not fresh')\nmine = " + strconv.Itoa(i) + "\nawait call_tool('host:a/b', {'x': mine})"
	}
	if want == fault.RunTimeout {
		job.Limits.Time = 3 * time.Millisecond
	}
	report, err := box.Run(context.Background(), job, h)
	var got fault.Code
	if report.Failure != nil {
		got = report.Failure.Code
	}
	if err != nil || got != want || (report.Failure != nil && report.Failure.Type == "SystemError") {
		t.Errorf("run %d: %v %+v", i, err, report.Failure)
	}
}
