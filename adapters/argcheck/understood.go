package argcheck

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"toolplane/domain/canon"
)

// understood makes a copy of a schema that holds the keywords that compile
// reads, spelled exactly, and nothing else. What it refers to is copied into its
// $defs, from wherever that stands. Patterns that Go does not know are left out.
type understood struct {
	root  canon.Value
	old   bool
	names map[string]string // of what is referred to, by pointer
	todo  []string          // pointers whose targets are not copied yet
	fails error             // why the library cannot decide, nil if it can
}

// copied returns the copy of a schema that compile has read without an error.
func (u *understood) copied() (any, error) {
	u.names = map[string]string{"": "#"}
	out := u.schema(u.root)
	defs := map[string]any{}
	for len(u.todo) > 0 {
		pointer := u.todo[0]
		u.todo = u.todo[1:]
		target, _ := follow(u.root, pointer)
		defs[strings.TrimPrefix(u.names[pointer], "#/$defs/")] = u.schema(target)
	}
	if members, ok := out.(map[string]any); ok && len(defs) > 0 {
		members["$defs"] = defs
	}
	return out, u.fails
}

func (u *understood) schema(schema canon.Value) any {
	if schema.Kind() != canon.KindObject {
		return json.RawMessage(schema.Bytes())
	}
	if ref, ok := schema.Member("$ref"); ok && u.old {
		return map[string]any{"$ref": u.reference(ref)}
	}
	out := make(map[string]any)
	for keyword, value := range schema.Members() {
		if copied := u.keyword(keyword, value); copied != nil {
			out[keyword] = copied
		}
	}
	u.tuple(out)
	u.withoutUnknownPatterns(out)
	return out
}

// reference returns where in the copy the target of a reference is.
func (u *understood) reference(ref canon.Value) string {
	text, _ := ref.Text()
	pointer, _ := url.PathUnescape(strings.TrimPrefix(text, "#"))
	name, ok := u.names[pointer]
	if !ok {
		name = "#/$defs/" + strconv.Itoa(len(u.names))
		u.names[pointer] = name
		u.todo = append(u.todo, pointer)
	}
	return name
}

// tuple writes the items of an array one by one as they are written since draft
// 2020-12.
func (u *understood) tuple(out map[string]any) {
	switch _, isTuple := out["items"].([]any); {
	case u.old:
		delete(out, "prefixItems")
		return
	case !isTuple:
		delete(out, "additionalItems")
		return
	}
	if out["prefixItems"] == nil {
		out["prefixItems"] = out["items"]
	}
	delete(out, "items")
	if rest := out["additionalItems"]; rest != nil {
		out["items"] = rest
		delete(out, "additionalItems")
	}
}

// keyword returns what to keep of a keyword's value, or nil.
func (u *understood) keyword(keyword string, value canon.Value) any {
	switch keyword {
	case "not", "if", "then", "else", "contains", "unevaluatedItems", "additionalItems",
		"unevaluatedProperties", "additionalProperties", "propertyNames":
		return u.schema(value)
	case "items":
		if value.Kind() == canon.KindArray {
			return u.list(value)
		}
		return u.schema(value)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return u.list(value)
	case "properties", "patternProperties", "dependentSchemas", "dependencies":
		return u.named(value)
	case "$ref":
		return u.reference(value)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		const exact = 1 << 53
		if f, ok := value.Float64(); !ok || f <= -exact || f >= exact {
			u.fails = fmt.Errorf("the limit %.40s is too large", value.Bytes())
		}
		return json.RawMessage(value.Bytes())
	case "type", "enum", "const", "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains",
		"minProperties", "maxProperties", "required", "dependentRequired":
		return json.RawMessage(value.Bytes())
	}
	return nil
}

func (u *understood) list(schemas canon.Value) any {
	if schemas.Kind() != canon.KindArray {
		return json.RawMessage(schemas.Bytes())
	}
	out := []any{}
	for schema := range schemas.Elements() {
		out = append(out, u.schema(schema))
	}
	return out
}

// named copies schemas by name; in the place of a schema, dependencies may have
// a list of names.
func (u *understood) named(schemas canon.Value) any {
	if schemas.Kind() != canon.KindObject {
		return json.RawMessage(schemas.Bytes())
	}
	out := make(map[string]any)
	for name, schema := range schemas.Members() {
		out[name] = u.schema(schema)
	}
	return out
}

// withoutUnknownPatterns takes away the patterns that Go does not know, and what
// depends on which names they match.
func (*understood) withoutUnknownPatterns(schema map[string]any) {
	if raw, ok := schema["pattern"].(json.RawMessage); ok {
		var text string
		if json.Unmarshal(raw, &text) == nil && compilePattern(text) == nil {
			delete(schema, "pattern")
		}
	}
	patterns, _ := schema["patternProperties"].(map[string]any)
	for pattern := range patterns {
		if compilePattern(pattern) == nil {
			delete(patterns, pattern)
			delete(schema, "additionalProperties")
			delete(schema, "unevaluatedProperties")
		}
	}
}
