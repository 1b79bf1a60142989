package canon

import (
	"strconv"
	"unicode/utf8"
)

const (
	maxSegments = 32 // of a path; the middle of a longer one is left out
	maxSegment  = 64 // bytes of a key shown in a path
)

// here is the path of the value being written, or of the object whose key is.
func (w *writer) here() string {
	if w.naming {
		return w.around()
	}
	return string(w.path(len(w.frames)))
}

// around is the path of the container of the value being written.
func (w *writer) around() string {
	return string(w.path(max(len(w.frames)-1, 0)))
}

// member is the path of a key of the innermost object.
func (w *writer) member(k key) string {
	return string(appendName(w.path(len(w.frames)-1), w.name(k)))
}

// path leads through the outer n open containers to where each is being written.
func (w *writer) path(n int) []byte {
	path := []byte("$")
	for i, f := range w.frames[:n] {
		if n > maxSegments && i >= maxSegments/2 && i < n-maxSegments/2 {
			if i == maxSegments/2 {
				path = append(path, "…"...)
			}
			continue
		}
		end := len(w.keys)
		if i+1 < len(w.frames) {
			end = w.frames[i+1].keys
		}
		switch {
		case !f.object:
			path = append(path, '[')
			path = strconv.AppendInt(path, int64(f.index), 10)
			path = append(path, ']')
		case end > f.keys:
			path = appendName(path, w.name(w.keys[end-1]))
		}
	}
	return path
}

// appendName appends a key, given in canonical form, as ".name" or `["odd key"]`.
func appendName(path, canonical []byte) []byte {
	name := canonical[1 : len(canonical)-1]
	shown := name[:cut(name)]
	plain := isName(name)
	if plain {
		path = append(path, '.')
	} else {
		path = append(path, `["`...)
	}
	path = append(path, shown...)
	if len(shown) < len(name) {
		path = append(path, "…"...)
	}
	if !plain {
		path = append(path, `"]`...)
	}
	return path
}

// cut returns how much of canonical text to show, without halving a character
// or an escape.
func cut(s []byte) int {
	if len(s) <= maxSegment {
		return len(s)
	}
	for i := 0; ; {
		n := escapeLen(s[i:])
		if n == 0 {
			_, n = utf8.DecodeRune(s[i:])
		}
		if i+n > maxSegment {
			return i
		}
		i += n
	}
}

func isName(s []byte) bool {
	for i, c := range s {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(s) > 0
}
