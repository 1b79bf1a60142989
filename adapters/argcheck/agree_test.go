package argcheck_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"

	"toolplane/adapters/argcheck"
	"toolplane/domain/canon"
)

// schemas draws schemas of the keywords that are decided without the library.
func schemas(depth int) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		s := make(map[string]any)
		put := func(keyword string, draw func() any) {
			if rapid.IntRange(0, 3).Draw(t, keyword+"?") == 0 {
				s[keyword] = draw()
			}
		}
		kinds := rapid.SampledFrom([]string{"string", "integer", "number", "boolean", "null", "array", "object"})
		small := rapid.IntRange(0, 3)
		put("type", func() any { return kinds.Draw(t, "type") })
		if len(s) == 0 {
			put("type", func() any { return rapid.SliceOfN(kinds, 1, 3).Draw(t, "types") })
		}
		put("enum", func() any { return rapid.SliceOfN(values(1), 1, 4).Draw(t, "enum") })
		put("minimum", func() any { return small.Draw(t, "minimum") })
		put("exclusiveMaximum", func() any { return small.Draw(t, "maximum") })
		put("minLength", func() any { return small.Draw(t, "minLength") })
		put("maxLength", func() any { return small.Draw(t, "maxLength") })
		put("pattern", func() any { return rapid.SampledFrom([]string{"a", "^b", "^$"}).Draw(t, "pattern") })
		put("minItems", func() any { return small.Draw(t, "minItems") })
		put("maxItems", func() any { return small.Draw(t, "maxItems") })
		put("uniqueItems", func() any { return true })
		put("maxProperties", func() any { return small.Draw(t, "maxProperties") })
		put("required", func() any { return rapid.SliceOfN(names, 0, 2).Draw(t, "required") })
		if depth == 0 {
			return s
		}
		child := rapid.OneOf(rapid.Map(schemas(depth-1), func(m map[string]any) any { return m }), rapid.Just[any](true), rapid.Just[any](false),
			rapid.Just[any](map[string]any{"$ref": "#/$defs/r"}))
		put("properties", func() any { return rapid.MapOfN(names, child, 0, 3).Draw(t, "properties") })
		put("patternProperties", func() any { return map[string]any{"^b": child.Draw(t, "patternProperty")} })
		put("additionalProperties", func() any { return child.Draw(t, "additional") })
		put("items", func() any { return child.Draw(t, "items") })
		put("prefixItems", func() any { return rapid.SliceOfN(child, 0, 2).Draw(t, "prefix") })
		for _, union := range []string{"anyOf", "oneOf", "allOf"} {
			put(union, func() any { return rapid.SliceOfN(child, 1, 3).Draw(t, union) })
		}
		return s
	})
}

var names = rapid.SampledFrom([]string{"a", "b", "bb", ""})

// values draws JSON values as encoding/json has them.
func values(depth int) *rapid.Generator[any] {
	plain := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.IntRange(-2, 4), func(n int) any { return float64(n) }), rapid.Map(rapid.IntRange(-2, 4), func(n int) any { return float64(n) / 2 }),
		rapid.Map(rapid.StringMatching("[abé]{0,4}"), func(s string) any { return s }),
	}
	if depth == 0 {
		return rapid.OneOf(plain...)
	}
	return rapid.OneOf(append(plain,
		rapid.Map(rapid.SliceOfN(values(depth-1), 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(names, values(depth-1), 0, 3), func(m map[string]any) any { return m }),
	)...)
}

func TestCheckAgreesWithTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := schemas(2).Draw(t, "schema")
		schema["$defs"] = map[string]any{"r": schemas(0).Draw(t, "reference")}
		text := encode(t, schema)
		var s jsonschema.Schema
		if err := s.UnmarshalJSON(text); err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		v, err := canon.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		check, err := argcheck.Checker{}.Compile(v)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for range 5 {
			args := values(3).Draw(t, "value")
			data := encode(t, args)
			parsed, err := canon.Parse(data)
			if err != nil {
				t.Fatal(err)
			}
			ours, theirs := check(parsed), resolved.Validate(args)
			if (ours == nil) != (theirs == nil) {
				t.Fatalf("schema %s\nvalue %s\nours: %v\ntheirs: %v", text, data, ours, theirs)
			}
		}
	})
}

func encode(t *rapid.T, v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
