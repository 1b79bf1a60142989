package argcheck_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/argcheck"
	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/ports"
	"toolplane/test/contract"
)

func TestValidatorContract(t *testing.T) {
	contract.Validator(t, func(*testing.T) ports.Validator { return argcheck.Checker{} })
}

func value(t testing.TB, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return v
}

func refusal(t *testing.T, schema, args string) string {
	t.Helper()
	check, err := argcheck.Checker{}.Compile(value(t, schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	if err = check(value(t, args)); err == nil {
		return ""
	}
	is.New(t).Equal(fault.CodeOf(err), fault.ArgsInvalid)
	return err.Error()
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, schema, args, want string }{
		{"type", `{"properties":{"limit":{"type":"integer"}}}`, `{"limit":"x"}`, `argument "limit": expected integer, got string "x"`},
		{"types", `{"properties":{"a":{"type":["null","integer","string"]}}}`, `{"a":1.5}`, `argument "a": expected string, integer or null, got number 1.5`},
		{"number", `{"properties":{"a":{"type":"number"}}}`, `{"a":null}`, `argument "a": expected number, got null`},
		{"missing", `{"required":["b","a"]}`, `{"a":1}`, `missing argument "b"`},
		{"missing member", `{"properties":{"a":{"required":["b"]}}}`, `{"a":{}}`, `argument "a": missing member "b"`},
		{"nothing expected", `{"additionalProperties":false}`, `{"x":1}`, `unexpected argument "x"; none is expected`},
		{"unexpected", `{"properties":{"alpha":{},"beta":{}},"additionalProperties":false}`, `{"x":1}`, `unexpected argument "x"; expected are alpha, beta`},
		{"misspelled", `{"properties":{"query":{}},"required":["query"],"additionalProperties":false}`, `{"Qurey":1}`, `unexpected argument "Qurey"; did you mean "query"?`},
		{"unexpected member", `{"properties":{"a":{"properties":{"team_id":{}},"additionalProperties":false}}}`, `{"a":{"teamId":1}}`, `argument "a": unexpected member "teamId"; did you mean "team_id"?`},
		{"awkward names", `{"properties":{"a b":{"items":{"properties":{"":{"type":"null"}}}}}}`, `{"a b":[0,{"":1}]}`, `argument "["a b"][1][""]": expected null, got integer 1`},
		{"const", `{"properties":{"a":{"const":"v1"}}}`, `{"a":"v2"}`, `argument "a": expected "v1", got string "v2"`},
		{"enum", `{"properties":{"a":{"enum":["x",1,null]}}}`, `{"a":"long"}`, `argument "a": expected "x", 1 or null, got string "long"`},
		{"at least", `{"properties":{"a":{"minimum":1.5}}}`, `{"a":1}`, `argument "a": must be at least 1.5, got integer 1`},
		{"more than", `{"properties":{"a":{"exclusiveMinimum":0}}}`, `{"a":0}`, `argument "a": must be more than 0, got integer 0`},
		{"less than", `{"properties":{"a":{"exclusiveMaximum":1}}}`, `{"a":1.0}`, `argument "a": must be less than 1, got number 1.0`},
		{"draft-04 bound", `{"properties":{"a":{"maximum":5,"exclusiveMaximum":true}}}`, `{"a":5}`, `argument "a": must be less than 5, got integer 5`},
		{"tighter bound", `{"properties":{"a":{"minimum":5,"exclusiveMinimum":5}}}`, `{"a":5}`, `argument "a": must be more than 5, got integer 5`},
		{"multiple", `{"properties":{"a":{"multipleOf":5}}}`, `{"a":3}`, `argument "a": must be a multiple of 5, got integer 3`},
		{"short text", `{"properties":{"a":{"minLength":2}}}`, `{"a":"é"}`, `argument "a": must have at least 2 characters, has 1`},
		{"long text", `{"properties":{"a":{"maxLength":1}}}`, `{"a":"éé"}`, `argument "a": may have at most 1 character, has 2`},
		{"pattern", `{"properties":{"a":{"pattern":"^[a-z]+$"}}}`, `{"a":"A"}`, `argument "a": must match the pattern "^[a-z]+$", got string "A"`},
		{"few items", `{"properties":{"a":{"minItems":1}}}`, `{"a":[]}`, `argument "a": must have at least 1 item, has 0`},
		{"twice", `{"properties":{"a":{"uniqueItems":true}}}`, `{"a":[{"x":1,"y":2},3,{"y":2.0,"x":1}]}`, `argument "a": must not hold anything twice, items 0 and 2 are equal`},
		{"few members", `{"properties":{"a":{"minProperties":1}}}`, `{"a":{}}`, `argument "a": must have at least 1 member, has 0`},
		{"many members", `{"maxProperties":1}`, `{"a":1,"b":2}`, `the arguments: may have at most 1 member, has 2`},
		{"prefix", `{"properties":{"a":{"prefixItems":[{"type":"string"}],"items":false}}}`, `{"a":["x",1]}`, `argument "a[1]": is not allowed`},
		{"forbidden", `{"properties":{"a":false}}`, `{"a":1}`, `argument "a": is not allowed`},
		{"pattern properties", `{"patternProperties":{"^x_":{"type":"integer"}},"additionalProperties":false}`, `{"x_a":"1"}`, `argument "x_a": expected integer, got string "1"`},
		{"union of types", `{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`, `{"a":"x"}`, `argument "a": expected integer or null, got string "x"`},
		{"union with one candidate", `{"properties":{"a":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}}}`, `{"a":0}`, `argument "a": must be at least 1, got integer 0`},
		{"union of objects", `{"properties":{"a":{"oneOf":[{"properties":{"k":{"const":"x"}},"required":["k"]},{"properties":{"k":{"const":"y"},"n":{"properties":{"m":{"type":"integer"}}}},"required":["n"]}]}}}`, `{"a":{"k":"y","n":{"m":"1"}}}`, `argument "a": fits none of the 2 forms that it may have; nearest is: n.m: expected integer, got string "1"`},
		{"more than one", `{"properties":{"a":{"oneOf":[{"type":"integer"},{"type":"number"}]}}}`, `{"a":1}`, `argument "a": fits 2 forms of which it may have only one`},
		{"allOf", `{"properties":{"a":{"allOf":[{"type":"integer"},{"maximum":3}]}}}`, `{"a":4}`, `argument "a": must be at most 3, got integer 4`},
		{"not", `{"properties":{"a":{"not":{"type":"string"}}}}`, `{"a":"x"}`, `the arguments do not fit the schema: its condition "not" does not hold`},
		{"first fault in the caller's order", `{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, `{"b":1,"a":2}`, `argument "b": expected string, got integer 1`},
		{"not an object", `{"type":"object"}`, `[]`, `the arguments: expected object, got array`},
	} {
		t.Run(c.name, func(t *testing.T) {
			is.New(t).Equal(refusal(t, c.schema, c.args), c.want)
		})
	}
}

func TestWhatCannotBeCheckedPasses(t *testing.T) {
	for name, c := range map[string]struct{ schema, args string }{
		"pattern of another dialect":          {`{"properties":{"a":{"pattern":"^(?=x)"}}}`, `{"a":"y"}`},
		"pattern property of another dialect": {`{"patternProperties":{"(?=x)":{}},"additionalProperties":false}`, `{"y":1}`},
		"format":                              {`{"properties":{"a":{"format":"email"}}}`, `{"a":"nobody"}`},
		"unknown keyword":                     {`{"properties":{"a":{"x-check":1}}}`, `{"a":"nobody"}`},
		"dialect beside a rare keyword":       {`{"properties":{"a":{"pattern":"(?!x)"},"b":{"not":{"type":"null"}}}}`, `{"a":"y","b":1}`},
		"siblings of a draft-07 reference":    {`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}`, `{"a":"long"}`},
	} {
		t.Run(name, func(t *testing.T) {
			is.New(t).Equal(refusal(t, c.schema, c.args), "")
		})
	}
}

// What stands beside a keyword of the library's is checked as it is without.
func TestRareKeywordTakesNothingAway(t *testing.T) {
	for name, c := range map[string]struct{ schema, good, bad string }{
		"reference into OpenAPI's components": {`{"properties":{"a":{"$ref":"#/components/schemas/A"},"b":{"not":{"type":"null"}}},"components":{"schemas":{"A":{"type":"integer"}}}}`, `{"a":1}`, `{"a":"x"}`},
		"rare keyword in what is referred to": {`{"properties":{"a":{"$ref":"#/x-own/A"}},"x-own":{"A":{"not":{"$ref":"#/x-own/B"}},"B":{"type":"null"}}}`, `{"a":1}`, `{"a":null}`},
		"reference to itself":                 {`{"properties":{"a":{"$ref":"#"},"b":{"not":{"type":"null"}}}}`, `{"a":{"a":{"b":1}}}`, `{"a":{"a":{"b":null}}}`},
		"escaped pointer":                     {`{"properties":{"a":{"$ref":"#/$defs/x~1y%25"}},"not":{"required":["z"]},"$defs":{"x/y%":{"type":"integer"}}}`, `{"a":1}`, `{"a":"x"}`},
		"$defs and definitions":               {`{"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#/definitions/x"}},"not":{"required":["z"]},"$defs":{"x":{"type":"integer"}},"definitions":{"x":{"type":"null"}}}`, `{"a":1,"b":null}`, `{"b":1}`},
		"limit beyond what a float holds":     {`{"properties":{"a":{"maximum":9007199254740993,"not":{"type":"null"}}}}`, `{"a":9007199254740993}`, `{"a":9007199254740994}`},
		"tuple of draft 2019-09":              {`{"properties":{"a":{"items":[{"type":"integer"}],"additionalItems":{"type":"string"},"unevaluatedItems":false}}}`, `{"a":[1,"x"]}`, `{"a":[1,2]}`},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(refusal(t, c.schema, c.good), "") // fits
			is.True(refusal(t, c.schema, c.bad) != "") // does not
		})
	}
}

func TestKeywordsThatOnlyTheLibraryDecides(t *testing.T) {
	for keyword, c := range map[string]struct{ schema, good, bad string }{
		"not":                   {`{"not":{"required":["a"]}}`, `{}`, `{"a":1}`},
		"if":                    {`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1,"b":2}`, `{"a":1}`},
		"contains":              {`{"properties":{"a":{"contains":{"type":"integer"}}}}`, `{"a":["x",1]}`, `{"a":["x"]}`},
		"propertyNames":         {`{"propertyNames":{"maxLength":2}}`, `{"ab":1}`, `{"abc":1}`},
		"dependentRequired":     {`{"dependentRequired":{"a":["b"]}}`, `{"a":1,"b":2}`, `{"a":1}`},
		"dependentSchemas":      {`{"dependentSchemas":{"a":{"required":["b"]}}}`, `{"a":1,"b":2}`, `{"a":1}`},
		"dependencies":          {`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"a":1,"b":2}`, `{"a":1}`},
		"unevaluatedProperties": {`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1}`, `{"b":1}`},
		"unevaluatedItems":      {`{"properties":{"a":{"prefixItems":[{}],"unevaluatedItems":false}}}`, `{"a":[1]}`, `{"a":[1,2]}`},
		"in a reference":        {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"not":{"const":1}}}}`, `{"a":2}`, `{"a":1}`},
		"in a union":            {`{"properties":{"a":{"oneOf":[{"not":{"type":"integer"}},{"type":"number"}]}}}`, `{"a":1}`, `{"a":1.5}`},
	} {
		t.Run(keyword, func(t *testing.T) {
			is := is.New(t)
			is.Equal(refusal(t, c.schema, c.good), "") // fits
			is.True(refusal(t, c.schema, c.bad) != "") // does not
		})
	}
}

