package main

import (
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/test/bench"
)

func TestMetricsOfGoBenchmarksAreRead(t *testing.T) {
	is := is.New(t)
	found := parseBenchmarks("goos: linux\nBenchmarkBlob/in-2  \t 3\t 123 ns/op\t 0.49 GB/s\nBenchmarkCounters/fib-16 5 9 ns/op -1.5 %\nPASS\n")
	is.Equal(found, metrics{
		"Blob/in ns/op": 123, "Blob/in GB/s": 0.49, "Counters/fib ns/op": 9, "Counters/fib %": -1.5,
	})
}

func TestValuesOfMontySurviveTheWire(t *testing.T) {
	is := is.New(t)
	got, err := decodeValue(encodeValue(object{
		{"list", []any{int64(-3), 1.5, true, false, "é"}},
		{"empty", []any{}},
	}))
	is.NoErr(err)
	is.True(reflect.DeepEqual(got, map[string]any{"list": []any{-3.0, 1.5, true, false, "é"}, "empty": []any{}}))
}

func TestDamagedMessagesAreRefused(t *testing.T) {
	whole := encodeValue(object{{"n", int64(1)}, {"text", "long enough to be cut"}})
	for n := 1; n < len(whole); n++ {
		if _, err := decodeValue(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes were taken for a value", n, len(whole))
		}
	}
}

// some returns results in which a peer is faster and another has failed.
func some() *results {
	cells := func(d time.Duration) map[string]cell {
		all := map[string]cell{}
		for _, w := range workloads() {
			all[w.Name] = cell{summary: bench.Summary{P50: d, P99: 2 * d, N: 1}}
		}
		return all
	}
	r := &results{
		effort: quick, machine: machine{processor: "A & B"}, load: []string{"0.1"},
		kinds: []kind{{name: "toolplane", title: "toolplane"}, {name: "fast", title: "Fast <one>"}, {name: "slow", title: "Slow"}},
		peers: []measured{{cells: cells(100 * time.Microsecond)}, {cells: cells(50 * time.Microsecond)}, {cells: cells(5 * time.Second)}},
	}
	r.peers[2].cells[bench.RowsAsText.Name] = cell{failure: "no such language"}
	return r
}

func TestFasterPeersAndFailuresAreShown(t *testing.T) {
	is := is.New(t)
	text := some().markdown()
	is.True(strings.Contains(text, "| Fast <one> | **0.5** |"))                                 // in bold
	is.True(strings.Contains(text, "| Slow | 50000 |"))                                         // by how much
	is.True(strings.Contains(text, "- Slow, 1 MB of rows as text, filtered: no such language")) // with the reason
	is.True(strings.Contains(text, "not measured"))                                             // goals without a number are not met
	is.True(strings.Contains(text, "quick run") && !strings.Contains(text, "**missed**"))       // nobody quotes these
}

func TestChartIsWellFormed(t *testing.T) {
	is := is.New(t)
	d := xml.NewDecoder(strings.NewReader(some().chart()))
	texts := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		is.NoErr(err)
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
			texts++
		}
	}
	is.True(texts > 20) // text is text
}
