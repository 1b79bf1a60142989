package argcheck

import (
	"math/big"

	"toolplane/domain/canon"
)

// node is a schema made ready to check values with. The zero node fits
// everything.
type node struct {
	never bool  // the schema false
	types types // none means all
	only  *choice

	lower, upper *bound
	divisor      *big.Rat

	minLength, maxLength size
	pattern              *pattern

	prefix             []*node
	items              *node // of the items after prefix
	minItems, maxItems size
	unique             bool

	properties         map[string]*node
	names              []string // of properties, in the schema's order
	required           map[string]bool
	requiredOrder      []string
	patterns           []patternNode
	additional         *node // of members that neither properties nor patterns name
	minProps, maxProps size

	ref                 *node
	allOf, anyOf, oneOf []*node

	inPlace []*node // all that check the same value as this one
	size    int     // of the schema's text, in bytes

	// What only the library decides: schemas for the same value, for each
	// element, for each member and for each member's name.
	rare                           bool // here or below, references included
	same, elements, members, nouns []*node
}

type patternNode struct {
	pattern *pattern // nil for one that Go does not know
	schema  *node
}

// choice is an enum or a const.
type choice struct {
	keys    map[string]bool // the values in comparable form
	longest int             // of the keys
	values  []canon.Value
}

// bound is a limit on a number.
type bound struct {
	value     *big.Rat
	text      string  // as the schema writes it
	near      float64 // the float that value is rounded to
	whole     int64   // the same as value, if isWhole
	isWhole   bool
	exclusive bool
}

// size is an optional limit on a length.
type size struct {
	n   int
	has bool
}

// types is a set of JSON types.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger
	typeFraction // a number that is no integer
	typeString
	typeArray
	typeObject
	typeNumber = typeInteger | typeFraction
)

// typeNames gives the types by their names, in the order of messages.
var typeNames = []struct {
	name string
	set  types
}{
	{"string", typeString},
	{"number", typeNumber},
	{"integer", typeInteger},
	{"boolean", typeBoolean},
	{"array", typeArray},
	{"object", typeObject},
	{"null", typeNull},
}

func typeNamed(name string) (types, bool) {
	for _, t := range typeNames {
		if t.name == name {
			return t.set, true
		}
	}
	return 0, false
}

// String names the types of a set, such as "string or null".
func (t types) String() string {
	var names []string
	for _, known := range typeNames {
		if t&known.set == known.set {
			names = append(names, known.name)
			t &^= known.set
		}
	}
	return alternatives(names)
}

// alternatives joins words as "a, b or c".
func alternatives(words []string) string {
	text := ""
	for i, word := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text += " or "
		default:
			text += ", "
		}
		text += word
	}
	return text
}
