package canon

import (
	"bytes"
	"math/bits"
	"unicode/utf8"

	"toolplane/domain/fault"
)

// text is what characters come in.
type text interface{ ~string | ~[]byte }

// plain returns where the run of bytes that need no escape ends, from i on: at
// a quote, a backslash, a control character or the end. The second result has
// bits of 0x80 set if the run holds bytes beyond ASCII.
func plain[T text](s T, i int) (end int, high uint64) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		word := load8(s[i : i+8])
		quote, slash := word^ones*'"', word^ones*'\\'
		// The lowest bit set marks the first byte that stops the run; a borrow
		// can only set wrong bits above it.
		stop := ((word-ones*0x20)&^word | (quote-ones)&^quote | (slash-ones)&^slash) & tops
		if stop != 0 {
			high |= word & (stop&-stop - 1)
			return i + bits.TrailingZeros64(stop)>>3, high & tops
		}
		high |= word
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < 0x20 || c == '"' || c == '\\' {
			break
		}
		high |= uint64(c)
	}
	return i, high & tops
}

// load8 reads eight bytes, the first lowest. The compiler makes it one load.
func load8[T text](s T) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// writeText writes a whole string, quotes included.
func writeText[T text](w *writer, s T) error {
	if err := w.put('"'); err != nil {
		return err
	}
	for i := 0; ; i++ {
		end, high := plain(s, i)
		if err := writeRun(w, s[i:end], high != 0); err != nil {
			return err
		}
		if end == len(s) {
			return w.put('"')
		}
		if err := w.rune(rune(s[end])); err != nil {
			return err
		}
		i = end
	}
}

// writeRun writes characters that need no escape. If they are not all ASCII, it
// checks that they are UTF-8.
func writeRun[T text](w *writer, run T, high bool) error {
	start := len(w.out)
	if err := write(w, run); err != nil {
		return err
	}
	if !high {
		return nil
	}
	w.wide = true
	if utf8.Valid(w.out[start:]) {
		return nil
	}
	bad := bytes.Clone(w.out[start:])
	w.out = w.out[:start]
	return w.repair(bad)
}

// rune writes one character, escaped if JSON demands it.
func (w *writer) rune(r rune) error {
	var scratch [6]byte
	buf := scratch[:0]
	switch {
	case r >= utf8.RuneSelf:
		w.wide = true
		buf = utf8.AppendRune(buf, r)
	case r >= 0x20 && r != '"' && r != '\\':
		buf = append(buf, byte(r))
	default:
		buf = appendEscape(buf, byte(r))
	}
	return write(w, buf)
}

// appendEscape appends the escape of a quote, backslash or control character.
func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
}

// escapeLen is the length of the canonical escape that s begins with, or 0.
func escapeLen(s []byte) int {
	switch {
	case s[0] != '\\':
		return 0
	case s[1] == 'u':
		return 6
	}
	return 2
}

// repair writes text that is not valid UTF-8: a surrogate encoded in three
// bytes, and any other byte that is no part of a character, becomes U+FFFD if
// the writer is lenient.
func (w *writer) repair(bad []byte) error {
	if !w.opts.Lenient {
		return fault.At(fault.JSONSurrogate, w.here(),
			"text that is not valid UTF-8 (a lone surrogate, or bytes); replace those characters first")
	}
	w.replaced = true
	for len(bad) > 0 {
		r, n := utf8.DecodeRune(bad)
		if n == 1 && isSurrogate(bad) {
			n = 3
		}
		if err := w.rune(r); err != nil {
			return err
		}
		bad = bad[n:]
	}
	return nil
}

// isSurrogate tells whether s begins with a surrogate in three bytes, as
// Python's surrogatepass writes it.
func isSurrogate(s []byte) bool {
	return len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2]&0xc0 == 0x80
}

// textDone notes that the value just written was repaired, if it was.
func (w *writer) textDone() {
	if w.replaced {
		w.replaced = false
		w.note(fault.JSONSurrogate, w.here)
	}
}
