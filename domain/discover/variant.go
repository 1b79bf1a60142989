package discover

import (
	"slices"
	"strings"

	"toolplane/domain/spelling"
)

const (
	minPrefix   = 3   // bytes of a word that may be the beginning of others
	maxPrefixes = 128 // terms that a word may be the beginning of
	minTypo     = 4   // bytes of a word that may be misspelt
	minTwoTypos = 8   // bytes of one that may be misspelt twice
)

// variant is a term that a word of a query may stand for.
type variant struct {
	term   int
	weight float64
}

// variants returns the terms that a word stands for: itself, the words that
// begin with it, and where it is none itself, those that are spelt almost so.
func (x *Index) variants(word string) []variant {
	stem := stem(word)
	at, exact := slices.BinarySearchFunc(x.terms, stem, func(t term, s string) int { return strings.Compare(t.stem, s) })
	var found []variant
	if exact {
		found = append(found, variant{at, 1})
	}
	if len(stem) >= minPrefix {
		for i := at; i < len(x.terms) && len(found) < maxPrefixes && strings.HasPrefix(x.terms[i].stem, stem); i++ {
			if i == at && exact {
				continue
			}
			found = append(found, variant{i, asPrefix * float64(len(stem)) / float64(len(x.terms[i].stem))})
		}
	}
	if exact || len(stem) < minTypo {
		return found
	}
	most := 1
	if len(stem) >= minTwoTypos {
		most = 2
	}
	mine := letters(stem)
	for i, t := range x.terms {
		if abs(len(t.stem)-len(stem)) > most || differ(mine, t.letters) > 2*most || strings.HasPrefix(t.stem, stem) {
			continue
		}
		if d := spelling.Distance(stem, t.stem, most); d <= most {
			found = append(found, variant{i, asTypo / float64(d)})
		}
	}
	return found
}

// letters returns the set of the letters of a word, 26 bits, and one for all
// others.
func letters(word string) uint32 {
	var bits uint32
	for i := range len(word) {
		if c := word[i] - 'a'; c < 26 {
			bits |= 1 << c
		} else {
			bits |= 1 << 26
		}
	}
	return bits
}

// differ counts the letters that only one of two sets has.
func differ(a, b uint32) int {
	n := 0
	for x := a ^ b; x != 0; x &= x - 1 {
		n++
	}
	return n
}

func abs(n int) int { return max(n, -n) }
