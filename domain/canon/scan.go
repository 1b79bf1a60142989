package canon

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"toolplane/domain/fault"
)

// text reads a string, from one quote to the other.
func (p *parser) text(i int) (end int, err error) {
	for i++; ; {
		end, high := plain(p.data, i)
		if high != 0 {
			if err = p.beyondASCII(i, end); err != nil {
				return end, err
			}
		}
		switch {
		case end == len(p.data):
			return end, p.syntax(end, p.here(), "a closing quote")
		case p.data[end] == '"':
			return end + 1, nil
		case p.data[end] != '\\':
			return end, p.syntax(end, p.here(), "control characters to be escaped")
		}
		if i, err = p.escape(end); err != nil {
			return i, err
		}
	}
}

// beyondASCII sees to it that a run of characters is UTF-8.
func (p *parser) beyondASCII(i, end int) error {
	p.wide = true
	if utf8.Valid(p.data[i:end]) {
		return nil
	}
	if err := p.drop(i, end); err != nil {
		return err
	}
	return p.repair(p.data[i:end])
}

// escape reads one escape, or the two of a surrogate pair.
func (p *parser) escape(i int) (end int, err error) {
	if len(p.data)-i < 2 {
		return i, p.syntax(len(p.data), p.here(), "an escape")
	}
	switch p.data[i+1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil // in canonical form
	case '/':
		return i + 2, p.drop(i, i+1)
	case 'u':
		return p.unicode(i)
	}
	return i, p.syntax(i+1, p.here(), "an escape")
}

func (p *parser) unicode(i int) (end int, err error) {
	r, ok := p.hex(i)
	if !ok {
		return i, p.syntax(i, p.here(), "four hexadecimal digits in the escape")
	}
	end = i + 6
	if utf16.IsSurrogate(r) {
		high := r
		r = utf8.RuneError
		if low, ok := p.hex(end); ok {
			r = utf16.DecodeRune(high, low)
		}
		switch {
		case r != utf8.RuneError:
			end += 6
		case p.opts.Lenient:
			p.replaced = true
		default:
			return i, fault.At(fault.JSONSurrogate, p.here(), `text with the lone surrogate \u%04x; replace it first`, high)
		}
	}
	if err = p.drop(i, end); err != nil {
		return end, err
	}
	return end, p.rune(r)
}

// hex reads the \uXXXX that is at i, if one is.
func (p *parser) hex(i int) (r rune, ok bool) {
	if len(p.data)-i < 6 || p.data[i] != '\\' || p.data[i+1] != 'u' {
		return 0, false
	}
	for _, c := range p.data[i+2 : i+6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// number reads a number. What is no value at all ends here too.
func (p *parser) number(begin int) (end int, err error) {
	data, i := p.data, begin
	if data[i] == '-' {
		i++
	}
	end = digits(data, i)
	if end == i {
		return i, p.noNumber(begin, i)
	}
	if data[i] == '0' {
		end = i + 1 // no digit may follow; next sees to that
	}
	if end == len(data) || data[end] != '.' && data[end]|0x20 != 'e' {
		return end, p.integer(begin, end)
	}
	if data[end] == '.' {
		i = end + 1
		if end = digits(data, i); end == i {
			return i, p.syntax(i, p.here(), "a digit")
		}
	}
	exponent := end < len(data) && data[end]|0x20 == 'e'
	if exponent {
		i = end + 1
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if end = digits(data, i); end == i {
			return i, p.syntax(i, p.here(), "a digit")
		}
	}
	return end, p.float(begin, end, exponent)
}

// digits returns where the digits that begin at i end.
func digits(data []byte, i int) int {
	for i < len(data) && data[i]-'0' <= 9 {
		i++
	}
	return i
}

// integer takes the literal in, which may have one needless character: the sign
// of -0.
func (p *parser) integer(begin, end int) error {
	n, err := integerForm(&p.writer, p.data[begin:end])
	if err == nil && n < end-begin {
		err = p.drop(begin, end-n)
	}
	return err
}

// float takes a literal in that has a fraction or an exponent.
func (p *parser) float(begin, end int, exponent bool) error {
	literal := p.data[begin:end]
	if !exponent {
		n := shortest(literal)
		if n == len(literal) || n == 0 && isShortest(literal) {
			return nil
		}
		if n > 0 {
			return p.drop(begin+n, end)
		}
	}
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil { // out of range: the syntax was checked
		return p.nonFinite("a number beyond the range of floats")
	}
	if err := p.drop(begin, end); err != nil {
		return err
	}
	return p.writeFloat(f)
}

// noNumber says what stands at begin, where a value should; i is behind a minus
// sign, if one is there.
func (p *parser) noNumber(begin, i int) error {
	for _, word := range [...]string{"NaN", "Infinity", "-Infinity"} {
		if p.sees(begin, word) {
			return p.nonFinite(word)
		}
	}
	if i > begin {
		return p.syntax(i, p.here(), "a digit")
	}
	return p.syntax(begin, p.here(), "a value")
}
