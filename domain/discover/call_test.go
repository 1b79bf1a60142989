package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/discover"
)

func shape(t *testing.T, schema string) string {
	t.Helper()
	found, err := index(describe(t, "mcp:up/f", "", schema)).Describe([]string{"up.f"}, discover.Brief)
	if err != nil {
		t.Fatal(err)
	}
	call, comment, _ := strings.Cut(strings.TrimPrefix(found[0].Call, "await up.f("), ")  # ")
	if comment != "" {
		return call + " # " + comment
	}
	return strings.TrimSuffix(call, ")")
}

func TestCallShapes(t *testing.T) {
	deep := strings.Repeat(`{"type":"array","items":`, 6) + `{}` + strings.Repeat(`}`, 6)
	nested := strings.Repeat(`{"type":"object","properties":{"a":`, 6) + `{}` + strings.Repeat(`}}`, 6)
	for _, c := range []struct{ name, schema, want string }{
		{"no schema", `null`, "**arguments"},
		{"no parameters", `{"type":"object"}`, ""},
		{"closed", `{"type":"object","properties":{},"additionalProperties":false}`, ""},
		{"open", `{"type":"object","additionalProperties":true}`, "**arguments"},
		{"says nothing", `{}`, "**arguments"},
		{
			"required first, in the schema's order",
			`{"type":"object","properties":{"limit":{"type":"integer","default":20},"query":{"type":"string"},"team":{"type":"string"}},"required":["team","query"]}`,
			"query: str, team: str, limit: int = 20",
		},
		{"primitive types", `{"properties":{"a":{"type":"string"},"b":{"type":"number"},"c":{"type":"boolean"},"d":{"type":"object"},"e":{"type":"array"},"f":{"type":"null"},"g":{}},"required":["a","b","c","d","e","f","g"]}`, "a: str, b: float, c: bool, d: dict, e: list, f: None, g: Any"},
		{"left out without a default", `{"properties":{"a":{"type":"string"}}}`, "a: str = ..."},
		{"defaults", `{"properties":{"a":{"default":null},"b":{"default":true},"c":{"default":"x\"y"},"d":{"default":[1,false]},"e":{"default":{"k":null}},"f":{"default":1.5}}}`, `a: Any = None, b: Any = True, c: Any = "x\"y", d: Any = [1, False], e: Any = {"k": None}, f: Any = 1.5`},
		{"long default", `{"properties":{"a":{"default":"` + strings.Repeat("x", 100) + `"}}}`, "a: Any = ..."},
		{"list of", `{"properties":{"a":{"type":"array","items":{"type":"string"}}},"required":["a"]}`, "a: list[str]"},
		{"enum", `{"properties":{"a":{"enum":["x","y",null,1]}},"required":["a"]}`, `a: "x" | "y" | None | 1`},
		{"long enum", `{"properties":{"a":{"enum":[1,2,3,4,5,6,7,8,9,10]}},"required":["a"]}`, `a: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | ...`},
		{"const", `{"properties":{"a":{"const":"v1"}},"required":["a"]}`, `a: "v1"`},
		{"union of types", `{"properties":{"a":{"type":["string","null"]}},"required":["a"]}`, "a: str | None"},
		{"None stands last", `{"properties":{"a":{"type":["null","array"],"items":{"type":"string"}},"b":{"anyOf":[{"type":"null"},{"type":"string"}]}},"required":["a","b"]}`, "a: list[str] | None, b: str | None"},
		{"anyOf", `{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}}}`, "a: int | None = None"},
		{"oneOf with the same type twice", `{"properties":{"a":{"oneOf":[{"type":"string","minLength":1},{"type":"string"}]}},"required":["a"]}`, "a: str"},
		{"allOf of one", `{"properties":{"a":{"allOf":[{"type":"integer"}]}},"required":["a"]}`, "a: int"},
		{"allOf of objects", `{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`, "a: str, b: int = ..."},
		{"choice of objects", `{"type":"object","oneOf":[{"properties":{"id":{"type":"string"}},"required":["id"]},{"properties":{"name":{"type":"string"}}}]}`, "id: str = ..., name: str = ..."},
		{"object written out", `{"properties":{"a":{"type":"object","properties":{"x":{"type":"integer"},"y":{"enum":["u"]}},"required":["y"]}},"required":["a"]}`, `a: {"y": "u", "x"?: int}`},
		{"list of objects", `{"properties":{"a":{"type":"array","items":{"properties":{"x":{"type":"integer"}}}}},"required":["a"]}`, `a: list[{"x"?: int}]`},
		{"dict of", `{"properties":{"a":{"type":"object","additionalProperties":{"type":"number"}}},"required":["a"]}`, "a: dict[str, float]"},
		{"nested deep", `{"properties":{"a":` + nested + `},"required":["a"]}`, `a: {"a"?: {"a"?: {"a"?: dict}}}`},
		{"empty object behind a reference", `{"properties":{"q":{"$ref":"#/$defs/Q"}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{}}}}`, "q: dict"},
		{"named object", `{"properties":{"q":{"$ref":"#/$defs/Q"},"r":{"type":"array","items":{"$ref":"#/$defs/Q"}}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{"x":{"type":"integer"}}}}}`, `q: Q, r: list[Q] = ... # Q = {"x"?: int}`},
		{"two of one name", `{"properties":{"q":{"$ref":"#/$defs/Q"},"r":{"$ref":"#/definitions/Q"}},"required":["q","r"],"$defs":{"Q":{"properties":{"x":{"type":"integer"}}}},"definitions":{"Q":{"properties":{"y":{"type":"integer"}}}}}`, `q: Q, r: Q_2 # Q = {"x"?: int}; Q_2 = {"y"?: int}`},
		{
			"recursive and union schemas (c07)",
			`{"type":"object","properties":{"q":{"$ref":"#/$defs/Q"},"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/Q"}},"f":{"enum":["a","b"]}}}}}`,
			`q: Q, n: int | None = ... # Q = {"all"?: list[Q], "f"?: "a" | "b"}`,
		},
		{"the whole is recursive", `{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#"}}}}`, `kids: list[Object] = ... # Object = {"kids"?: list[Object]}`},
		{"draft-07 reference with escapes", `{"properties":{"q":{"$ref":"#/definitions/a~1b"}},"required":["q"],"definitions":{"a/b":{"enum":["a","b"]}}}`, `q: "a" | "b"`},
		{"default behind a reference", `{"properties":{"q":{"$ref":"#/$defs/Q"}},"$defs":{"Q":{"type":"integer","default":3}}}`, "q: int = 3"},
		{"circular reference", `{"properties":{"q":{"$ref":"#/properties/q"}},"required":["q"]}`, "q: Any"},
		{"broken references", `{"properties":{"a":{"$ref":"#/$defs/none"},"b":{"$ref":"other.json"}},"required":["a","b"]}`, "a: Any, b: Any"},
		{"recursive list", `{"$ref":"#/$defs/T","$defs":{"T":{"properties":{"kids":{"type":"array","items":{"type":"array","items":{"$ref":"#/$defs/L"}}}},"required":["kids"]},"L":{"type":"array","items":{"$ref":"#/$defs/L"}}}}`, "kids: list[list[list[list[Any]]]]"},
		{"deep type", `{"properties":{"a":` + deep + `},"required":["a"]}`, "a: list[list[list[list[Any]]]]"},
		{"names that are no identifiers", `{"properties":{"page-size":{"type":"integer"},"class":{"type":"string"},"q":{"type":"string"}},"required":["page-size","q"]}`, `q: str, **{"page-size": int, "class": str = ...}`},
		{"hostile name", `{"properties":{"x) # ignore\nall":{"type":"string"}}}`, `**{"x) # ignore\nall": str = ...}`},
		{"long name", `{"properties":{"` + strings.Repeat("-", 100) + `":{}}}`, `**{"` + strings.Repeat("-", 40) + `…": Any = ...}`},
		{"not a schema", `{"properties":[1],"required":"x","type":3}`, "**arguments"},
		{"schema true", `{"properties":{"a":true}}`, "a: Any = ..."},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(shape(t, c.schema), c.want)
		})
	}
}

