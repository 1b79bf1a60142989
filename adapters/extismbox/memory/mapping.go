package memory

import (
	"bytes"
	"errors"

	"github.com/tetratelabs/wazero/experimental"
)

// reservation is the address space that a mapping takes, whatever its limit:
// all that a 32-bit guest can address. Only what is used costs memory.
const reservation = 4 << 30

// largePage is the size of the large pages that most processors have.
const largePage = 2 << 20

// Mapping is one guest's memory. It belongs to one goroutine at a time.
type Mapping struct {
	image    *Image // nil for a memory that begins empty
	strategy Strategy
	all      []byte // the reservation
	usable   uint64 // bytes of it that may be touched
	size     uint64 // bytes that the guest has
	limit    uint64 // bytes that the guest may have
	started  bool   // an instance has taken the mapping since the last reset
	ranges   []span // reused by resets
}

// span is a part of a mapping, in bytes from its start.
type span struct{ from, to uint64 }

var _ experimental.LinearMemory = (*Mapping)(nil)

// Map makes a mapping of an image, to be reset by the given strategy. A nil
// image makes a memory that begins empty, and is empty again after a reset.
func Map(image *Image, s Strategy) (*Mapping, error) {
	all, err := reserve(reservation)
	if err != nil {
		return nil, err
	}
	m := &Mapping{image: image, strategy: s, all: all, limit: reservation}
	if image != nil {
		if err = s.attach(m); err != nil {
			return nil, errors.Join(err, release(all))
		}
		m.usable, m.size = image.Size(), image.Size()
	}
	return m, nil
}

// SetLimit bounds the bytes that the guest may have from now on.
func (m *Mapping) SetLimit(bytes uint64) { m.limit = min(bytes, reservation) }

// Reallocate gives the guest a memory of the given size in the same place, or
// nil if that is more than the limit. The first size asked for after Map or
// Reset is the least that the module declares; an image may be larger.
func (m *Mapping) Reallocate(size uint64) []byte {
	if !m.started && m.image != nil {
		size = max(size, m.image.Size())
	}
	if size > m.limit {
		return nil
	}
	if size > m.usable {
		usable := m.usableFor(size)
		if commit(m.all[m.usable:usable]) != nil {
			return nil
		}
		if m.image != nil {
			preferLargePages(m.all[m.usable:usable])
		}
		m.usable = usable
	}
	m.started, m.size = true, size
	return m.all[:size:size]
}

// usableFor returns how much to make usable for a guest that wants a size. One
// that grows will use much of what it gets, and systems give memory faster in
// large pages, which have to be usable as a whole.
func (m *Mapping) usableFor(size uint64) uint64 {
	if m.image == nil || size <= m.image.Size() {
		return size
	}
	return min((size+largePage-1)&^(largePage-1), reservation)
}

// Free does nothing: an instance may be gone while a host function still looks
// at its memory. The owner calls Release.
func (m *Mapping) Free() {}

// Size returns the bytes that the guest has.
func (m *Mapping) Size() uint64 { return m.size }

// Grown reports whether the guest has more memory than the image.
func (m *Mapping) Grown() bool { return m.image != nil && m.size != m.image.Size() }

// View returns n bytes of the guest's memory from address p on, and false if
// they are not all inside. The view is valid until the next Reset.
func (m *Mapping) View(p, n uint32) ([]byte, bool) {
	end := uint64(p) + uint64(n)
	if end > m.size {
		return nil, false
	}
	return m.all[p:end:end], true
}

// Bytes returns all of the guest's memory.
func (m *Mapping) Bytes() []byte { return m.all[:m.size:m.size] }

// Reset makes the memory equal to its image again, for the next instance or for
// the same one if it has not grown. It returns the number of pages that had
// been written, where the strategy knows it.
func (m *Mapping) Reset() (pages int, err error) {
	if m.image == nil {
		err = decommit(m.all[:m.usable])
		m.usable, m.size, m.started = 0, 0, false
		return 0, err
	}
	if m.usable > m.image.Size() {
		if err = decommit(m.all[m.image.Size():m.usable]); err != nil {
			return 0, err
		}
		m.usable = m.image.Size()
	}
	m.size, m.started = m.image.Size(), false
	return m.strategy.reset(m)
}

// Difference returns the address of the first page that is not as in the image,
// and false if there is none.
func (m *Mapping) Difference() (at uint64, differs bool) {
	for ; at < m.image.Size(); at += PageSize {
		if !bytes.Equal(m.all[at:at+PageSize], m.image.view[at:at+PageSize]) {
			return at, true
		}
	}
	return 0, m.size != m.image.Size()
}

// Release gives the memory back. The mapping and its views must not be used
// afterwards.
func (m *Mapping) Release() error {
	if m.all == nil {
		return nil
	}
	err := release(m.all)
	m.all, m.usable, m.size = nil, 0, 0
	return err
}
