package argcheck

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/spelling"
)

// object checks the members of an object.
func (c *check) object(n *node, v canon.Value, depth int) *problem {
	if n.properties == nil && n.required == nil && n.patterns == nil && n.additional == nil && !n.minProps.has && !n.maxProps.has ||
		!c.pay(v.Len()) {
		return nil
	}
	count, required := 0, 0
	var first *problem // in the value's order, which is what the caller wrote
	for name, member := range v.Members() {
		if !c.pay(workOfMember) {
			return first
		}
		count++
		if n.required[name] {
			required++
		}
		p := c.member(n, name, member, depth)
		if p != nil && p.kind == unexpected && len(p.steps) == 0 {
			return p // a name that is not there explains one that is missing
		}
		if first == nil {
			first = p
		}
	}
	if required < len(n.required) {
		if p := c.missing(n, v, count); p != nil {
			return p
		}
	}
	if first != nil {
		return first
	}
	if p := n.minProps.least(count, "member"); p != nil {
		return p
	}
	return n.maxProps.most(count, "member")
}

// missing returns the problem that an object of count members has one too few.
func (c *check) missing(n *node, v canon.Value, count int) *problem {
	if !c.pay(v.Len() + 2*workOfMember*count) {
		return nil
	}
	there := make(map[string]bool)
	for name := range v.Members() {
		if n.required[name] {
			there[name] = true
		}
	}
	for _, name := range n.requiredOrder {
		if !there[name] {
			return &problem{kind: missing, say: func() string { return quote(name) }}
		}
	}
	return nil
}

func (c *check) member(n *node, name string, member canon.Value, depth int) *problem {
	schema, named := n.properties[name]
	if named {
		if p := c.value(schema, member, depth+1); p != nil {
			return p.in(step(name))
		}
	}
	for _, p := range n.patterns {
		if p.pattern == nil {
			named = true // perhaps
			continue
		}
		if !c.pay(p.pattern.price(len(name))) {
			return nil
		}
		if p.pattern.MatchString(name) {
			named = true
			if p := c.value(p.schema, member, depth+1); p != nil {
				return p.in(step(name))
			}
		}
	}
	if named || n.additional == nil {
		return nil
	}
	if n.additional.never {
		return &problem{kind: unexpected, say: func() string { return quote(name) + n.hint(name) }}
	}
	if p := c.value(n.additional, member, depth+1); p != nil {
		return p.in(step(name))
	}
	return nil
}

// step returns how a member is named in a place.
func step(name string) string {
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return "[" + quote(name) + "]"
		}
	}
	if name == "" {
		return `[""]`
	}
	return "." + name
}

// hint says what a name that is not there may have been meant to be.
func (n *node) hint(name string) string {
	const most = 12
	if near := spelling.Nearest(name, n.names); near != "" {
		return fmt.Sprintf("; did you mean %s?", quote(near))
	}
	names := slices.Clone(n.names)
	if len(names) == 0 {
		return "; none is expected"
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return "; expected are " + strings.Join(names, ", ")
}

// quote quotes a name or a text, cut to a length that fits in a message.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
