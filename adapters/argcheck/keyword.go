package argcheck

import (
	"math/big"
	"slices"

	"toolplane/domain/canon"
)

// keyword puts one keyword of a schema into its node. Keywords that assert
// nothing, and unknown ones, are passed over.
func (c *compiler) keyword(n *node, schema canon.Value, name string, value canon.Value) (err error) {
	switch name {
	case "$ref":
		return c.reference(n, value)
	case "$dynamicRef", "$recursiveRef":
		return broken("it uses %s", name)
	case "type":
		return n.setTypes(value)
	case "enum":
		if value.Kind() != canon.KindArray {
			return broken("\"enum\" is no array")
		}
		n.only, err = c.choiceOf(slices.Collect(value.Elements()))
	case "const":
		n.only, err = c.choiceOf([]canon.Value{value})
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return n.setNumber(schema, name, value)
	case "minLength":
		n.minLength, err = sizeOf(name, value)
	case "maxLength":
		n.maxLength, err = sizeOf(name, value)
	case "minItems":
		n.minItems, err = sizeOf(name, value)
	case "maxItems":
		n.maxItems, err = sizeOf(name, value)
	case "minProperties":
		n.minProps, err = sizeOf(name, value)
	case "maxProperties":
		n.maxProps, err = sizeOf(name, value)
	case "uniqueItems":
		n.unique, _ = value.Bool()
	case "pattern":
		text, ok := value.Text()
		if !ok {
			return broken("\"pattern\" is no string")
		}
		n.pattern = compilePattern(text)
	case "allOf":
		n.allOf, err = c.nodesOf(value, name)
	case "anyOf":
		n.anyOf, err = c.nodesOf(value, name)
	case "oneOf":
		n.oneOf, err = c.nodesOf(value, name)
	case "prefixItems", "items", "additionalItems":
		return c.setItems(n, schema, name, value)
	case "properties", "patternProperties", "additionalProperties", "required":
		return c.setMembers(n, name, value)
	default:
		return c.rareKeyword(n, name, value)
	}
	return err
}

func (n *node) setTypes(value canon.Value) error {
	list := []canon.Value{value}
	if value.Kind() == canon.KindArray {
		list = list[:0]
		for one := range value.Elements() {
			list = append(list, one)
		}
	}
	for _, one := range list {
		text, _ := one.Text()
		set, ok := typeNamed(text)
		if !ok {
			return broken("%.80s is no type", one.Bytes())
		}
		n.types |= set
	}
	n.never = n.never || len(list) == 0
	return nil
}

func (c *compiler) choiceOf(values []canon.Value) (*choice, error) {
	only := &choice{keys: make(map[string]bool), values: values}
	for _, value := range values {
		key := string(c.work.appendKey(nil, value))
		if c.work.spent() {
			return nil, broken("the values that it allows take too long to read")
		}
		only.keys[key] = true
		only.longest = max(only.longest, len(key))
	}
	return only, nil
}

// setNumber sets a limit on a number. Up to draft 04 the exclusive keywords are
// booleans beside the limits.
func (n *node) setNumber(schema canon.Value, name string, value canon.Value) error {
	if yes, ok := value.Bool(); ok && (name == "exclusiveMinimum" || name == "exclusiveMaximum") {
		limit, side := "minimum", &n.lower
		if name == "exclusiveMaximum" {
			limit, side = "maximum", &n.upper
		}
		if beside, ok := schema.Member(limit); ok && yes {
			return n.tighten(side, limit, beside, true)
		}
		return nil
	}
	switch name {
	case "multipleOf":
		divisor, ok := ratOf(value)
		if !ok || divisor.Sign() <= 0 {
			return broken("\"multipleOf\" is no positive number")
		}
		n.divisor = divisor
		return nil
	case "minimum", "exclusiveMinimum":
		return n.tighten(&n.lower, name, value, name != "minimum")
	default:
		return n.tighten(&n.upper, name, value, name != "maximum")
	}
}

