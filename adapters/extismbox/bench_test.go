package extismbox

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox/memory"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// BenchmarkSlot runs snippets in one slot and reports what the parts of a fresh
// run cost: the run, and off the path of runs the reset and the priming. How
// runs fare through the whole program is the business of test/bench.
func BenchmarkSlot(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "state")
	for _, reset := range memory.Names() {
		is := is.New(b)
		e, err := openEngine(b.Context(), embeddedGuest(), withDefaults(Options{Dir: dir, Reset: reset}))
		is.NoErr(err)
		slot, err := e.primedSlot()
		is.NoErr(err)
		for _, c := range []struct{ name, code string }{
			{"sum", "return 1 + 1"},
			{"call", "return await call_tool('host:a/b', {})"},
			{"later", "return await call_tool('host:a/b', {'x': 1})"},
		} {
			b.Run(reset+"/"+c.name, func(b *testing.B) { benchmarkSlot(b, slot, c.code) })
		}
		is.NoErr(slot.discard())
		is.NoErr(e.Close())
	}
}

func benchmarkSlot(b *testing.B, s *Slot, code string) {
	job := run.Job{Code: code, Limits: limit.Defaults().Run}
	times := map[string][]time.Duration{}
	timed := func(what string, f func() error) {
		begin := time.Now()
		err := f()
		times[what] = append(times[what], time.Since(begin))
		if err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		timed("run", func() error {
			report, err := s.run(context.Background(), &job, nil, rehearsal{})
			if report.Failure != nil {
				b.Fatalf("%+v", report.Failure)
			}
			return err
		})
		timed("reset", func() error {
			_, err := s.main.Reset()
			return err
		})
		timed("prime", s.prime)
	}
	for what, t := range times {
		slices.Sort(t)
		for _, p := range []int{50, 99} {
			b.ReportMetric(float64(t[len(t)*p/100].Nanoseconds())/1e3, fmt.Sprintf("%s-p%d-µs", what, p))
		}
	}
}
