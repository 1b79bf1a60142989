package extismbox

import (
	"bytes"
	"context"
	"encoding/binary"
	"log/slog"
	"testing"
	"time"

	"github.com/matryer/is"
	"github.com/tetratelabs/wazero"

	"toolplane/adapters/extismbox/memory"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// counted is what a run computes to show the price of the counters; test/bench
// has the same set, which this package may not import.
var counted = []struct{ name, code string }{
	{"fib", "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(24)"},
	{"nbody", nbody},
	{"sort", "a = [(i * 7919) % 200003 * 0.5 for i in range(200000)]\na.sort()\na[100]"},
	{"json", `import json
rows = [{"id": i, "name": f"user number {i}", "email": f"user{i}@example.com", "score": i * 1.5, "active": i % 3 == 0} for i in range(11000)]
len(json.loads(json.dumps(rows)))`},
	{"regex", `import re
text = "\n".join([f"user{i}@example{i}.com some text {i}" for i in range(22000)])
len(re.findall(r"[\w.]+@[\w.]+\.com", text))`},
	{"dict", "d = {}\nfor i in range(300000):\n    k = f'k{i % 1000}'\n    d[k] = d.get(k, 0) + i\nlen(d)"},
}

const nbody = `bodies = [[float(i), i * 1.5, i / 3, i * 0.001, i * -0.002, 0.001, 1.0 / (i + 1)] for i in range(1, 6)]
pairs = [(bodies[i], bodies[j]) for i in range(5) for j in range(i + 1, 5)]
for step in range(20000):
    for a, b in pairs:
        dx = a[0] - b[0]
        dy = a[1] - b[1]
        dz = a[2] - b[2]
        mag = 0.01 * (dx * dx + dy * dy + dz * dz + 0.1) ** -1.5
        am = a[6] * mag
        bm = b[6] * mag
        a[3] -= dx * bm
        a[4] -= dy * bm
        a[5] -= dz * bm
        b[3] += dx * am
        b[4] += dy * am
        b[5] += dz * am
    for b in bodies:
        b[0] += 0.01 * b[3]
        b[1] += 0.01 * b[4]
        b[2] += 0.01 * b[5]
bodies[0][0]`

// codeSection is the id of the section of a module that holds its code.
const codeSection = 10

// withoutCounters returns a derived module with the code of the original.
func withoutCounters(tb testing.TB, derived, original []byte) []byte {
	const header = 8
	out := append([]byte(nil), derived[:header]...)
	code := eachSection(tb, original[header:], func(id byte, section []byte) []byte {
		if id == codeSection {
			return section
		}
		return nil
	})
	return append(out, eachSection(tb, derived[header:], func(id byte, section []byte) []byte {
		if id == codeSection {
			return code
		}
		return section
	})...)
}

// eachSection returns what is made of each section, joined.
func eachSection(tb testing.TB, module []byte, make func(id byte, section []byte) []byte) []byte {
	var out bytes.Buffer
	for len(module) > 0 {
		size, n := binary.Uvarint(module[1:])
		end := 1 + n + int(size)
		if n <= 0 || end > len(module) {
			tb.Fatal("a section leaves the module")
		}
		out.Write(make(module[0], module[:end]))
		module = module[end:]
	}
	return out.Bytes()
}

// engineWith returns an engine whose derived module a function has changed.
func engineWith(tb testing.TB, change func(derived, original []byte) []byte) *Engine {
	tb.Helper()
	is := is.New(tb)
	b := &builder{ctx: context.Background(), guest: embeddedGuest(), options: Options{Progress: func(string) {}}}
	e := &Engine{logger: slog.New(slog.DiscardHandler), codes: newCodes()}
	tb.Cleanup(func() { is.NoErr(e.Close()) })
	var err error
	e.strategy, err = memory.OpenStrategy("")
	is.NoErr(err)
	derived, err := b.derivedModule()
	is.NoErr(err)
	original, err := b.guest.module()
	is.NoErr(err)
	is.NoErr(e.compile(context.Background(), change(derived, original), wazero.NewCompilationCache()))
	is.NoErr(b.openImage(e))
	e.pool = newPool(e, 0)
	return e
}

// BenchmarkCounters runs each snippet in turn in the guest as it is and in one
// without the counters that let a run be stopped. It reports by how many per cent
// the fastest run is slower with them.
func BenchmarkCounters(b *testing.B) {
	with := engineWith(b, func(derived, _ []byte) []byte { return derived })
	without := engineWith(b, func(derived, original []byte) []byte { return withoutCounters(b, derived, original) })
	timed := func(e *Engine, code string) time.Duration {
		job := run.Job{Code: code, Limits: limit.Defaults().Run}
		begun := time.Now()
		report, err := e.run(context.Background(), &job, rehearsal{})
		took := time.Since(begun)
		if err != nil || report.Failure != nil {
			b.Fatalf("%v %+v", err, report.Failure)
		}
		if (report.Work > 0) != (e == with) {
			b.Fatalf("%d ticks", report.Work)
		}
		return took
	}
	for _, c := range counted {
		b.Run(c.name, func(b *testing.B) {
			best := map[*Engine]time.Duration{with: time.Hour, without: time.Hour}
			for b.Loop() {
				for _, e := range []*Engine{without, with} {
					best[e] = min(best[e], timed(e, c.code))
				}
			}
			b.ReportMetric((float64(best[with])/float64(best[without])-1)*100, "%")
			b.ReportMetric(best[with].Seconds()*1e3, "with-ms")
			b.ReportMetric(best[without].Seconds()*1e3, "without-ms")
		})
	}
}
