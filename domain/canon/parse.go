package canon

import (
	"fmt"

	"toolplane/domain/fault"
)

// parser reads JSON text (RFC 8259) from first byte to last, once. What is
// canonical already stays where it is until something else forces it out: so
// compact text is copied in large pieces. The methods that read take the offset
// to begin at and return where they ended.
type parser struct {
	writer
	limit int // of the bytes that may be written
}

func (p *parser) start(data []byte, opts Options) {
	p.reset(opts)
	p.data, p.limit = data, opts.limit()
	if len(data) <= maxBytes {
		p.out = make([]byte, 0, min(len(data), p.limit))
	}
}

// release puts the parser to rest, without what belongs to the caller.
func (p *parser) release() {
	p.out = nil
	p.reset(Options{})
	parsers.Put(p)
}

// document reads one value and what surrounds it.
func (p *parser) document() error {
	if len(p.data) > maxBytes { // offsets would not fit
		return p.tooLarge(maxBytes)
	}
	i, more := 0, true
	var err error
	for more {
		var opened bool
		if i, opened, err = p.element(i); err != nil {
			return err
		}
		if p.offset(i) > p.limit { // before more is noted of it
			return p.tooLarge(p.limit)
		}
		if opened {
			continue
		}
		if i, more, err = p.next(i); err != nil {
			return err
		}
	}
	if i, err = p.space(i); err != nil {
		return err
	}
	if i < len(p.data) {
		return p.syntax(i, p.here(), "nothing after the value")
	}
	return p.flush(i)
}

// element reads a scalar, an empty container, or the opening of another up to
// its first element's value; opened tells the last case.
func (p *parser) element(i int) (end int, opened bool, err error) {
	if i < len(p.data) && p.data[i] <= ' ' {
		if i, err = p.space(i); err != nil {
			return i, false, err
		}
	}
	if i == len(p.data) {
		return i, false, p.syntax(i, p.here(), "a value")
	}
	switch c := p.data[i]; c {
	case '"':
		i, err = p.text(i)
		p.textDone()
		return i, false, err
	case '{', '[':
		return p.container(i, c == '{')
	case 't':
		i, err = p.literal(i, "true")
	case 'f':
		i, err = p.literal(i, "false")
	case 'n':
		i, err = p.literal(i, "null")
	default:
		i, err = p.number(i)
	}
	return i, false, err
}

func (p *parser) container(i int, object bool) (end int, opened bool, err error) {
	if err = p.open(p.offset(i), object); err != nil {
		return i, false, err
	}
	if i, err = p.space(i + 1); err != nil {
		return i, false, err
	}
	if p.ends(i, object) {
		return i + 1, false, p.close(p.offset(i + 1))
	}
	if object {
		i, err = p.key(i)
	}
	return i, true, err
}

func (p *parser) ends(i int, object bool) bool {
	return i < len(p.data) && (object && p.data[i] == '}' || !object && p.data[i] == ']')
}

// next reads what follows a value, up to the next one; more is false when there
// is none.
func (p *parser) next(i int) (end int, more bool, err error) {
	for len(p.frames) > 0 {
		top := &p.frames[len(p.frames)-1]
		if i < len(p.data) && p.data[i] <= ' ' {
			if i, err = p.space(i); err != nil {
				return i, false, err
			}
		}
		switch {
		case i < len(p.data) && p.data[i] == ',':
			if top.object {
				i, err = p.key(i + 1)
				return i, true, err
			}
			top.index++
			return i + 1, true, nil
		case p.ends(i, top.object):
			i++
			if err = p.close(p.offset(i)); err != nil {
				return i, false, err
			}
		case top.object:
			return i, false, p.syntax(i, p.around(), "',' or '}'")
		default:
			return i, false, p.syntax(i, p.around(), "',' or ']'")
		}
	}
	return i, false, nil
}

// key reads a key and its colon.
func (p *parser) key(i int) (end int, err error) {
	if i < len(p.data) && p.data[i] <= ' ' {
		if i, err = p.space(i); err != nil {
			return i, err
		}
	}
	if i == len(p.data) || p.data[i] != '"' {
		return i, p.syntax(i, p.around(), "a key in double quotes")
	}
	p.naming = true
	begin, start := i, p.offset(i)
	if i, err = p.text(i); err != nil {
		return i, err
	}
	if p.run > begin { // a part of it was forced out: keep keys in one piece
		if err = p.flush(i); err != nil {
			return i, err
		}
	}
	if err = p.keyDone(start, p.offset(i)); err != nil {
		return i, err
	}
	if i < len(p.data) && p.data[i] <= ' ' {
		if i, err = p.space(i); err != nil {
			return i, err
		}
	}
	if i == len(p.data) || p.data[i] != ':' {
		return i, p.syntax(i, p.here(), "':' after the key")
	}
	return i + 1, nil
}

// space drops white space.
func (p *parser) space(i int) (end int, err error) {
	end = i
	for end < len(p.data) && isSpace(p.data[end]) {
		end++
	}
	if end > i {
		err = p.drop(i, end)
	}
	return end, err
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func (p *parser) literal(i int, word string) (end int, err error) {
	if !p.sees(i, word) {
		return i, p.syntax(i, p.here(), "a value")
	}
	return i + len(word), nil
}

func (p *parser) sees(i int, word string) bool {
	return len(p.data)-i >= len(word) && string(p.data[i:i+len(word)]) == word
}

// syntax is the fault of finding something else than expected at i.
func (p *parser) syntax(i int, path, expected string) error {
	found := "the end of the text"
	if i < len(p.data) {
		found = fmt.Sprintf("byte %q", p.data[i:i+1])
	}
	return fault.At(fault.JSONSyntax, path, "expected %s, found %s at offset %d", expected, found, i)
}
