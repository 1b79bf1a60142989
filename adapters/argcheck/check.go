package argcheck

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"toolplane/domain/canon"
)

const maxDepth = 8192 // schemas within schemas

// check is the state of one check.
type check struct {
	work
	last keyed
}

// value checks a value against a schema, except for what only the library
// decides.
func (c *check) value(n *node, v canon.Value, depth int) *problem {
	if !c.pay(workOfVisit) || depth > maxDepth {
		c.work = min(c.work, 0)
		return nil
	}
	kind := kindOf(v)
	if p := c.plain(n, v, kind); p != nil {
		return p
	}
	switch kind {
	case typeObject:
		if p := c.object(n, v, depth); p != nil {
			return p
		}
	case typeArray:
		if p := c.array(n, v, depth); p != nil {
			return p
		}
	}
	if n.ref != nil {
		if p := c.value(n.ref, v, depth+1); p != nil {
			return p
		}
	}
	for _, schema := range n.allOf {
		if p := c.value(schema, v, depth+1); p != nil || c.spent() {
			return p
		}
	}
	if p := c.anyOf(n.anyOf, v, depth); p != nil {
		return p
	}
	return c.oneOf(n.oneOf, v, depth)
}

// plain checks all that needs no other schema.
func (c *check) plain(n *node, v canon.Value, kind types) *problem {
	if kind&typeNumber != 0 && !c.pay(v.Len()) { // to know the kind its digits were read
		return nil
	}
	switch {
	case n.never:
		return &problem{say: func() string { return "is not allowed" }}
	case n.types != 0 && n.types&kind == 0:
		return &problem{kind: wrongType, expected: n.types, say: func() string { return fmt.Sprintf("expected %v, got %s", n.types, describe(v)) }}
	case n.only != nil && !c.chosen(n.only, v):
		return &problem{say: func() string { return n.only.refusal(v) }}
	}
	switch {
	case kind&typeNumber != 0:
		return c.number(n, v)
	case kind == typeString:
		return c.text(n, v)
	}
	return nil
}

func (c *check) text(n *node, v canon.Value) *problem {
	if !n.minLength.has && !n.maxLength.has && n.pattern == nil || !c.pay(workOfTextByte*v.Len()) {
		return nil
	}
	text, _ := v.Text()
	length := utf8.RuneCountInString(text)
	if p := n.minLength.least(length, "character"); p != nil {
		return p
	}
	if p := n.maxLength.most(length, "character"); p != nil {
		return p
	}
	if n.pattern != nil && c.pay(n.pattern.price(len(text))) && !n.pattern.MatchString(text) {
		return &problem{say: func() string { return fmt.Sprintf("must match the pattern %q, got %s", n.pattern, describe(v)) }}
	}
	return nil
}

// least refuses fewer things than a limit.
func (s size) least(got int, noun string) *problem {
	if !s.has || got >= s.n {
		return nil
	}
	return &problem{say: func() string { return fmt.Sprintf("must have at least %s, has %d", plural(s.n, noun), got) }}
}

// most refuses more things than a limit.
func (s size) most(got int, noun string) *problem {
	if !s.has || got <= s.n {
		return nil
	}
	return &problem{say: func() string { return fmt.Sprintf("may have at most %s, has %d", plural(s.n, noun), got) }}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func (c *check) array(n *node, v canon.Value, depth int) *problem {
	if n.prefix == nil && n.items == nil && !n.unique && !n.minItems.has && !n.maxItems.has || !c.pay(v.Len()) {
		return nil
	}
	i := 0
	var first map[string]int
	if n.unique {
		first = make(map[string]int)
	}
	for item := range v.Elements() {
		if !c.pay(workOfElement) {
			return nil
		}
		schema := n.items
		if i < len(n.prefix) {
			schema = n.prefix[i]
		}
		if schema != nil {
			if p := c.value(schema, item, depth+1); p != nil {
				return p.in("[" + strconv.Itoa(i) + "]")
			}
		}
		if n.unique {
			k := string(c.appendKey(nil, item))
			if twin, twice := first[k]; twice && !c.spent() {
				return &problem{say: func() string { return fmt.Sprintf("must not hold anything twice, items %d and %d are equal", twin, i) }}
			}
			first[k] = i
		}
		i++
	}
	if p := n.minItems.least(i, "item"); p != nil {
		return p
	}
	return n.maxItems.most(i, "item")
}

// anyOf wants one of the schemas to fit. Of the reasons why none does it tells
// the one of the only schema for this type of value, or the one that got
// furthest.
func (c *check) anyOf(schemas []*node, v canon.Value, depth int) *problem {
	if len(schemas) == 0 {
		return nil
	}
	var allowed types
	var nearest *problem
	candidates := 0
	for _, schema := range schemas {
		p := c.value(schema, v, depth+1)
		if p == nil {
			return nil
		}
		if p.kind == wrongType && len(p.steps) == 0 {
			allowed |= p.expected
			continue
		}
		candidates++
		if nearest == nil || len(p.steps) > len(nearest.steps) {
			nearest = p
		}
	}
	switch candidates {
	case 0:
		return &problem{kind: wrongType, expected: allowed, say: func() string { return fmt.Sprintf("expected %v, got %s", allowed, describe(v)) }}
	case 1:
		return nearest
	}
	return &problem{say: func() string {
		text := nearest.sentence("member")
		if place := nearest.place(); place != "" {
			text = place + ": " + text
		}
		return fmt.Sprintf("fits none of the %d forms that it may have; nearest is: %s", len(schemas), text)
	}}
}

// oneOf wants exactly one of the schemas to fit. What fits as far as can be
// told here may still be refused by the library, so then the count says nothing.
func (c *check) oneOf(schemas []*node, v canon.Value, depth int) *problem {
	if len(schemas) == 0 {
		return nil
	}
	fits, unsure := 0, false
	for _, schema := range schemas {
		if c.value(schema, v, depth+1) == nil {
			fits++
			unsure = unsure || schema.rare
		}
		if c.spent() {
			return nil
		}
	}
	switch {
	case fits == 0:
		return c.anyOf(schemas, v, depth)
	case fits > 1 && !unsure:
		return &problem{say: func() string { return fmt.Sprintf("fits %d forms of which it may have only one", fits) }}
	}
	return nil
}
