package canon

import (
	"cmp"
	"slices"
)

// merge is an object that names keys twice: where it lies in the bytes written,
// and the members that it keeps. Objects are merged when all is written, from
// the outside in, so that no byte is moved more than once.
type merge struct {
	span
	members []member
}

type span struct{ start, end int }

// member is a key at the place where it was named first, with the value it was
// given last.
type member struct{ key, value span }

// merge records what an object keeps; writer.first knows which of its keys are
// repeated.
func (w *writer) merge(object span, keys []key) {
	m := merge{span: object}
	place := make(map[uint32]int)
	for i, k := range keys {
		value := span{int(k.end) + 1, object.end - 1} // after the colon, before the comma or brace
		if i+1 < len(keys) {
			value.end = int(keys[i+1].start) - 1
		}
		if n, ok := place[w.first[i]]; ok {
			m.members[n].value = value
			continue
		}
		place[uint32(i)] = len(m.members)
		m.members = append(m.members, member{span{int(k.start), int(k.end)}, value})
	}
	w.merges = append(w.merges, m)
}

// merged returns what was written with all merges made.
func (w *writer) merged() []byte {
	slices.SortFunc(w.merges, func(a, b merge) int { return cmp.Compare(a.start, b.start) })
	return w.appendMerged(make([]byte, 0, len(w.out)), span{0, len(w.out)})
}

// appendMerged appends a part of what was written that begins and ends with
// whole values.
func (w *writer) appendMerged(dst []byte, part span) []byte {
	at := part.start
	for {
		n, _ := slices.BinarySearchFunc(w.merges, at, func(m merge, at int) int { return cmp.Compare(m.start, at) })
		if n == len(w.merges) || w.merges[n].start >= part.end {
			return append(dst, w.out[at:part.end]...)
		}
		m := w.merges[n]
		dst = append(dst, w.out[at:m.start]...)
		dst = append(dst, '{')
		for i, member := range m.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, w.out[member.key.start:member.key.end]...)
			dst = append(dst, ':')
			dst = w.appendMerged(dst, member.value)
		}
		dst = append(dst, '}')
		at = m.end
	}
}
