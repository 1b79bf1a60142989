package shell

import (
	"bufio"
	"bytes"
)

// indent writes canonical JSON with two spaces a level, one element or member a
// line; digits, escapes and the order of members stay as they are. It streams,
// because deep values grow a lot. The first error ends it, and the writer keeps
// it until it is flushed.
func indent(w *bufio.Writer, canonical []byte) {
	depth := 0
	var err error
	newline := func() {
		w.WriteByte('\n')
		for range depth {
			_, err = w.WriteString("  ")
		}
	}
	for i := 0; i < len(canonical) && err == nil; i++ {
		switch c := canonical[i]; c {
		case '"':
			end := i + stringLen(canonical[i:])
			w.Write(canonical[i:end])
			i = end - 1
		case '{', '[':
			w.WriteByte(c)
			if next := canonical[i+1]; next == '}' || next == ']' {
				w.WriteByte(next)
				i++
				continue
			}
			depth++
			newline()
		case '}', ']':
			depth--
			newline()
			w.WriteByte(c)
		case ',':
			w.WriteByte(c)
			newline()
		case ':':
			w.WriteString(": ")
		default:
			w.WriteByte(c)
		}
	}
}

// stringLen returns the length of the JSON string that data starts with, its
// quotes included.
func stringLen(data []byte) int {
	for i := 1; ; {
		i += bytes.IndexAny(data[i:], `"\`)
		if data[i] == '"' {
			return i + 1
		}
		i += 2
	}
}