func TestCallWithManyParametersIsCut(t *testing.T) {
	is := is.New(t)
	var properties []string
	for i := range 100 {
		properties = append(properties, fmt.Sprintf(`"p%d":{}`, i))
	}
	got := shape(t, `{"properties":{`+strings.Join(properties, ",")+`}}`)
	is.Equal(strings.Count(got, "p"), 32)
	is.True(strings.HasSuffix(got, ", **more"))
}

func TestCallUsesTheNameThatIsThere(t *testing.T) {
	is := is.New(t)
	const schema = `{"properties":{"q":{"type":"string"}},"required":["q"]}`
	names := []string{"mcp:linear/list", "mcp:list/x", "mcp:save/result", "mcp:up/a-b", "mcp:up/a.b", "cli:bin/git"}
	x := index(
		describe(t, names[0], "", schema), describe(t, names[1], "", schema), describe(t, names[2], "", schema),
		describe(t, names[3], "", schema), describe(t, names[4], "", schema), describe(t, names[5], "", schema),
	)
	found, err := x.Describe(names, discover.Brief)
	is.NoErr(err)
	for i, want := range []string{
		"await linear.list(q: str)", "await list_x(q: str)", "await save.result(q: str)",
		`await call_tool("mcp:up/a-b", {"q": str})`, `await call_tool("mcp:up/a.b", {"q": str})`, "await git(q: str)",
	} {
		is.Equal(found[i].Call, want)
	}
}
