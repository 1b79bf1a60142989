package argcheck

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/spelling"
)

// kindOf returns the JSON Schema type of a value. A number without a fraction
// is an integer, whether it is written 1 or 1.0.
func kindOf(v canon.Value) types {
	switch v.Kind() {
	case canon.KindBool:
		return typeBoolean
	case canon.KindInteger:
		return typeInteger
	case canon.KindFloat:
		if f, _ := v.Float64(); f == math.Trunc(f) {
			return typeInteger
		}
		return typeFraction
	case canon.KindString:
		return typeString
	case canon.KindArray:
		return typeArray
	case canon.KindObject:
		return typeObject
	default:
		return typeNull
	}
}

// number checks the limits on a number, with all its digits.
func (c *check) number(n *node, v canon.Value) *problem {
	if n.lower != nil {
		if order, ok := c.compare(n.lower, v); ok && (order > 0 || order == 0 && n.lower.exclusive) {
			return n.lower.refusal("at least", "more than", v)
		}
	}
	if n.upper != nil {
		if order, ok := c.compare(n.upper, v); ok && (order < 0 || order == 0 && n.upper.exclusive) {
			return n.upper.refusal("at most", "less than", v)
		}
	}
	if n.divisor != nil && !c.divides(n.divisor, v) {
		return &problem{say: func() string {
			return fmt.Sprintf("must be a multiple of %s, got %s", strings.TrimSuffix(n.divisor.RatString(), "/1"), describe(v))
		}}
	}
	return nil
}

// compare returns the order of the bound and a number; ok is false if the work
// is spent.
func (c *check) compare(b *bound, v canon.Value) (order int, ok bool) {
	const longest = 32 // of floats and of integers of 64 bits
	if whole, ok := v.Int64(); ok && b.isWhole {
		return cmp.Compare(b.whole, whole), true
	}
	if v.Len() <= longest {
		// Two numbers never change places by being rounded.
		if f, ok := v.Float64(); ok && f != b.near {
			return cmp.Compare(b.near, f), true
		}
	}
	rat, ok := c.rational(v)
	if !ok {
		return 0, false
	}
	return b.value.Cmp(rat), true
}

// divides reports whether a number is a multiple of another one.
func (c *check) divides(divisor *big.Rat, v canon.Value) bool {
	rat, ok := c.rational(v)
	return !ok || !c.pay(workOfRational+bitsOf(rat)+bitsOf(divisor)) || rat.Quo(rat, divisor).IsInt()
}

func bitsOf(rat *big.Rat) int { return rat.Num().BitLen() + rat.Denom().BitLen() }

// rational returns a number with all its digits; ok is false if the work is
// spent.
func (c *check) rational(v canon.Value) (rat *big.Rat, ok bool) {
	if !c.pay(workOfRational + v.Len()*v.Len()/100) { // digits are read in quadratic time
		return nil, false
	}
	return ratOf(v)
}

func (b *bound) refusal(inclusive, exclusive string, v canon.Value) *problem {
	if b.exclusive {
		inclusive = exclusive
	}
	return &problem{say: func() string { return fmt.Sprintf("must be %s %.40s, got %s", inclusive, b.text, describe(v)) }}
}

func (c *choice) refusal(v canon.Value) string {
	const most = 12
	var texts, names []string
	for _, value := range c.values {
		if text, ok := value.Text(); ok {
			names = append(names, text)
		}
		if len(texts) == most {
			texts = append(texts, "…")
			break
		}
		texts = append(texts, short(value))
	}
	if text, ok := v.Text(); ok {
		if near := spelling.Nearest(text, names); near != "" && len(c.values) > 1 {
			return fmt.Sprintf("%s is not allowed, did you mean %s?", short(v), quote(near))
		}
	}
	return fmt.Sprintf("expected %s, got %s", alternatives(texts), describe(v))
}

// describe names a value in a message, with its type.
func describe(v canon.Value) string {
	switch kind := v.Kind(); kind {
	case canon.KindString:
		return "string " + short(v)
	case canon.KindInteger:
		return "integer " + short(v)
	case canon.KindFloat:
		return "number " + short(v)
	case canon.KindBool:
		return "boolean " + short(v)
	default:
		return kind.String()
	}
}

// short returns a value's text, cut to a length that fits in a message.
func short(v canon.Value) string {
	const most = 60
	if text, ok := v.Text(); ok {
		return quote(text)
	}
	if v.Len() > most {
		return strings.ToValidUTF8(string(v.Bytes()[:most]), "") + "…"
	}
	return string(v.Bytes())
}
