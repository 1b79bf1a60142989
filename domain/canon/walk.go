package canon

import (
	"bytes"
	"iter"
	"strings"
)

// Everything here relies on canonical bytes and checks nothing again.

// Member returns the value of an object's member. It is a part of v's bytes and
// keeps them alive. ok is false if there is no such member or v is no object.
func (v Value) Member(name string) (member Value, ok bool) {
	if v.Kind() != KindObject {
		return Value{}, false
	}
	var w writer
	if err := writeText(&w, name); err != nil {
		return Value{}, false // a name that no object can have
	}
	for key, value := range v.members() {
		if bytes.Equal(key, w.out) {
			return value, true
		}
	}
	return Value{}, false
}

// Members iterates over an object's members in their order, each value a part of
// v's bytes. For any other kind there are none.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for key, value := range v.members() {
			if !yield(decode(key), value) {
				return
			}
		}
	}
}

// members is Members with the keys in canonical form.
func (v Value) members() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if v.Kind() != KindObject {
			return
		}
		for i := 1; v.bytes[i] != '}'; {
			colon := skip(v.bytes, i)
			end := skip(v.bytes, colon+1)
			if !yield(v.bytes[i:colon], v.part(colon+1, end)) {
				return
			}
			if i = end; v.bytes[i] == ',' {
				i++
			}
		}
	}
}

// Elements iterates over an array's elements, each a part of v's bytes. For any
// other kind there are none.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != KindArray {
			return
		}
		for i := 1; v.bytes[i] != ']'; {
			end := skip(v.bytes, i)
			if !yield(v.part(i, end)) {
				return
			}
			if i = end; v.bytes[i] == ',' {
				i++
			}
		}
	}
}

// part returns a part of v, whose depth and characters are known no better than
// those of v.
func (v Value) part(start, end int) Value {
	p := Value{bytes: v.bytes[start:end], depth: v.depth - 1}
	if v.script != onlyASCII {
		p.script = unknownScript
	}
	return p
}

// skip returns the end of the value or key that begins at i.
func skip(s []byte, i int) int {
	switch s[i] {
	case '"':
		return skipText(s, i)
	case '{', '[':
		return skipContainer(s, i)
	}
	for i < len(s) && s[i] != ',' && s[i] != '}' && s[i] != ']' {
		i++
	}
	return i
}

func skipText(s []byte, i int) int {
	for i++; ; {
		i, _ = plain(s, i)
		if s[i] == '"' {
			return i + 1
		}
		i += 2 // a backslash and what it escapes
	}
}

func skipContainer(s []byte, i int) int {
	for depth := 0; ; {
		switch s[i] {
		case '"':
			i = skipText(s, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if i++; depth == 0 {
			return i
		}
	}
}

// nesting returns how deep v nests.
func (v Value) nesting() int {
	depth, deepest := 0, 0
	for i := 0; i < len(v.bytes); i++ {
		switch v.bytes[i] {
		case '"':
			i = skipText(v.bytes, i) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// decode returns the characters of a canonical string.
func decode(s []byte) string {
	s = s[1 : len(s)-1]
	n := bytes.IndexByte(s, '\\')
	if n < 0 {
		return string(s)
	}
	var text strings.Builder
	text.Grow(len(s))
	for ; n >= 0; n = bytes.IndexByte(s, '\\') {
		text.Write(s[:n])
		s = s[n:]
		size := escapeLen(s)
		text.WriteByte(unescape(s[:size]))
		s = s[size:]
	}
	text.Write(s)
	return text.String()
}

// unescape returns the character of a canonical escape.
func unescape(s []byte) byte {
	switch s[1] {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'u': // two digits count: the character is below 0x20
		low := s[5]
		if low >= 'a' {
			low -= 'a' - '0' - 10
		}
		return (s[4]-'0')<<4 | (low - '0')
	}
	return s[1]
}
