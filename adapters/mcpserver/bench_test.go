package mcpserver_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/domain/run"
)

// BenchmarkExecute compares a call of execute_code over stdio with the run that
// it makes, which here does nothing: the difference is what the protocol costs.
func BenchmarkExecute(b *testing.B) {
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{
		"small": fakehost.Value("2"),
		"large": fakehost.Ends(run.Outcome{Value: fakehost.MustParse(`"` + strings.Repeat("x", 32<<10-2) + `"`)}),
	}}
	b.Run("in process", func(b *testing.B) {
		median(b, func() {
			if o, err := host.Run(b.Context(), run.Request{Code: "small"}); err != nil || !o.OK() {
				b.Fatal(err)
			}
		})
	})
	for _, name := range []string{"small", "large"} {
		b.Run("stdio/"+name, func(b *testing.B) {
			c := connect(b, host, all)
			median(b, func() {
				id := c.ID()
				c.Send(executeLine(id, name))
				c.Await(id)
			})
		})
	}
}

// median reports the middle of the times that op took, in nanoseconds.
func median(b *testing.B, op func()) {
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		op()
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2]), "p50-ns")
}
