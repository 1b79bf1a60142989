package bench_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/app"
	"toolplane/cmd/compose"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/test/bench"
)

// cacheDir is where what takes two seconds to make is kept between benchmarks.
var cacheDir string

func TestMain(m *testing.M) { os.Exit(withCacheDir(m.Run)) }

func withCacheDir(run func() int) int {
	dir, err := os.MkdirTemp("", "toolplane-bench-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	cacheDir = filepath.Join(dir, "cache")
	return run()
}

// newWorkspace returns a workspace of a prepared runtime with the functions of
// bench.Source.
func newWorkspace(tb testing.TB, caps limit.Caps) *app.Workspace {
	tb.Helper()
	is := is.New(tb)
	source, err := bench.Source()
	is.NoErr(err)
	r, err := compose.NewRuntime(compose.Options{CacheDir: cacheDir, Caps: caps})
	is.NoErr(err)
	tb.Cleanup(func() { is.NoErr(r.Close()) })
	is.NoErr(r.Connect(tb.Context(), source))
	is.NoErr(r.Prepare(tb.Context()))
	w, err := r.NewWorkspace()
	is.NoErr(err)
	return w
}

// runIn carries out a snippet that must end well and returns its value's JSON.
func runIn(tb testing.TB, w *app.Workspace, code string) []byte {
	tb.Helper()
	out, err := w.Run(tb.Context(), run.Request{Code: code})
	if err != nil || !out.OK() {
		tb.Fatalf("%v %+v", err, out.Failure)
	}
	return out.Value.Bytes()
}

// everything is all workloads that have the shape of a snippet and its value.
func everything() []bench.Workload {
	return append([]bench.Workload{bench.Fresh, bench.Report, bench.OneCall, bench.HundredCalls, bench.RowsAsText, bench.RowsAsObjects}, bench.Compute...)
}

func TestWorkloadsGiveTheirValues(t *testing.T) {
	w := newWorkspace(t, limit.Caps{})
	for _, load := range everything() {
		t.Run(load.Name, func(t *testing.T) {
			is := is.New(t)
			var got, want any
			is.NoErr(json.Unmarshal(runIn(t, w, load.PythonFor(bench.Prefix)), &got))
			is.NoErr(json.Unmarshal([]byte(load.Value), &want))
			is.True(reflect.DeepEqual(got, want)) // the value that peers are held to as well
		})
	}
}

// each times what is repeated until the benchmark is over, one by one, and
// reports the middle and the last percentile.
func each(b *testing.B, once func()) bench.Summary {
	for range 3 {
		once()
	}
	var times []time.Duration
	for b.Loop() {
		begun := time.Now()
		once()
		times = append(times, time.Since(begun))
	}
	s := bench.Summarize(times)
	report(b, "p50", s.P50)
	report(b, "p99", s.P99)
	return s
}

func report(b *testing.B, name string, d time.Duration) {
	b.ReportMetric(float64(d)/float64(time.Microsecond), name+"-µs")
}

// BenchmarkRun runs each workload through the application, on ready slots.
func BenchmarkRun(b *testing.B) {
	for _, load := range everything() {
		b.Run(load.Name, func(b *testing.B) {
			w := newWorkspace(b, limit.Caps{})
			each(b, func() { runIn(b, w, load.NewPythonFor(bench.Prefix)) })
		})
	}
}

// BenchmarkSource runs a snippet of fifteen lines: as new text each time, and as
// the same text again, which has been compiled before.
func BenchmarkSource(b *testing.B) {
	w := newWorkspace(b, limit.Caps{})
	b.Run("new", func(b *testing.B) { each(b, func() { runIn(b, w, bench.Report.NewPythonFor("")) }) })
	b.Run("again", func(b *testing.B) { each(b, func() { runIn(b, w, bench.Report.Python) }) })
}

// BenchmarkCall reports what one of a hundred awaited calls costs, from runs with
// and without them.
func BenchmarkCall(b *testing.B) {
	w := newWorkspace(b, limit.Caps{})
	var bare, calls []time.Duration
	timed := func(code string) time.Duration {
		begun := time.Now()
		runIn(b, w, code)
		return time.Since(begun)
	}
	timed(bench.HundredCalls.PythonFor(bench.Prefix))
	for b.Loop() {
		bare = append(bare, timed(bench.Fresh.NewPythonFor(bench.Prefix)))
		calls = append(calls, timed(bench.HundredCalls.NewPythonFor(bench.Prefix)))
	}
	report(b, "call", (bench.Summarize(calls).P50-bench.Summarize(bare).P50)/100)
}

// silent is a bridge that answers nothing and prints nowhere.
type silent struct{}

func (silent) Call(context.Context, run.Call) (run.Answer, error) { return run.Answer{}, nil }

func (silent) Print(run.Stream, []byte) error { return nil }

// newSandbox returns a prepared sandbox without an application around it.
func newSandbox(tb testing.TB) *extismbox.Sandbox {
	tb.Helper()
	is := is.New(tb)
	box, err := extismbox.New(extismbox.Options{Dir: cacheDir})
	is.NoErr(err)
	tb.Cleanup(func() { is.NoErr(box.Close()) })
	is.NoErr(box.Prepare(tb.Context()))
	return box
}

func runBare(tb testing.TB, box *extismbox.Sandbox, code string, change ...func(*limit.Run)) run.Report {
	job := run.Job{Code: code, Limits: limit.Defaults().Run}
	for _, c := range change {
		c(&job.Limits)
	}
	report, err := box.Run(context.Background(), job, silent{})
	if err != nil {
		tb.Fatal(err)
	}
	return report
}

// BenchmarkSandbox runs `1+1` without the application.
func BenchmarkSandbox(b *testing.B) {
	box := newSandbox(b)
	each(b, func() {
		if f := runBare(b, box, bench.Fresh.NewPythonFor("")).Failure; f != nil {
			b.Fatal(f)
		}
	})
}

// BenchmarkRawCall reports what one call from Python into the host costs, without
// a capability behind it.
func BenchmarkRawCall(b *testing.B) {
	box := newSandbox(b)
	const times = 20_000
	timed := func(body string) time.Duration {
		begun := time.Now()
		if f := runBare(b, box, "import _toolplane\ncall = _toolplane.call\nfor i in range(20000):\n    "+body).Failure; f != nil {
			b.Fatal(f.Message)
		}
		return time.Since(begun)
	}
	const ask, rest = `call(1, "")`, "pass" // 1 asks for what the run has besides its source: nothing
	timed(ask)
	var loop, calls []time.Duration
	for b.Loop() {
		loop = append(loop, timed(rest))
		calls = append(calls, timed(ask))
	}
	report(b, "call", (bench.Summarize(calls).P50-bench.Summarize(loop).P50)/times)
}

// BenchmarkFreshRuns reports fresh runs a second, on as many processors as there
// are workers.
func BenchmarkFreshRuns(b *testing.B) {
	for _, c := range []struct {
		name    string
		workers int
	}{{"one", 1}, {"two", 2}} {
		b.Run(c.name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.workers))
			w := newWorkspace(b, limit.Caps{})
			runIn(b, w, bench.Fresh.Python)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					runIn(b, w, bench.Fresh.NewPythonFor(bench.Prefix))
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
		})
	}
}
