package canon

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"unicode/utf8"
)

// Kind is what sort of value a Value is.
type Kind uint8

// The kinds. The zero Kind is that of the zero Value.
const (
	KindNull Kind = iota
	KindBool
	KindInteger // a number without fraction and exponent
	KindFloat
	KindString
	KindArray
	KindObject
)

// String returns the kind's name, such as "object".
func (k Kind) String() string {
	return [...]string{"null", "boolean", "integer", "float", "string", "array", "object"}[k]
}

// Value is one JSON value as canonical bytes. It is immutable and may be shared
// between goroutines; pass it by value, which copies no bytes. The zero Value is
// null. Printed or logged, a Value shows its kind and size, never its content.
type Value struct {
	bytes  []byte
	depth  uint16 // it nests no deeper than this
	script script
}

// script is what is known of the characters in a Value.
type script uint8

const (
	onlyASCII script = iota
	beyondASCII
	unknownScript // a part of a value beyond ASCII
)

var (
	_ fmt.Formatter  = Value{}
	_ slog.LogValuer = Value{}
)

// Null returns null, which is also the zero Value.
func Null() Value { return Value{} }

// Bool returns a boolean.
func Bool(b bool) Value { return Value{bytes: strconv.AppendBool(nil, b)} }

// Int returns an integer.
func Int(n int64) Value { return Value{bytes: strconv.AppendInt(nil, n, 10)} }

// Text returns a string. Text that is not valid UTF-8 is refused with
// json.surrogate.
func Text(s string) (Value, error) {
	var w writer
	if err := w.reserve(len(s) + 2); err != nil {
		return Value{}, err
	}
	if err := writeText(&w, s); err != nil {
		return Value{}, err
	}
	v, _ := w.value()
	return v, nil
}

// Bytes returns the canonical form. It must not be modified.
func (v Value) Bytes() []byte {
	if v.bytes == nil {
		return []byte("null")
	}
	return v.bytes[:len(v.bytes):len(v.bytes)]
}

// Len returns the number of canonical bytes.
func (v Value) Len() int {
	if v.bytes == nil {
		return len("null")
	}
	return len(v.bytes)
}

// ASCII tells whether the canonical bytes are all ASCII. It takes no time,
// except for a part of a value that is not.
func (v Value) ASCII() bool {
	if v.script != unknownScript {
		return v.script == onlyASCII
	}
	for _, c := range v.bytes {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Kind returns what sort of value this is.
func (v Value) Kind() Kind {
	if v.bytes == nil {
		return KindNull
	}
	switch v.bytes[0] {
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '"':
		return KindString
	case '[':
		return KindArray
	case '{':
		return KindObject
	}
	if bytes.ContainsAny(v.bytes, ".e") {
		return KindFloat
	}
	return KindInteger
}

// IsNull tells whether this is null.
func (v Value) IsNull() bool { return v.bytes == nil || v.bytes[0] == 'n' }

// Bool returns the boolean; ok is false for any other kind.
func (v Value) Bool() (b, ok bool) {
	return string(v.bytes) == "true", v.Kind() == KindBool
}

// Int64 returns the integer; ok is false for any other kind, and for an integer
// that does not fit.
func (v Value) Int64() (n int64, ok bool) {
	if v.Kind() != KindInteger {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v.bytes), 10, 64)
	return n, err == nil
}

// Float64 returns the number, an integer as the nearest float; ok is false for
// any other kind, and for an integer beyond the range of floats.
func (v Value) Float64() (f float64, ok bool) {
	if kind := v.Kind(); kind != KindInteger && kind != KindFloat {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.bytes), 64)
	if err != nil || math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// Text returns the string's characters; ok is false for any other kind.
func (v Value) Text() (s string, ok bool) {
	if v.Kind() != KindString {
		return "", false
	}
	return decode(v.bytes), true
}

// Equal tells whether two values have the same canonical form. The order of
// members counts, and 1 is not 1.0.
func (v Value) Equal(other Value) bool { return bytes.Equal(v.Bytes(), other.Bytes()) }

// MarshalJSON returns a copy of the canonical form. json.Marshal then escapes
// what HTML needs escaped; write Bytes where bytes must be kept.
func (v Value) MarshalJSON() ([]byte, error) { return bytes.Clone(v.Bytes()), nil }

// UnmarshalJSON parses data strictly.
func (v *Value) UnmarshalJSON(data []byte) error {
	parsed, err := Parse(data)
	if err != nil {
		return err
	}
	*v = parsed
	return nil
}

// String returns kind and size, such as "object of 120 bytes".
func (v Value) String() string { return fmt.Sprintf("%s of %d bytes", v.Kind(), v.Len()) }

// Format prints String whatever the verb, so that none shows the content.
func (v Value) Format(state fmt.State, _ rune) { _, _ = state.Write([]byte(v.String())) }

// LogValue shows kind and size.
func (v Value) LogValue() slog.Value {
	return slog.GroupValue(slog.String("kind", v.Kind().String()), slog.Int("bytes", v.Len()))
}
