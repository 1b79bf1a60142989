package argcheck

import (
	"encoding/json"

	"toolplane/domain/canon"
)

// understood makes a copy of a schema that holds the keywords that compile
// reads, spelled exactly, and nothing else. Patterns that Go does not know are
// left out.
type understood struct{ old bool }

func (u understood) schema(schema canon.Value) any {
	if schema.Kind() != canon.KindObject {
		return json.RawMessage(schema.Bytes())
	}
	if ref, ok := schema.Member("$ref"); ok && u.old {
		return map[string]any{"$ref": json.RawMessage(ref.Bytes())}
	}
	out := make(map[string]any)
	for keyword, value := range schema.Members() {
		if copied := u.keyword(keyword, value); copied != nil {
			out[keyword] = copied
		}
	}
	u.withoutUnknownPatterns(out)
	return out
}

// keyword returns what to keep of a keyword's value, or nil.
func (u understood) keyword(keyword string, value canon.Value) any {
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
	case "properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions":
		return u.named(value)
	case "$ref", "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "minContains", "maxContains",
		"minProperties", "maxProperties", "required", "dependentRequired":
		return json.RawMessage(value.Bytes())
	}
	return nil
}

func (u understood) list(schemas canon.Value) any {
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
func (u understood) named(schemas canon.Value) any {
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
func (understood) withoutUnknownPatterns(schema map[string]any) {
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
