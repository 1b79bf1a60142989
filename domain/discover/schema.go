package discover

import (
	"strings"

	"toolplane/domain/canon"
)

// How far into a schema one looks.
const (
	maxHops     = 8 // references that lead to references
	maxVariants = 16
	maxVisits   = 64 // schemas that are combined to one
)

// schemas reads the parts of one schema.
type schemas struct{ root canon.Value }

// newSchemas returns a reader; a schema too large to be looked into says
// nothing.
func newSchemas(root canon.Value) schemas {
	if root.Len() > maxSchema {
		root = canon.Null()
	}
	return schemas{root: root}
}

// resolve follows the references that a schema consists of and returns the last
// of them, "" where there is none. One that leads nowhere, or in a circle, gives
// null, which says nothing.
func (s schemas) resolve(schema canon.Value) (resolved canon.Value, pointer string) {
	for range maxHops {
		ref, _ := schema.Member("$ref")
		next, ok := ref.Text()
		if !ok {
			return schema, pointer
		}
		pointer = next
		if schema, ok = s.lookup(pointer); !ok {
			return canon.Null(), ""
		}
	}
	return canon.Null(), ""
}

// pointerEscapes undoes the escapes of RFC 6901.
var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// lookup finds what a local JSON pointer such as "#/$defs/Query" names.
func (s schemas) lookup(pointer string) (canon.Value, bool) {
	path, ok := strings.CutPrefix(pointer, "#")
	if !ok {
		return canon.Value{}, false
	}
	at := s.root
	if path == "" {
		return at, true
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		step = pointerEscapes.Replace(step)
		if at, ok = at.Member(step); !ok {
			return canon.Value{}, false
		}
	}
	return at, true
}

// field is a member that an object may have.
type field struct {
	name     string
	schema   canon.Value
	required bool
}

// fields returns the members that a schema describes, the required ones first:
// its own and those of all schemas that it combines. Where it is only a choice
// between objects, the members of each are there, none of them required.
func (s schemas) fields(schema canon.Value) []field {
	c := fieldCollector{schemas: s, at: make(map[string]int)}
	c.collect(schema, 0, true)
	if len(c.list) == 0 {
		resolved, _ := s.resolve(schema)
		for choice := range alternatives(resolved) {
			c.collect(choice, 1, false)
		}
	}
	ordered := make([]field, 0, len(c.list))
	for _, required := range []bool{true, false} {
		for _, f := range c.list {
			if f.required == required {
				ordered = append(ordered, f)
			}
		}
	}
	return ordered
}

// hasFields tells whether a schema describes members, without naming them.
func (s schemas) hasFields(schema canon.Value) bool {
	properties, _ := schema.Member("properties")
	for range properties.Members() {
		return true
	}
	all, _ := schema.Member("allOf")
	if all.Kind() != canon.KindArray {
		return false
	}
	return len(s.fields(schema)) > 0
}

type fieldCollector struct {
	schemas
	list   []field
	at     map[string]int
	visits int
}

func (c *fieldCollector) collect(schema canon.Value, depth int, binding bool) {
	if c.visits++; depth > maxTypeDepth || c.visits > maxVisits {
		return
	}
	schema, _ = c.resolve(schema)
	properties, _ := schema.Member("properties")
	for name, property := range properties.Members() {
		if _, known := c.at[name]; known {
			continue
		}
		c.at[name] = len(c.list)
		c.list = append(c.list, field{name: name, schema: property})
	}
	required, _ := schema.Member("required")
	for name := range required.Elements() {
		if text, ok := name.Text(); ok && binding {
			if i, known := c.at[text]; known {
				c.list[i].required = true
			}
		}
	}
	n := 0
	all, _ := schema.Member("allOf")
	for part := range all.Elements() {
		if n++; n > maxVariants {
			return
		}
		c.collect(part, depth+1, binding)
	}
}

// alternatives iterates over the schemas of which one, or some, must hold.
func alternatives(schema canon.Value) func(yield func(canon.Value) bool) {
	return func(yield func(canon.Value) bool) {
		for _, union := range []string{"anyOf", "oneOf"} {
			n := 0
			members, _ := schema.Member(union)
			for member := range members.Elements() {
				if n++; n > maxVariants || !yield(member) {
					return
				}
			}
		}
	}
}

// takesAnything reports whether a schema without properties says, or leaves
// open, that there are members.
func takesAnything(schema canon.Value) bool {
	more, said := schema.Member("additionalProperties")
	if said {
		allowed, isBool := more.Bool()
		return !isBool || allowed
	}
	kind, _ := schema.Member("type")
	text, _ := kind.Text()
	return text != "object"
}