// What is spelled in another case is no keyword. To the library it would be, and
// what it would follow in a circle would end the process.
func TestKeywordsAreSpelledExactly(t *testing.T) {
	for name, schema := range map[string]string{
		"circle":            `{"not":{"const":1},"allOf":[{"$Ref":"#"}]}`,
		"circle below":      `{"properties":{"a":{"If":{"$REF":"#/properties/a"},"not":{"const":2}}}}`,
		"circle by dynamic": `{"not":{"const":1},"allOf":[{"$DynamicRef":"#"}]}`,
		"circle in $defs":   `{"not":{"const":1},"Allof":[{"$ref":"#/$defs/x"}],"$defs":{"x":{"Anyof":[{"$ref":"#/$defs/x"}]}}}`,
		"number":            `{"properties":{"a":{"Minimum":5}},"not":{"const":1}}`,
		"ids":               `{"not":{"const":1},"$ID":"https://example.com/x","properties":{"a":{"$Id":"y","$Anchor":"z"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			is.New(t).Equal(refusal(t, schema, `{"a":1}`), "")
		})
	}
}

func FuzzCompileAndCheck(f *testing.F) {
	f.Add(`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":["integer","null"],"minimum":3}}}`, `{"a":4}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{},true],"additionalItems":{"not":{}}}`, `[1,2,3]`)
	f.Add(`{"$id":"x","allOf":[{"$id":"y","$ref":"#"}],"if":{"enum":[1.0]},"then":{"uniqueItems":true}}`, `[1,1.0]`)
	f.Add(`{"not":{"const":1},"allOf":[{"$Ref":"#"}]}`, `{}`)
	f.Add(`{"$ref":"#/properties/a~1b","properties":{"a/b":{"pattern":"(?=x)","patternProperties":{"(":false}}}}`, `{}`)
	f.Fuzz(func(t *testing.T, schema, args string) {
		s, err := canon.Parse([]byte(schema))
		if err != nil {
			return
		}
		v, err := canon.Parse([]byte(args))
		if err != nil {
			return
		}
		check, err := argcheck.Checker{}.Compile(s)
		if err != nil {
			return
		}
		if err := check(v); err != nil && fault.CodeOf(err) != fault.ArgsInvalid {
			t.Fatal(err)
		}
	})
}

func ExampleChecker() {
	schema, _ := canon.Parse([]byte(`{"properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"],"additionalProperties":false}`))
	check, err := argcheck.Checker{}.Compile(schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{`{"query":"bug","limit":20}`, `{"query":"bug","limit":"20"}`, `{"limits":20}`, `{}`} {
		args, _ := canon.Parse([]byte(text))
		fmt.Println(check(args))
	}
	// Output:
	// <nil>
	// argument "limit": expected integer, got string "20"
	// unexpected argument "limits"; did you mean "limit"?
	// missing argument "query"
}
