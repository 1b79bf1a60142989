// Package bench holds what toolplane and the programs that one would take
// instead are measured by: snippets with the values that they must give, the
// functions of the host that they call, and how times are summed up.
//
// The Go benchmarks of this package measure toolplane alone. The command in
// compare measures all of them in turn, in one run, and writes
// docs/benchmarks.md.
package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Workload is a snippet and what it must give. A snippet ends in an expression,
// its value, and marks calls of the host by "CALL ".
type Workload struct {
	Name   string
	Title  string
	Python string
	Script string // the same in JavaScript; "" where it has no counterpart
	Value  string // JSON
}

// call marks where a snippet calls the host.
const call = "CALL "

// PythonFor returns the snippet with another word in front of the host's
// functions, such as "await bench.".
func (w Workload) PythonFor(prefix string) string { return strings.ReplaceAll(w.Python, call, prefix) }

var texts atomic.Uint64

// NewPythonFor is PythonFor as a text that has never run: toolplane compiles one
// that has run before no more.
func (w Workload) NewPythonFor(prefix string) string {
	return fmt.Sprintf("%s\n# %d", w.PythonFor(prefix), texts.Add(1))
}

// ScriptFor is PythonFor for JavaScript.
func (w Workload) ScriptFor(prefix string) string { return strings.ReplaceAll(w.Script, call, prefix) }

// Workloads that measure the sandbox rather than the language.
var (
	Fresh = Workload{
		Name: "fresh", Title: "fresh `1+1`", Python: "1+1", Script: "1+1", Value: "2",
	}
	Report = Workload{
		Name: "report", Title: "fifteen lines", Value: `{"total":1060,"best":9,"mean":28.5,"groups":{"0":[0,6],"1":[4],"2":[2,8]},"names":["row 0","row 1","row 2"]}`,
		Python: `rows = [{"id": i, "name": f"row {i}", "n": i * i} for i in range(10)]
total = 1000
groups = {}
for row in rows:
    if row["n"] % 2 == 0 and row["name"].startswith("row"):
        total += row["n"] // 2
        groups.setdefault(row["id"] % 3, []).append(row["id"])
def mean(xs):
    xs = list(xs)
    return sum(xs) / len(xs) if xs else 0
best = max(rows, key=lambda r: r["n"])
names = sorted({r["name"] for r in rows})
result = {"total": total, "best": best["id"], "mean": mean(r["n"] for r in rows),
          "groups": groups, "names": names[:3]}
result`,
	}
	OneCall = Workload{
		Name: "call", Title: "the same and one host call", Value: "1",
		Python: "(CALL ping())[\"n\"]",
		Script: "(CALL ping()).n",
	}
	HundredCalls = Workload{
		Name: "calls", Title: "100 host calls, each", Value: "100",
		Python: "n = 0\nfor i in range(100):\n    n += (CALL ping())[\"n\"]\nn",
		Script: "let n = 0; for (let i = 0; i < 100; i++) n += (CALL ping()).n; n",
	}
	RowsAsText = Workload{
		Name: "text", Title: "1 MB of rows as text, filtered", Value: filtered,
		Python: "import json\nrows = json.loads(CALL text())\n[row for row in rows if row[\"id\"] % 1100 == 0]",
		Script: "JSON.parse(CALL text()).filter(row => row.id % 1100 === 0)",
	}
	RowsAsObjects = Workload{
		Name: "rows", Title: "1 MB of rows as objects, filtered", Value: filtered,
		Python: "rows = CALL rows()\n[row for row in rows if row[\"id\"] % 1100 == 0]",
		Script: "(CALL rows()).filter(row => row.id % 1100 === 0)",
	}
)

// Summary says how long a thing took, from many times of it.
type Summary struct {
	P50, P99 time.Duration
	N        int
}

// Summarize sorts times and sums them up. It needs at least one.
func Summarize(times []time.Duration) Summary {
	slices.Sort(times)
	at := func(q float64) time.Duration { return times[int(math.Ceil(q*float64(len(times))))-1] }
	return Summary{P50: at(0.5), P99: at(0.99), N: len(times)}
}

// Better returns the summary of the quieter of two passes: a shared machine
// makes things slower, never faster.
func (s Summary) Better(other Summary) Summary {
	if s.N == 0 || other.N > 0 && other.P50 < s.P50 {
		return other
	}
	return s
}
