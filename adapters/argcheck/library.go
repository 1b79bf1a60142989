package argcheck

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/google/jsonschema-go/jsonschema"

	"toolplane/domain/canon"
)

// library decides on whole schemas.
type library struct{ resolved *jsonschema.Resolved }

// newLibrary prepares a schema, which compile has found to be free of circles.
// Of the schema it passes on just what compile understood: the library matches
// keywords whatever their case, so it would follow a "$Ref" that compile took
// for an unknown keyword, and end the process by following it in a circle.
func newLibrary(schema canon.Value) (l *library, err error) {
	defer func() {
		if r := recover(); r != nil {
			l, err = nil, fmt.Errorf("the library gave up: %v", r)
		}
	}()
	version, _ := schema.Member("$schema")
	text, _ := version.Text()
	u := understood{root: schema, old: isOld(text)}
	copied, err := u.copied()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(copied)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if u.old {
		s.Schema = "http://json-schema.org/draft-07/schema#"
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, err
	}
	return &library{resolved}, nil
}

// fits reports whether a value fits. Where the library cannot say, it does.
func (l *library) fits(v canon.Value) (fits bool) {
	defer func() {
		if recover() != nil {
			fits = true
		}
	}()
	return l.resolved.Validate(plainValue(v)) == nil
}

// plainValue returns a value as the library takes it: integers beyond 64 bits
// are the nearest float.
func plainValue(v canon.Value) any {
	switch v.Kind() {
	case canon.KindBool:
		b, _ := v.Bool()
		return b
	case canon.KindInteger:
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
	case canon.KindFloat:
		f, _ := v.Float64()
		return f
	case canon.KindString:
		text, _ := v.Text()
		return text
	case canon.KindArray:
		list := []any{}
		for element := range v.Elements() {
			list = append(list, plainValue(element))
		}
		return list
	case canon.KindObject:
		members := make(map[string]any)
		for name, member := range v.Members() {
			members[name] = plainValue(member)
		}
		return members
	default:
		return nil
	}
}

// estimate bounds what the library will do, which cannot be stopped once it has
// begun: it visits every schema that the library could visit.
type estimate struct{ work int }

// visit reports whether the work is within its bound.
func (e *estimate) visit(n *node, v canon.Value, depth int) bool {
	// In about nanoseconds. A refusal is put in words at every level that it
	// passes, which may quote the value and the schema.
	const workOfLibrary, workOfLevel, workOfByte = 1000, 50, 20
	e.work -= workOfLibrary + workOfLevel*depth + workOfByte*(v.Len()+n.size)
	if e.work <= 0 || depth > maxDepth {
		return false
	}
	for _, schema := range n.inPlace {
		if !e.visit(schema, v, depth+1) {
			return false
		}
	}
	switch v.Kind() {
	case canon.KindArray:
		return e.array(n, v, depth)
	case canon.KindObject:
		return e.object(n, v, depth)
	}
	return true
}

func (e *estimate) array(n *node, v canon.Value, depth int) bool {
	e.work -= v.Len()
	i := 0
	for element := range v.Elements() {
		schemas := n.elements
		if n.items != nil {
			schemas = append(schemas[:len(schemas):len(schemas)], n.items)
		}
		if i < len(n.prefix) {
			schemas = append(schemas[:len(schemas):len(schemas)], n.prefix[i])
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
	e.work -= v.Len()
	for name, member := range v.Members() {
		schemas := n.members
		for _, p := range n.patterns {
			schemas = append(schemas[:len(schemas):len(schemas)], p.schema)
		}
		if schema := n.properties[name]; schema != nil {
			schemas = append(schemas[:len(schemas):len(schemas)], schema)
		}
		if n.additional != nil {
			schemas = append(schemas[:len(schemas):len(schemas)], n.additional)
		}
		for _, schema := range schemas {
			if !e.visit(schema, member, depth+1) {
				return false
			}
		}
		for _, schema := range n.nouns {
			if !e.visit(schema, canon.Null(), depth+1) {
				return false
			}
		}
	}
	return true
}
