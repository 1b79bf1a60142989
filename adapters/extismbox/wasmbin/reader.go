package wasmbin

import (
	"errors"
	"fmt"
)

// ErrMalformed is in the chain of every error about bytes that are not a
// module of the supported kind.
var ErrMalformed = errors.New("not a usable WebAssembly module")

// reader decodes a part of a module. The first failure sticks: later reads give
// zero values, so that callers check once.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s at offset %d", ErrMalformed, fmt.Sprintf(format, args...), r.at)
		r.at = len(r.data)
	}
}

// more reports whether bytes are left to be read.
func (r *reader) more() bool { return r.err == nil && r.at < len(r.data) }

func (r *reader) byte() byte {
	if r.at >= len(r.data) {
		r.fail("unexpected end")
		return 0
	}
	b := r.data[r.at]
	r.at++
	return b
}

func (r *reader) take(n uint32) []byte {
	if uint64(n) > uint64(len(r.data)-r.at) {
		r.fail("a length of %d leaves its section", n)
		return nil
	}
	part := r.data[r.at : r.at+int(n)]
	r.at += int(n)
	return part
}

// u32 reads an unsigned LEB128 number of at most 32 bits.
func (r *reader) u32() uint32 {
	var v uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if v > 0xffffffff {
				r.fail("a number of more than 32 bits")
				return 0
			}
			return uint32(v)
		}
	}
	r.fail("a number of more than 32 bits")
	return 0
}

// signed reads a signed LEB128 number of at most the given number of bits.
func (r *reader) signed(bits int) int64 {
	var v int64
	for shift := 0; shift < (bits+6)/7*7; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		if b < 0x80 {
			if shift+7 < 64 && b&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.fail("a signed number of more than %d bits", bits)
	return 0
}

// count reads the length of a vector whose elements take a byte or more each.
func (r *reader) count() int {
	n := r.u32()
	if uint64(n) > uint64(len(r.data)-r.at) {
		r.fail("a count of %d that the section cannot hold", n)
		return 0
	}
	return int(n)
}

// valueType reads a type of values.
func (r *reader) valueType() {
	if t := r.byte(); r.err == nil && !isValueType(t) {
		r.fail("the value type %#x is not supported", t)
	}
}

// valueTypes reads a vector of them and returns its length.
func (r *reader) valueTypes() int {
	n := r.count()
	for range n {
		r.valueType()
	}
	return n
}

// blockType reads a block's type: nothing, a value type or a type's index.
func (r *reader) blockType() {
	const bits = 33
	t := r.signed(bits)
	if t < 0 && (t < -0x40 || t != -0x40 && !isValueType(byte(t)&0x7f)) {
		r.fail("the block type %d is not supported", t)
	}
}

func (r *reader) name() string { return string(r.take(r.u32())) }

// end fails unless everything was read.
func (r *reader) end(what string) error {
	if r.err == nil && r.at != len(r.data) {
		r.fail("bytes after the end of the %s", what)
	}
	return r.err
}

// appendU32 appends v as unsigned LEB128.
func appendU32(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// appendS32 appends v as signed LEB128.
func appendS32(b []byte, v int32) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
