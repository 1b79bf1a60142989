package discover

import (
	"strings"

	"toolplane/domain/canon"
)

// How far into a schema one looks.
const (
	maxHops     = 8 // references that lead to references
	maxVariants = 16
	maxVisits   = 64      // schemas that are combined to one
	maxReading  = 8 << 20 // bytes of schemas, each time they are read
	maxPointer  = 400     // bytes of a reference
)

// schemas reads the parts of one schema. What it reads is counted, since a small
// schema may stand for a very large one by references; once that is used up, the
// rest says nothing.
type schemas struct {
	root    canon.Value
	left    int                               // bytes that may still be read
	objects map[string]map[string]canon.Value // members of what pointers lead to
}

// newSchemas returns a reader; a schema too large to be looked into says
// nothing.
func newSchemas(root canon.Value) *schemas {
	if root.Len() > maxSchema {
		root = canon.Null()
	}
	return &schemas{root: root, left: maxReading, objects: make(map[string]map[string]canon.Value)}
}

// resolve follows the references that a schema consists of and returns the last
// of them, "" where there is none. One that leads nowhere, or in a circle, gives
// null, which says nothing.
func (s *schemas) resolve(schema canon.Value) (resolved canon.Value, pointer string) {
	for range maxHops {
		if s.left -= schema.Len(); s.left < 0 {
			return canon.Null(), ""
		}
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
func (s *schemas) lookup(pointer string) (canon.Value, bool) {
	if pointer == "#" {
		return s.root, true
	}
	if !strings.HasPrefix(pointer, "#/") || len(pointer) > maxPointer {
		return canon.Value{}, false
	}
	slash := strings.LastIndexByte(pointer, '/')
	members, known := s.objects[pointer[:slash]]
	if !known {
		parent, ok := s.lookup(pointer[:slash])
		if !ok {
			return canon.Value{}, false
		}
		s.left -= parent.Len()
		members = make(map[string]canon.Value)
		for name, member := range parent.Members() {
			members[name] = member
		}
		s.objects[pointer[:slash]] = members
	}
	found, ok := members[pointerEscapes.Replace(pointer[slash+1:])]
	return found, ok
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
func (s *schemas) fields(schema canon.Value) []field {
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
func (s *schemas) hasFields(schema canon.Value) bool {
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
	*schemas
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
