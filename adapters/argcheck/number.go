package argcheck

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
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
func (n *node) number(v canon.Value) *problem {
	if n.lower != nil {
		if order := n.lower.compare(v); order > 0 || order == 0 && n.lower.exclusive {
			return n.lower.refusal("at least", "more than", v)
		}
	}
	if n.upper != nil {
		if order := n.upper.compare(v); order < 0 || order == 0 && n.upper.exclusive {
			return n.upper.refusal("at most", "less than", v)
		}
	}
	if n.divisor != nil {
		rat, _ := ratOf(v)
		if !rat.Quo(rat, n.divisor).IsInt() {
			return &problem{say: func() string {
				return fmt.Sprintf("must be a multiple of %s, got %s", strings.TrimSuffix(n.divisor.RatString(), "/1"), describe(v))
			}}
		}
	}
	return nil
}

// compare returns the order of the bound and a number.
func (b *bound) compare(v canon.Value) int {
	if whole, ok := v.Int64(); ok && b.isWhole {
		return cmp.Compare(b.whole, whole)
	}
	rat, _ := ratOf(v)
	return b.value.Cmp(rat)
}

func (b *bound) refusal(inclusive, exclusive string, v canon.Value) *problem {
	if b.exclusive {
		inclusive = exclusive
	}
	return &problem{say: func() string { return fmt.Sprintf("must be %s %.40s, got %s", inclusive, b.text, describe(v)) }}
}

// has reports whether a value is one of the choices.
func (c *choice) has(v canon.Value) bool { return c.keys[key(v)] }

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

// key returns a text that is the same for values that JSON Schema takes for
// equal: 1 and 1.0, and objects whatever the order of their members.
func key(v canon.Value) string {
	switch v.Kind() {
	case canon.KindFloat:
		f, _ := v.Float64()
		if f != math.Trunc(f) {
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		whole, _ := big.NewFloat(f).Int(nil)
		return whole.String()
	case canon.KindInteger:
		if string(v.Bytes()) == "-0" {
			return "0"
		}
		return string(v.Bytes())
	case canon.KindArray:
		var parts []string
		for element := range v.Elements() {
			parts = append(parts, key(element))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case canon.KindObject:
		var parts []string
		for name, member := range v.Members() {
			parts = append(parts, strconv.Quote(name)+":"+key(member))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	default:
		return string(v.Bytes())
	}
}
