package discover

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
)

// What the type of one thing shows at most.
const (
	maxTypeDepth = 4   // nesting, references included
	maxMembers   = 8   // members of an object written out, of a union
	maxTypes     = 160 // types and values in all that one capability's text spells out
	maxTypeName  = 40  // bytes of a name
)

// typist writes the Python types of a schema's parts. An object that the schema
// names with a reference is written by that name; mentioned says what the names
// stand for.
type typist struct {
	*schemas
	inline    bool // objects without a name are written out
	choices   int  // values of an enum that are shown
	literal   int  // bytes of a value that are shown
	words     int  // types and values that may still be spelt out
	mentioned []named
}

// named is an object schema with the name that stands for it.
type named struct {
	name    string
	pointer string
	schema  canon.Value
}

func newTypist(root canon.Value) *typist {
	return &typist{schemas: newSchemas(root), inline: true, choices: maxMembers, literal: 40, words: maxTypes}
}

// name returns the type that a schema describes, "Any" where it does not say.
func (t *typist) name(schema canon.Value, depth int) string {
	if depth >= maxTypeDepth || t.words <= 0 {
		return "Any"
	}
	t.words--
	schema, pointer := t.resolve(schema)
	if pointer != "" && t.hasFields(schema) {
		return t.mention(pointer, schema)
	}
	if choices, ok := schema.Member("enum"); ok && choices.Kind() == canon.KindArray {
		return t.enum(choices)
	}
	if only, ok := schema.Member("const"); ok {
		return t.value(only)
	}
	var parts []string
	for choice := range alternatives(schema) {
		parts = append(parts, t.name(choice, depth+1))
	}
	kind, _ := schema.Member("type")
	if len(parts) == 0 {
		for one := range kind.Elements() {
			if len(parts) <= maxMembers {
				parts = append(parts, t.single(one, schema, depth))
			}
		}
	}
	if len(parts) > 0 {
		// None last, as one writes it.
		slices.SortStableFunc(parts, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
		return t.union(parts, maxMembers)
	}
	if all, ok := schema.Member("allOf"); ok && kind.IsNull() && !t.hasFields(schema) {
		for member := range all.Elements() {
			return t.name(member, depth+1)
		}
	}
	return t.single(kind, schema, depth)
}

func rank(part string) int {
	if part == "None" {
		return 1
	}
	return 0
}

// single returns the Python type for one JSON type.
func (t *typist) single(kind, schema canon.Value, depth int) string {
	text, _ := kind.Text()
	switch text {
	case "string":
		return "str"
	case "integer":
		return "int"
	case "number":
		return "float"
	case "boolean":
		return "bool"
	case "null":
		return "None"
	case "object":
		return t.object(schema, depth)
	case "array":
		if items, ok := schema.Member("items"); ok && items.Kind() == canon.KindObject {
			return "list[" + t.name(items, depth+1) + "]"
		}
		return "list"
	}
	if t.hasFields(schema) {
		return t.object(schema, depth)
	}
	if _, ok := schema.Member("properties"); ok {
		return "dict"
	}
	return "Any"
}

// object writes an object out, {"name": type, "optional"?: type}, or returns
// dict where that is not wanted or says nothing.
func (t *typist) object(schema canon.Value, depth int) string {
	if !t.hasFields(schema) {
		if values, ok := schema.Member("additionalProperties"); ok && values.Kind() == canon.KindObject {
			if of := t.name(values, depth+1); of != "Any" {
				return "dict[str, " + of + "]"
			}
		}
		return "dict"
	}
	if !t.inline || depth+1 >= maxTypeDepth {
		return "dict"
	}
	return t.members(t.fields(schema), depth)
}

func (t *typist) members(fields []field, depth int) string {
	var parts []string
	for i, f := range fields {
		if i == maxMembers || t.words <= 0 {
			parts = append(parts, "...")
			break
		}
		optional := "?"
		if f.required {
			optional = ""
		}
		parts = append(parts, quote(f.name, maxTypeName)+optional+": "+t.name(f.schema, depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// mention returns the name of the object that a reference leads to.
func (t *typist) mention(pointer string, schema canon.Value) string {
	for _, known := range t.mentioned {
		if known.pointer == pointer {
			return known.name
		}
	}
	name := capability.Identifier(pointer[strings.LastIndexAny(pointer, "/#")+1:])
	if name == "" {
		name = "Object"
	}
	name = name[:min(len(name), maxTypeName)]
	for n, base := 2, name; t.taken(name); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	t.mentioned = append(t.mentioned, named{name, pointer, schema})
	return name
}

func (t *typist) taken(name string) bool {
	for _, known := range t.mentioned {
		if known.name == name {
			return true
		}
	}
	return false
}

func (t *typist) enum(list canon.Value) string {
	var parts []string
	for choice := range list.Elements() {
		if t.words--; t.words < 0 || len(parts) > t.choices {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, t.value(choice))
	}
	return t.union(parts, t.choices)
}

// union makes a union of types, each once and up to a number of them.
func (t *typist) union(parts []string, most int) string {
	seen := make(map[string]bool)
	var kept []string
	for _, part := range parts {
		if seen[part] {
			continue
		}
		if len(kept) == most {
			kept = append(kept, "...")
			break
		}
		seen[part] = true
		kept = append(kept, part)
	}
	if len(kept) == 0 {
		return "Any"
	}
	return strings.Join(kept, " | ")
}

// value returns a value in Python's notation, "..." where it is too long.
func (t *typist) value(v canon.Value) string { return pythonLiteral(v, t.literal) }

func pythonLiteral(v canon.Value, most int) string {
	if v.Len() > most {
		return "..."
	}
	switch v.Kind() {
	case canon.KindNull:
		return "None"
	case canon.KindBool:
		if b, _ := v.Bool(); b {
			return "True"
		}
		return "False"
	case canon.KindString:
		text, _ := v.Text()
		return quote(text, most)
	case canon.KindArray:
		var parts []string
		for element := range v.Elements() {
			parts = append(parts, pythonLiteral(element, most))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case canon.KindObject:
		var parts []string
		for name, member := range v.Members() {
			parts = append(parts, quote(name, most)+": "+pythonLiteral(member, most))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		return string(v.Bytes())
	}
}

// quote quotes a text as Python and Go both read it, cut to most bytes.
func quote(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