// tighten sets a bound unless a tighter one is there.
func (n *node) tighten(side **bound, name string, value canon.Value, exclusive bool) error {
	rat, ok := ratOf(value)
	if !ok {
		return broken("%q is no number", name)
	}
	b := &bound{value: rat, text: string(value.Bytes()), exclusive: exclusive}
	b.whole, b.isWhole = value.Int64()
	b.near, _ = rat.Float64()
	if old := *side; old != nil {
		order := rat.Cmp(old.value)
		if side == &n.upper {
			order = -order
		}
		if order < 0 || order == 0 && !exclusive {
			return nil
		}
	}
	*side = b
	return nil
}

func ratOf(value canon.Value) (*big.Rat, bool) {
	if k := value.Kind(); k != canon.KindInteger && k != canon.KindFloat {
		return nil, false
	}
	return new(big.Rat).SetString(string(value.Bytes()))
}

// sizeOf reads a limit on a length; one beyond every length is as good as the
// largest integer.
func sizeOf(name string, value canon.Value) (size, error) {
	f, ok := value.Float64()
	if !ok || f < 0 || kindOf(value)&typeInteger == 0 {
		return size{}, broken("%q is no length", name)
	}
	const most = 1 << 53
	return size{n: int(min(f, most)), has: true}, nil
}

// setItems sets what the elements of an array must be, in the old form (items
// is an array, additionalItems the rest), which drafts up to 2019-09 have, and in
// the new one (prefixItems, items).
func (c *compiler) setItems(n *node, schema canon.Value, name string, value canon.Value) (err error) {
	items, _ := schema.Member("items")
	_, prefixed := schema.Member("prefixItems")
	prefixed = prefixed && !c.old
	tuple := items.Kind() == canon.KindArray
	switch {
	case name == "prefixItems" && prefixed, name == "items" && tuple && !prefixed:
		n.prefix, err = c.nodesOf(value, name)
	case name == "items" && !tuple, name == "additionalItems" && tuple:
		n.items, err = c.node(value)
	}
	return err
}

func (c *compiler) setMembers(n *node, name string, value canon.Value) (err error) {
	switch name {
	case "required":
		if value.Kind() != canon.KindArray {
			return nil // up to draft 03 a boolean in the property
		}
		n.required = make(map[string]bool)
		for one := range value.Elements() {
			text, ok := one.Text()
			if !ok {
				return broken("\"required\" holds something other than names")
			}
			if !n.required[text] {
				n.required[text] = true
				n.requiredOrder = append(n.requiredOrder, text)
			}
		}
		return nil
	case "additionalProperties":
		n.additional, err = c.node(value)
		return err
	}
	if value.Kind() != canon.KindObject {
		return broken("%q is no object", name)
	}
	for member, schema := range value.Members() {
		child, err := c.node(schema)
		if err != nil {
			return err
		}
		if name == "patternProperties" {
			n.patterns = append(n.patterns, patternNode{compilePattern(member), child})
			continue
		}
		if n.properties == nil {
			n.properties = make(map[string]*node)
		}
		n.properties[member] = child
		n.names = append(n.names, member)
	}
	return nil
}

// rareKeyword notes what only the library decides.
func (c *compiler) rareKeyword(n *node, name string, value canon.Value) error {
	var one, each *[]*node
	switch name {
	case "not", "if", "then", "else":
		one = &n.same
	case "contains", "unevaluatedItems":
		one = &n.elements
	case "unevaluatedProperties":
		one = &n.members
	case "propertyNames":
		one = &n.nouns
	case "dependentSchemas", "dependencies":
		each = &n.same
	case "dependentRequired":
	default:
		return nil
	}
	n.rare = true
	if c.rare == "" {
		c.rare = name
	}
	switch {
	case one != nil:
		child, err := c.node(value)
		*one = append(*one, child)
		return err
	case each != nil:
		for _, schema := range value.Members() {
			if schema.Kind() == canon.KindArray {
				continue // names, up to draft 07
			}
			child, err := c.node(schema)
			if err != nil {
				return err
			}
			*each = append(*each, child)
		}
	}
	return nil
}
