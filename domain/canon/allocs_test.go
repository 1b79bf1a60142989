//go:build !race

// The race detector empties pools at random, so allocations are counted without
// it.

package canon_test

import (
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
)

func TestParseAllocatesOnceWhateverTheValueHolds(t *testing.T) {
	for name, data := range documents() {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			allocs := testing.AllocsPerRun(3, func() { _, _ = canon.Parse(data) })
			is.True(allocs < 10) // the output, and scratch memory now and then
		})
	}
}
