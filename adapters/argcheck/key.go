package argcheck

import (
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"

	"toolplane/domain/canon"
)

// appendKey appends a text that is the same for values that JSON Schema takes
// for equal: 1 and 1.0, and objects whatever the order of their members. Once
// the work is spent the text is of no use.
func (w *work) appendKey(key []byte, v canon.Value) []byte {
	if !w.pay(workOfKey + workOfKeyByte*v.Len()) {
		return key
	}
	switch v.Kind() {
	case canon.KindFloat:
		return w.appendFloat(key, v)
	case canon.KindInteger:
		if string(v.Bytes()) == "-0" {
			return append(key, '0')
		}
		return append(key, v.Bytes()...)
	case canon.KindArray:
		key = append(key, '[')
		for element := range v.Elements() {
			if key = append(w.appendKey(key, element), ','); w.spent() {
				break
			}
		}
		return append(key, ']')
	case canon.KindObject:
		return w.appendMembers(key, v)
	default:
		return append(key, v.Bytes()...)
	}
}

func (w *work) appendFloat(key []byte, v canon.Value) []byte {
	const whole64 = 1 << 63
	f, _ := v.Float64()
	switch {
	case f != math.Trunc(f):
		return strconv.AppendFloat(key, f, 'g', -1, 64)
	case f > -whole64 && f < whole64:
		return strconv.AppendInt(key, int64(f), 10)
	case !w.pay(4 * workOfRational):
		return key
	}
	whole, _ := big.NewFloat(f).Int(nil)
	return whole.Append(key, 10)
}

// appendMembers appends the members in the order of their names, each after the
// length of its name, so that no name can pass for more than one.
func (w *work) appendMembers(key []byte, v canon.Value) []byte {
	var parts []string
	size := 0
	for name, member := range v.Members() {
		part := append(strconv.AppendInt(nil, int64(len(name)), 10), ':')
		part = w.appendKey(append(part, name...), member)
		if w.spent() {
			return key
		}
		parts = append(parts, string(part))
		size += len(part)
	}
	if w.pay(bits.Len(uint(len(parts))) * (size/8 + workOfElement*len(parts))) {
		slices.Sort(parts)
	}
	key = append(key, '{')
	for _, part := range parts {
		key = append(append(key, part...), ',')
	}
	return append(key, '}')
}

// keyed is the key of an array or object, kept because unions ask for the one
// of the same value again and again.
type keyed struct {
	start *byte // of the value
	size  int
	key   string
}

// key returns the key of a value, which is of use unless the work is spent.
func (c *check) key(v canon.Value) string {
	at := keyed{start: &v.Bytes()[0], size: v.Len()}
	if c.last.start == at.start && c.last.size == at.size {
		return c.last.key
	}
	at.key = string(c.appendKey(nil, v))
	c.last = at
	return at.key
}

// chosen reports whether a value is one of the choices.
func (c *check) chosen(only *choice, v canon.Value) bool {
	if v.Kind() == canon.KindString { // which is its own key
		return v.Len() <= only.longest && (!c.pay(v.Len()) || only.keys[string(v.Bytes())])
	}
	key := c.key(v)
	return c.spent() || len(key) <= only.longest && (!c.pay(len(key)) || only.keys[key])
}
