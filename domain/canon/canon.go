// Package canon is canonical JSON: the one form in which values cross this
// program.
//
// A Value is immutable, validated bytes. Only Parse, an Encoder and the
// constructors make one, so whoever holds a Value never parses it again: member
// order is kept, integers keep their digits, floats are written as Python's
// repr writes them, text is UTF-8 with as few escapes as JSON allows, and there
// is no insignificant white space. Parsing a Value's bytes gives the same
// bytes. What has no such form (NaN, a key named twice, a lone surrogate,
// nesting beyond MaxDepth) is refused with a *fault.Fault that says where.
// Any layer may use this package.
package canon

import (
	"math"
	"sync"

	"toolplane/domain/fault"
)

// MaxDepth is how deep arrays and objects may nest: [[]] is two deep.
const MaxDepth = 512

// MaxDigits is how many digits an integer may have, its sign not counted. It is
// CPython's own default limit for turning text into an int.
const MaxDigits = 4300

// maxBytes bounds every value, so that offsets fit 32 bits.
const maxBytes = math.MaxInt32

// Options say how strict to be. The zero Options refuse whatever has no
// canonical form and set no cap of their own.
type Options struct {
	// Lenient repairs instead of refusing, each case with a Note: of a key that
	// is named twice the last value counts, at the place of the first, and each
	// lone surrogate or byte that is not UTF-8 becomes U+FFFD.
	Lenient bool

	// MaxBytes caps the canonical bytes, before repeated keys are merged; 0
	// means no cap below 2 GiB. It is checked before memory is allocated.
	MaxBytes int64

	// TooLarge is the code of the fault for more than MaxBytes; empty means
	// fault.OutputTooLarge.
	TooLarge fault.Code
}

func (o Options) limit() int {
	if o.MaxBytes > 0 && o.MaxBytes < maxBytes {
		return int(o.MaxBytes)
	}
	return maxBytes
}

// Parse returns the canonical form of one JSON text, which it copies. What is
// refused comes back as a *fault.Fault with the path of the first fault found:
// json.syntax (the message names the byte offset), json.duplicate, json.depth,
// json.nonfinite, json.surrogate or json.number.
func Parse(data []byte) (Value, error) {
	v, _, err := ParseWith(data, Options{})
	return v, err
}

// ParseWith is Parse with options. It returns what was repaired, if that was
// asked for.
func ParseWith(data []byte, opts Options) (Value, []Note, error) {
	p := parsers.Get().(*parser)
	defer p.release()
	p.start(data, opts)
	if err := p.document(); err != nil {
		return Value{}, nil, err
	}
	v, _ := p.writer.value()
	return v, p.notes, nil
}

// parsers keeps the scratch memory of parsers that are at rest.
var parsers = sync.Pool{New: func() any { return new(parser) }}
