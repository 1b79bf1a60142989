package bench_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/hostfuncs"
	"toolplane/app"
	"toolplane/cmd/compose"
	"toolplane/domain/canon"
	"toolplane/domain/discover"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/test/bench"
)

// BenchmarkGather awaits five calls of 10 ms at once.
func BenchmarkGather(b *testing.B) {
	w := newWorkspace(b, limit.Caps{})
	code := "import asyncio\nlen(await asyncio.gather(*[bench.pause() for i in range(5)]))"
	each(b, func() { runIn(b, w, code) })
}

// BenchmarkBlob brings 64 MiB of bytes from the host into a snippet, from a
// snippet to the host, and from a snippet into an artifact on disk.
func BenchmarkBlob(b *testing.B) {
	caps := limit.Defaults()
	caps.Run.Memory = 512 * limit.MiB
	caps.Run.Answer = bench.BlobSize + limit.KiB
	caps.Artifacts.Entry = bench.BlobSize + limit.KiB
	caps.Artifacts.Total = 64 * limit.GiB
	caps.Artifacts.Entries = 1_000_000
	caps.Artifacts.TTL = time.Second // so that few of them are kept at once
	save := fmt.Sprintf("await save_artifact(bytes(%d))", bench.BlobSize)
	measure := func(name string, once func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportMetric(bench.BlobSize/each(b, once).P50.Seconds()/1e9, "GB/s")
		})
	}
	w, box := newWorkspace(b, caps), newSandbox(b)
	measure("in", func() { runIn(b, w, "len(await bench.blob())") })
	measure("out", func() {
		if f := runBare(b, box, save, func(l *limit.Run) { *l = caps.Run }).Failure; f != nil {
			b.Fatal(f.Message)
		}
	})
	measure("artifact", func() { runIn(b, w, save) })
}

// BenchmarkResult keeps and reads a result of 8 MiB, as the host does for
// a snippet.
func BenchmarkResult(b *testing.B) {
	is := is.New(b)
	text := []byte("[" + strings.TrimSuffix(strings.Repeat(strings.Trim(bench.Rows(), "[]")+",", 8), ",") + "]")
	caps := limit.Defaults()
	caps.Results.Entry = 9 * limit.MiB
	caps.Results.Entries = 1_000_000
	caps.Results.Total = limit.GiB << 10
	lasting := newWorkspace(b, caps)
	caps.Results.TTL = time.Second // so that not all that is saved is in memory at once
	passing := newWorkspace(b, caps)
	save := func(w *app.Workspace) run.Pointer {
		value, err := canon.Parse(text)
		is.NoErr(err)
		kept, err := w.Keep(b.Context(), run.JSON(value), "")
		is.NoErr(err)
		return kept
	}
	b.Run("load", func(b *testing.B) {
		kept := save(lasting)
		each(b, func() {
			read, err := lasting.Read(b.Context(), handle.Result, kept.Handle.Reveal())
			if err != nil || read.Payload.Len() != kept.Bytes {
				b.Fatal(err)
			}
		})
		b.ReportMetric(float64(kept.Bytes)/bench.MiB, "MiB")
	})
	b.Run("save", func(b *testing.B) {
		each(b, func() { save(passing) })
	})
}

func nothing(context.Context, canon.Value) (run.Answer, error) { return run.Answer{}, nil }

// BenchmarkDiscovery searches among 5,000 capabilities, and makes the index for
// that.
func BenchmarkDiscovery(b *testing.B) {
	is := is.New(b)
	source, err := hostfuncs.New("many")
	is.NoErr(err)
	input, err := canon.Parse([]byte(`{"type":"object","properties":{"name":{"type":"string"},"limit":{"type":"integer"}},"required":["name"]}`))
	is.NoErr(err)
	things := []string{"issue", "invoice", "customer", "branch", "message", "calendar", "document", "ticket", "payment", "contact"}
	for i := range 5000 {
		thing := things[i%len(things)]
		is.NoErr(source.AddRaw(hostfuncs.Raw{
			Name: fmt.Sprintf("find_%s_%d", thing, i), Input: input, Call: nothing,
			Description: fmt.Sprintf("Finds each %s of team %d by its name and returns the newest first.", thing, i),
		}))
	}
	r, err := compose.NewRuntime(compose.Options{CacheDir: cacheDir})
	is.NoErr(err)
	b.Cleanup(func() { is.NoErr(r.Close()) })
	is.NoErr(r.Connect(b.Context(), source))
	w, err := r.NewWorkspace()
	is.NoErr(err)
	search := func(text string) {
		page, err := w.Search(b.Context(), discover.Query{Text: text})
		if err != nil || len(page.Hits) == 0 {
			b.Fatal(err)
		}
	}
	b.Run("index", func(b *testing.B) {
		each(b, func() {
			is.NoErr(r.Refresh(b.Context()))
			search("newest invoice of team 4711")
		})
	})
	b.Run("search", func(b *testing.B) {
		each(b, func() { search("newest invoice of team 4711") })
	})
}

// BenchmarkStop reports how long after its deadline a run that ignores it ends.
func BenchmarkStop(b *testing.B) {
	box := newSandbox(b)
	const deadline = 20 * time.Millisecond
	for _, c := range []struct{ name, code string }{
		{"loop", "while True: pass"},
		{"swallowing", "while True:\n    try:\n        while True: pass\n    except BaseException: pass"},
		{"sleep", "import time\ntime.sleep(10)"},
		{"power", "10 ** 10 ** 8"},
	} {
		b.Run(c.name, func(b *testing.B) {
			var late []time.Duration
			for b.Loop() {
				begun := time.Now()
				report := runBare(b, box, c.code, func(l *limit.Run) { l.Time = deadline })
				late = append(late, time.Since(begun)-deadline)
				if report.Failure == nil || !report.Failure.Stopped() {
					b.Fatalf("%+v", report.Failure)
				}
			}
			s := bench.Summarize(late)
			report(b, "late-p50", s.P50)
			report(b, "late-p99", s.P99)
		})
	}
}

// BenchmarkBesideSpinners runs `1+1` and forces a collection of garbage while
// four other guests spin.
func BenchmarkBesideSpinners(b *testing.B) {
	box := newSandbox(b)
	var spinners sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		spinners.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					runBare(b, box, "while True: pass", func(l *limit.Run) { l.Time = 2 * time.Second })
				}
			}
		})
	}
	defer spinners.Wait()
	defer close(stop)
	var collections []time.Duration
	each(b, func() { runBare(b, box, "1+1") })
	for range 3 {
		begun := time.Now()
		runtime.GC()
		collections = append(collections, time.Since(begun))
	}
	report(b, "gc", bench.Summarize(collections).P50)
}
