package contract

import (
	"sync"
	"testing"

	"github.com/matryer/is"

	"toolplane/ports"
)

// Entropy checks an implementation of ports.Entropy. Fakes that repeat
// themselves fail it, as they should: use them only where nothing is guessed.
func Entropy(t *testing.T, maker func(t *testing.T) ports.Entropy) {
	t.Helper()
	check(t, maker, []clause[ports.Entropy]{
		{"fills_every_byte", "Fill sets every byte of p, whatever its length.", entropyFillsEveryByte},
		{"never_repeats", "No two fills give the same bytes.", entropyNeverRepeats},
		{"nothing_to_fill", "Fill of an empty slice is not an error.", entropyNothing},
		{"concurrent_use", "Fill may be called concurrently and gives each caller bytes of its own.", entropyConcurrent},
	})
}

func entropyFillsEveryByte(t *testing.T, e ports.Entropy) {
	is := is.New(t)
	for _, size := range []int{1, 7, 18, 32, 4096} {
		// A byte that is zero after 32 fills was not filled: the odds against
		// that are 256 to the power of 32.
		filled := make([]bool, size)
		for range 32 {
			p := make([]byte, size)
			is.NoErr(e.Fill(p)) // no error
			for i, b := range p {
				filled[i] = filled[i] || b != 0
			}
		}
		for i := range filled {
			is.True(filled[i]) // this byte was set
		}
	}
}

func entropyNeverRepeats(t *testing.T, e ports.Entropy) {
	is := is.New(t)
	seen := make(map[[16]byte]bool)
	for range 1000 {
		var p [16]byte
		is.NoErr(e.Fill(p[:])) // no error
		is.True(!seen[p])      // never seen before
		seen[p] = true
	}
}

func entropyNothing(t *testing.T, e ports.Entropy) {
	is.New(t).NoErr(e.Fill(nil)) // nothing to do
}

func entropyConcurrent(t *testing.T, e ports.Entropy) {
	is := is.New(t)
	var all sync.WaitGroup
	got := make([][16]byte, 8)
	errs := make([]error, len(got))
	for i := range got {
		all.Go(func() { errs[i] = e.Fill(got[i][:]) })
	}
	all.Wait()
	seen := make(map[[16]byte]bool)
	for i, p := range got {
		is.NoErr(errs[i]) // no error
		is.True(!seen[p]) // bytes of its own
		seen[p] = true
	}
}
