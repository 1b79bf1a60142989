package adversarial_test

import (
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
	"toolplane/test/footprint"
)

// TestNothingThatASnippetDoesHarmsTheNextRun makes every attempt of testdata,
// and then looks at what the host has kept of them.
func TestNothingThatASnippetDoesHarmsTheNextRun(t *testing.T) {
	is := is.New(t)
	r := newRuntime(t)
	warm := newWorkspace(t, r)
	for range 5 * runtime.GOMAXPROCS(0) { // whatever is kept for later runs is there then
		healthy(t, warm)
	}
	_, err := warm.Run(t.Context(), run.Request{Code: "await save_artifact(b'x')"})
	is.NoErr(err)
	before := footprint.Measure()
	all := readSnippets(t)
	count := 0
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		t.Run(kind, func(t *testing.T) {
			for _, s := range all[kind] {
				t.Run(s.name, func(t *testing.T) { s.attempt(t, newWorkspace(t, r)) })
				count++
			}
		})
	}
	after := footprint.Measure()
	t.Logf("%d attempts; before %v, after %v", count, before, after)
	is.NoErr(after.Within(before, footprint.Slack{Goroutines: 2, Mappings: 40, Objects: 20_000, Heap: 4 << 20, Resident: 64 << 20}))
}

// TestRunawaysEndWithinASecond is case c05 with its limit: what Python itself
// ends is over by then, and what it does not is stopped.
func TestRunawaysEndWithinASecond(t *testing.T) {
	w := newWorkspace(t, newRuntime(t))
	healthy(t, w)
	for _, c := range []struct{ name, code, raises string }{
		{"a loop", "while True: pass", ""},
		{"a failing call, swallowed", "while True:\n    try: await call_tool('mcp:up/nope', {})\n    except BaseException: pass", ""},
		{"recursion without loops", "def f(n): return f(n-1)+f(n-1) if n else 1\nf(60)", ""},
		{"a huge power", "9**9**9", ""},
		{"a pattern", `import re; re.match(r"(a+)+$", "a"*40+"b")`, ""},
		{"a string", `"x"*(2**31-2)`, "MemoryError"},
		{"a list", `[0]*(2**28)`, "MemoryError"},
		{"a longer string", `"x"*10**12`, "OverflowError"},
		{"endless recursion", "def g(): g()\ng()", "RecursionError"},
		{"a million nested maps", "x = iter([1])\nfor _ in range(10**6): x = map(int, x)\nnext(x)", "RecursionError"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			if c.raises == "" {
				out, took := within(t, w, c.code, time.Second)
				is.Equal(out.Failure.Type, "TimeoutError")
				is.Equal(out.Failure.Code, fault.RunTimeout)
				is.True(took < time.Second+lateness)
				return
			}
			code := "try:\n    " + strings.ReplaceAll(c.code, "\n", "\n    ") + "\nexcept " + c.raises + ":\n    return 'caught'"
			var out run.Outcome
			for range 3 { // others may take the processor away for a while
				limit := time.Duration(float64(time.Second) * max(1, slowness(t, w)))
				if out, _ = within(t, w, code, limit); out.OK() {
					break
				}
			}
			is.True(out.OK())                               // it is over in time
			is.Equal(string(out.Value.Bytes()), `"caught"`) // as an exception of Python
		})
	}
}

// within runs a snippet under a limit, which is followed by healthy runs.
func within(t *testing.T, w ports.Runner, code string, limit time.Duration) (run.Outcome, time.Duration) {
	t.Helper()
	begin := time.Now()
	out, err := w.Run(t.Context(), run.Request{Code: code, Timeout: limit})
	took := time.Since(begin)
	is.New(t).NoErr(err)
	t.Logf("limit %v, took %v, work %d", limit, took.Round(time.Millisecond), out.Work)
	healthy(t, w)
	return out, took
}

// slowness is how many times longer than on a quiet machine of the class that
// the limits are made for a computation takes here and now.
func slowness(t *testing.T, w ports.Runner) float64 {
	t.Helper()
	is := is.New(t)
	const quiet = 20.0 // milliseconds
	out, err := w.Run(t.Context(), run.Request{Code: `
import time
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
times = []
for _ in range(5):
    begin = time.perf_counter()
    fib(24)
    times.append(time.perf_counter() - begin)
return sorted(times)[2] * 1000`})
	is.NoErr(err)
	took, err := strconv.ParseFloat(string(out.Value.Bytes()), 64)
	is.NoErr(err)
	return took / quiet
}
