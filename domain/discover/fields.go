package discover

import (
	"strings"

	"toolplane/domain/canon"
)

// fields adds a line for each member of an object, and below it what the member
// holds itself.
func (s *sheet) fields(fields []field, depth int) {
	indent := strings.Repeat("  ", depth)
	for _, f := range fields {
		if s.full {
			return
		}
		s.line(indent + "- " + code(shown(f.name)) + " (" + s.facts(f) + ")" + s.remark(f.schema))
		s.members(f.schema, depth+1)
	}
}

// shown is a member's name as it is shown: itself, or quoted where that could
// mislead.
func shown(name string) string {
	if name == clean(name, 2*maxTypeName) && name != "" {
		return name
	}
	return quote(name, 2*maxTypeName)
}

// facts are the type of a member and what its values must be like.
func (s *sheet) facts(f field) string {
	facts := []string{code(s.types.name(f.schema, 0)), "required"}
	if !f.required {
		facts[1] = "optional"
	}
	if value, ok := s.types.said(f.schema, "default"); ok {
		facts = append(facts, "default "+code(s.types.value(value)))
	}
	resolved, _ := s.types.resolve(f.schema)
	for _, rule := range [...]struct{ word, text string }{
		{"format", "format"},
		{"contentEncoding", "encoded as"},
		{"pattern", "pattern"},
		{"minimum", "at least"},
		{"exclusiveMinimum", "more than"},
		{"maximum", "at most"},
		{"exclusiveMaximum", "less than"},
		{"multipleOf", "a multiple of"},
		{"minLength", "minimum length"},
		{"maxLength", "maximum length"},
		{"minItems", "minimum items"},
		{"maxItems", "maximum items"},
	} {
		if value, ok := resolved.Member(rule.word); ok {
			facts = append(facts, rule.text+" "+s.rule(value))
		}
	}
	if deprecated, ok := resolved.Member("deprecated"); ok {
		if yes, _ := deprecated.Bool(); yes {
			facts = append(facts, "deprecated")
		}
	}
	if examples, ok := resolved.Member("examples"); ok {
		for example := range examples.Elements() {
			facts = append(facts, "for example "+code(s.types.value(example)))
			break
		}
	}
	return strings.Join(facts, ", ")
}

// rule shows the value of a rule: numbers plainly, texts as they are.
func (s *sheet) rule(value canon.Value) string {
	if text, ok := value.Text(); ok {
		return code(clean(text, longLiteral))
	}
	return code(s.types.value(value))
}

func (s *sheet) remark(schema canon.Value) string {
	remark, _ := s.types.said(schema, "description")
	text, ok := remark.Text()
	if !ok {
		remark, _ = s.types.said(schema, "title")
		text, ok = remark.Text()
	}
	if text = prose(text, maxRemark); !ok || text == "" {
		return ""
	}
	return ": " + text
}

// members adds lines for the objects that a member holds: itself, the elements
// of a list, the values of a dict, the alternatives of a union. What a reference
// leads to is shown once.
func (s *sheet) members(schema canon.Value, depth int) {
	if depth > maxFieldDepth {
		return
	}
	objects := s.objects(schema, 0, nil)
	for _, o := range objects {
		if o.pointer != "" {
			if s.expanded[o.pointer] {
				continue
			}
			s.expanded[o.pointer] = true
		}
		fields := s.types.fields(o.schema)
		if len(objects) == 1 {
			s.fields(fields, depth)
			continue
		}
		name := "dict"
		if o.pointer != "" {
			name = s.types.mention(o.pointer, o.schema)
		}
		s.line(strings.Repeat("  ", depth) + "- as " + code(name) + ":")
		s.fields(fields, depth+1)
	}
}

// objects collects the object schemas directly within a schema.
func (s *sheet) objects(schema canon.Value, depth int, found []named) []named {
	if s.looks++; depth > maxTypeDepth || len(found) > maxMembers || s.looks > maxLooks {
		return found
	}
	schema, pointer := s.types.resolve(schema)
	if s.types.hasFields(schema) {
		return append(found, named{pointer: pointer, schema: schema})
	}
	for _, word := range []string{"items", "additionalProperties"} {
		if inner, ok := schema.Member(word); ok && inner.Kind() == canon.KindObject {
			found = s.objects(inner, depth+1, found)
		}
	}
	for choice := range alternatives(schema) {
		found = s.objects(choice, depth+1, found)
	}
	all, _ := schema.Member("allOf")
	for part := range all.Elements() {
		found = s.objects(part, depth+1, found)
	}
	return found
}
