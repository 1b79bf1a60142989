package argcheck

import (
	"math"
	"slices"

	"toolplane/domain/canon"
)

// estimate bounds what the library will do, which cannot be stopped once it has
// begun: it visits every schema that the library could visit.
type estimate struct{ work }

// What the library does, in about nanoseconds. A refusal is put in words at
// every level that it passes, which may quote the value and the schema.
const (
	workOfLibrary   = 1000
	workOfLevel     = 50
	workOfByte      = 20
	workOfCollision = 20 // two elements whose hashes are the same
)

// visit reports whether the work is within its bound.
func (e *estimate) visit(n *node, v canon.Value, depth int) bool {
	if !e.pay(workOfLibrary+workOfLevel*depth+workOfByte*(v.Len()+n.size)) || depth > maxDepth {
		return false
	}
	if n.only != nil && !e.pay(workOfLibrary*len(n.only.values)) {
		return false
	}
	for _, schema := range n.inPlace {
		if !e.visit(schema, v, depth+1) {
			return false
		}
	}
	switch v.Kind() {
	case canon.KindString:
		return n.pattern == nil || e.pay(n.pattern.price(v.Len()))
	case canon.KindArray:
		return e.array(n, v, depth)
	case canon.KindObject:
		return e.object(n, v, depth)
	}
	return true
}

func (e *estimate) array(n *node, v canon.Value, depth int) bool {
	if !e.pay(v.Len()) {
		return false
	}
	i := 0
	for element := range v.Elements() {
		if !e.pay(workOfElement) {
			return false
		}
		if n.unique && !e.pay(workOfCollision*i) { // whoever knows how it hashes makes all collide
			return false
		}
		schemas := slices.Clone(n.elements)
		if n.items != nil {
			schemas = append(schemas, n.items)
		}
		if i < len(n.prefix) {
			schemas = append(schemas, n.prefix[i])
		}
		for _, schema := range schemas {
			if !e.visit(schema, element, depth+1) {
				return false
			}
		}
		i++
	}
	return true
}

func (e *estimate) object(n *node, v canon.Value, depth int) bool {
	if !e.pay(v.Len()) {
		return false
	}
	for name, member := range v.Members() {
		if !e.pay(workOfMember) {
			return false
		}
		schemas := slices.Clone(n.members)
		for _, p := range n.patterns {
			if p.pattern != nil && !e.pay(p.pattern.price(len(name))) {
				return false
			}
			schemas = append(schemas, p.schema)
		}
		if schema := n.properties[name]; schema != nil {
			schemas = append(schemas, schema)
		}
		if n.additional != nil {
			schemas = append(schemas, n.additional)
		}
		for _, schema := range schemas {
			if !e.visit(schema, member, depth+1) {
				return false
			}
		}
		if !e.nouns(n, name, depth) {
			return false
		}
	}
	return true
}

func (e *estimate) nouns(n *node, name string, depth int) bool {
	if len(n.nouns) == 0 {
		return true
	}
	text, _ := canon.Text(name) // a name is valid UTF-8
	for _, schema := range n.nouns {
		if !e.visit(schema, text, depth+1) {
			return false
		}
	}
	return true
}

// plain returns a value as the library takes it: integers beyond 64 bits are the
// nearest float. Once the work is spent it is of no use.
func (e *estimate) plain(v canon.Value) any {
	if !e.pay(workOfKey + workOfKeyByte*v.Len()) {
		return nil
	}
	switch v.Kind() {
	case canon.KindBool:
		b, _ := v.Bool()
		return b
	case canon.KindInteger:
		return plainInteger(v)
	case canon.KindFloat:
		f, _ := v.Float64()
		return f
	case canon.KindString:
		text, _ := v.Text()
		return text
	case canon.KindArray:
		list := []any{}
		for element := range v.Elements() {
			if list = append(list, e.plain(element)); e.spent() {
				break
			}
		}
		return list
	case canon.KindObject:
		members := make(map[string]any)
		for name, member := range v.Members() {
			if members[name] = e.plain(member); e.spent() {
				break
			}
		}
		return members
	default:
		return nil
	}
}

func plainInteger(v canon.Value) any {
	if whole, ok := v.Int64(); ok {
		return whole
	}
	if f, ok := v.Float64(); ok {
		return f
	}
	if v.Bytes()[0] == '-' {
		return -math.MaxFloat64
	}
	return math.MaxFloat64
}
