package canon

import (
	"bytes"
	"cmp"
	"slices"

	"toolplane/domain/fault"
)

// fewKeys is how many keys of an object are compared one by one; an object with
// more is checked as a whole when it ends.
const fewKeys = 16

// key is one key of an open object: from where to where its canonical form lies
// in the output. Escapes are minimal, so equal keys have equal bytes.
type key struct{ hash, start, end uint32 }

// name returns the canonical form of a key, wherever it is kept yet.
func (w *writer) name(k key) []byte { return w.output(int(k.start), int(k.end)) }

func (w *writer) same(a, b key) bool { return bytes.Equal(w.name(a), w.name(b)) }

// keyDone takes the key that lies at start to end into the innermost object.
func (w *writer) keyDone(start, end int) error {
	top := &w.frames[len(w.frames)-1]
	k := key{hash: hash(w.output(start, end)), start: uint32(start), end: uint32(end)}
	w.keys = append(w.keys, k)
	w.naming = false
	w.textDone()
	if before := w.keys[top.keys : len(w.keys)-1]; len(before) < fewKeys {
		for _, other := range before {
			if other.hash != k.hash || !w.same(k, other) {
				continue
			}
			if !w.opts.Lenient {
				return w.duplicate(k)
			}
			top.repeated = true
		}
	}
	return nil
}

func (w *writer) duplicate(k key) error {
	return fault.At(fault.JSONDuplicate, w.member(k), "the key is named more than once; keep one")
}

// hash mixes some bytes of a key, quotes included, and its length. It needs to be
// quick, not perfect: checkKeys copes with keys that collide, by chance or malice.
func hash(s []byte) uint32 {
	const prime, other = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f
	n := len(s)
	h := uint64(n)
	switch {
	case n >= 8:
		h ^= load8(s)*other ^ load8(s[n/2-4:])
		h = h*prime ^ load8(s[n-8:])
	case n >= 4:
		h ^= load4(s)<<32 | load4(s[n-4:])
	default:
		h ^= uint64(s[n-2]) << 8
	}
	h *= prime
	return uint32(h >> 32)
}

func load4(s []byte) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

// checkKeys looks for repeated keys in an object that ends at end.
func (w *writer) checkKeys(f *frame, end int) error {
	keys := w.keys[f.keys:]
	w.first = slices.Grow(w.first[:0], len(keys))[:len(keys)]
	if !w.findByHash(keys) {
		w.findBySorting(keys)
	}
	repeated := false
	for i, k := range keys {
		if int(w.first[i]) == i {
			continue
		}
		if !w.opts.Lenient {
			return w.duplicate(k)
		}
		repeated = true
		w.note(fault.JSONDuplicate, func() string { return w.member(k) })
	}
	if repeated {
		w.merge(span{f.start, end}, keys)
	}
	return nil
}

// findByHash sets writer.first for keys by means of a hash table. It gives up,
// with false, when keys collide far more than chance allows.
func (w *writer) findByHash(keys []key) bool {
	size := 64
	for size < 2*len(keys) {
		size *= 2
	}
	w.table = slices.Grow(w.table[:0], size)[:size] // of indices into keys, plus 1
	clear(w.table)
	patience := 8*len(keys) + 64
	for i, k := range keys {
		w.first[i] = uint32(i)
		slot := int(k.hash) & (size - 1)
		for ; w.table[slot] != 0; slot = (slot + 1) & (size - 1) {
			if other := w.table[slot] - 1; keys[other].hash == k.hash && w.same(k, keys[other]) {
				w.first[i] = other
				break
			}
			if patience--; patience < 0 {
				return false
			}
		}
		if w.table[slot] == 0 {
			w.table[slot] = uint32(i) + 1
		}
	}
	return true
}

// findBySorting does the same in n·log(n) steps whatever the keys are.
func (w *writer) findBySorting(keys []key) {
	order := slices.Grow(w.table[:0], len(keys))[:len(keys)]
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		return cmp.Or(bytes.Compare(w.name(keys[a]), w.name(keys[b])), cmp.Compare(a, b))
	})
	for n, i := range order {
		w.first[i] = i
		if n > 0 && bytes.Equal(w.name(keys[i]), w.name(keys[order[n-1]])) {
			w.first[i] = w.first[order[n-1]]
		}
	}
}
