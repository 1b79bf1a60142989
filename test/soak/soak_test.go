// Package soak_test proves that a process that makes very many runs stays as it
// was. The variable TOOLPLANE_SOAK_RUNS makes it as long as one likes.
package soak_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/cmd/compose"
	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
	"toolplane/test/footprint"
)

// usualRuns is how many runs TestManyRunsStayFlat makes unless the variable
// TOOLPLANE_SOAK_RUNS says another number, such as 200000, which takes minutes.
const usualRuns = 2000

// parts is into how many parts the runs are divided, to see a trend.
const parts = 10

// TestManyRunsStayFlat makes runs of every kind side by side: of a hundred, ten
// are stopped, ten fail, one traps, and the others end well. What the process
// holds after the first tenth is what it holds after the last.
func TestManyRunsStayFlat(t *testing.T) {
	is := is.New(t)
	runs := usualRuns
	if text := os.Getenv("TOOLPLANE_SOAK_RUNS"); text != "" {
		n, err := strconv.Atoi(text)
		is.NoErr(err) // TOOLPLANE_SOAK_RUNS is a number
		runs = n
	}
	r, err := compose.NewRuntime(compose.Options{CacheDir: filepath.Join(t.TempDir(), "cache")})
	is.NoErr(err)
	t.Cleanup(func() { is.NoErr(r.Close()) })
	is.NoErr(r.Connect(t.Context(), upstream{}))
	w, err := r.NewWorkspace()
	is.NoErr(err)

	var first, last footprint.Footprint
	for part := range parts {
		begin := time.Now()
		batch(t, w, part*runs/parts, (part+1)*runs/parts)
		last = footprint.Measure()
		if part == 0 {
			first = last
		}
		t.Logf("%7d runs: %v, %v a run", (part+1)*runs/parts, last, (time.Since(begin) / time.Duration(max(runs/parts, 1))).Round(time.Microsecond))
		if t.Failed() {
			return
		}
	}
	is.NoErr(last.Within(first, footprint.Slack{Goroutines: 2, Mappings: 40, Objects: 20_000, Heap: 4 << 20, Resident: 100 << 20}))
}

// batch makes the runs with numbers from first to the one before end.
func batch(t *testing.T, w ports.Runner, first, end int) {
	var workers sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	for worker := range n {
		workers.Go(func() {
			for i := first + worker; i < end; i += n {
				one(t, w, i)
			}
		})
	}
	workers.Wait()
}

// one makes the run with number i.
func one(t *testing.T, w ports.Runner, i int) {
	req := run.Request{Timeout: 30 * time.Second}
	var code fault.Code
	var kind string
	switch k := i % 100; {
	case k == 0:
		req.Code, kind, code = "import os\nos.abort()", "RuntimeError", fault.RunCrashed
	case k <= 5:
		req.Code, kind, code = "while True:\n    pass", "TimeoutError", fault.RunTimeout
	case k <= 8:
		req.Code, kind, code = "await up_slow()", "TimeoutError", fault.RunTimeout
	case k <= 10:
		req.Code, kind, code = "import time\nwhile True:\n    try:\n        time.sleep(9)\n    except BaseException:\n        pass", "TimeoutError", fault.RunTimeout
	case k <= 15:
		req.Code, kind = "def f(x):\n    return 1 / x\nf(0)", "ZeroDivisionError"
	case k <= 20:
		req.Code, kind, code = "await call_tool('mcp:up/nope')", "LookupError", fault.CapabilityUnknown
	case k <= 25:
		req.Code = "x = bytearray(40_000_000)\nx[::4096] = b'1' * len(x[::4096])"
	case k <= 35:
		req.Code = "r = await asyncio.gather(*[up_echo(i=i) for i in range(10)])\nprint(len(r))"
	case k <= 40:
		req.Code = "h = await save_artifact(b'x' * 100) if attempt < 30 else None\nreturn {'a': [1.5, {2}]}"
		req.Inputs, _ = canon.Parse([]byte(`{"attempt":` + strconv.Itoa(i) + `}`))
	default:
		req.Code = "if 'mine' in globals():\n    raise SystemError('not fresh')\nmine = " + strconv.Itoa(i) + "\nreturn mine + 1"
	}
	if code == fault.RunTimeout {
		req.Timeout = 5 * time.Millisecond
	}
	out, err := w.Run(context.Background(), req)
	if err != nil {
		t.Errorf("run %d: %v", i, err)
		return
	}
	got := run.Failure{}
	if out.Failure != nil {
		got = *out.Failure
	}
	if got.Type != kind || got.Code != code {
		t.Errorf("run %d failed with %q (%s), not with %q (%s): %s", i, got.Type, got.Code, kind, code, got.Message)
	}
}

// upstream is the tools that the runs call.
type upstream struct{}

var _ ports.Source = upstream{}

func (upstream) Capabilities(context.Context) ([]capability.Descriptor, error) {
	var all []capability.Descriptor
	for _, name := range []string{"echo", "slow"} {
		id, err := capability.NewID(capability.MCP, "up", name)
		if err != nil {
			return nil, err
		}
		all = append(all, capability.Descriptor{ID: id})
	}
	return all, nil
}

func (upstream) Call(ctx context.Context, id capability.ID, args canon.Value) (run.Answer, error) {
	if id.Name() == "slow" {
		<-ctx.Done()
		return run.Answer{}, ctx.Err()
	}
	return run.Answer{Value: args}, nil
}
