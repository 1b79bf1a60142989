package memory

import (
	"fmt"
	"slices"
	"strings"
)

// Names of strategies.
const (
	Scan    = "scan"    // ask the kernel for the written pages by one call, and copy them back
	Pagemap = "pagemap" // find the written pages in the kernel's page table listing, and copy them back
	Remap   = "remap"   // map the image anew
	Copy    = "copy"    // copy the whole image; works everywhere
)

// Strategy brings mappings back to their image. It may be shared by mappings
// in several goroutines; Close it once none is left.
type Strategy interface {
	// Name returns the strategy's name.
	Name() string
	// Close frees what the strategy holds.
	Close() error

	// attach fills a new mapping's first bytes with its image.
	attach(m *Mapping) error
	// reset makes those bytes equal to the image again.
	reset(m *Mapping) (pages int, err error)
}

// Names returns the strategies of this system, fastest first. One may still
// refuse to open on an older kernel.
func Names() []string { return append(slices.Clone(systemStrategies), Copy) }

// OpenStrategy opens the strategy of the given name, or for "" the fastest that
// works here.
func OpenStrategy(name string) (Strategy, error) {
	switch {
	case name == "":
		for _, n := range systemStrategies {
			if s, err := openSystemStrategy(n); err == nil {
				return s, nil
			}
		}
		return copying{}, nil
	case name == Copy:
		return copying{}, nil
	case slices.Contains(systemStrategies, name):
		return openSystemStrategy(name)
	default:
		return nil, fmt.Errorf("%q is no way to reset memories here; there are %s", name, strings.Join(Names(), ", "))
	}
}

// copying is the strategy Copy.
type copying struct{}

func (copying) Name() string { return Copy }
func (copying) Close() error { return nil }

func (copying) attach(m *Mapping) error {
	part := m.all[:m.image.Size()]
	if err := commit(part); err != nil {
		return err
	}
	copyUsed(part, m.image.view)
	return nil
}

// reset copies the pages that differ: comparing costs less than writing, and
// leaves pages of zeros that nobody wrote to without memory behind them.
func (copying) reset(m *Mapping) (pages int, err error) {
	for at := uint64(0); at < m.image.Size(); at += PageSize {
		page, want := m.all[at:at+PageSize], m.image.view[at:at+PageSize]
		if string(page) != string(want) {
			copy(page, want)
			pages++
		}
	}
	return pages, nil
}

// copyUsed copies src over zeros, pages of zeros left out.
func copyUsed(dst, src []byte) {
	for at := 0; at < len(src); at += PageSize {
		if page := src[at : at+PageSize]; !isZero(page) {
			copy(dst[at:], page)
		}
	}
}
