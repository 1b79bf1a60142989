package contract

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/ports"
)

// Validator checks an implementation of ports.Validator.
func Validator(t *testing.T, maker func(t *testing.T) ports.Validator) {
	t.Helper()
	check(t, maker, []clause[ports.Validator]{
		{"what_fits_passes", "The check gives nil for arguments that fit the schema.", validatorPasses},
		{"what_does_not_fit_is_named", "The check gives a fault of code args.invalid that names the argument at fault.", validatorRefuses},
		{"numbers_keep_their_digits", "Integers of any size are told apart to the last digit.", validatorNumbers},
		{"drafts_in_the_wild", "Schemas of the drafts that tools use are understood, those that do not say included.", validatorDrafts},
		{"broken_schemas", "A schema that cannot be used is an error, and never a check that lies.", validatorBroken},
		{"hostile_schemas_end", "Neither Compile nor a check runs on for long, whatever the schema says.", validatorHostile},
		{"messages_are_bounded", "A message is short however large the arguments are.", validatorBounded},
		{"concurrent_use", "Compile and the check that it returns may be called concurrently.", validatorConcurrent},
	})
}

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return v
}

// checked compiles a schema and checks arguments against it.
func checked(t *testing.T, v ports.Validator, schema, args string) error {
	t.Helper()
	check, err := v.Compile(parse(t, schema))
	if err != nil {
		t.Fatalf("%.200s cannot be compiled: %v", schema, err)
	}
	return check(parse(t, args))
}

const searchSchema = `{"type":"object","properties":{
	"query":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":100},
	"order":{"enum":["newest","oldest"]},"note":{"type":["string","null"]},
	"filter":{"anyOf":[{"$ref":"#/$defs/filter"},{"type":"null"}]},
	"ids":{"type":"array","items":{"type":"integer"},"maxItems":3}},
	"required":["query"],"additionalProperties":false,
	"$defs":{"filter":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/filter"}},"field":{"enum":["a","b"]}},"additionalProperties":false}}}`

func validatorPasses(t *testing.T, v ports.Validator) {
	for _, args := range []string{
		`{"query":"x"}`, `{"query":"","limit":1}`, `{"query":"x","limit":100}`, `{"query":"x","limit":20.0}`,
		`{"query":"x","order":"newest","note":null}`, `{"query":"x","filter":null,"ids":[]}`,
		`{"query":"x","filter":{"all":[{"all":[{"field":"a"}]},{"field":"b"}]},"ids":[1,2,3]}`,
	} {
		if err := checked(t, v, searchSchema, args); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
	for _, schema := range []string{`{}`, `{"type":"object"}`, `true`} {
		is.New(t).NoErr(checked(t, v, schema, `{"anything":[1,null]}`)) // nothing is asked for
	}
}

func validatorRefuses(t *testing.T, v ports.Validator) {
	for args, names := range map[string][]string{
		`{}`:                                              {`"query"`, "missing"},
		`{"limit":1}`:                                     {`"query"`, "missing"},
		`{"query":1}`:                                     {`argument "query"`, "expected string", "integer 1"},
		`{"query":null}`:                                  {`argument "query"`, "string", "null"},
		`{"query":"x","limit":"x"}`:                       {`argument "limit"`, "expected integer", `string "x"`},
		`{"query":"x","limit":1.5}`:                       {`argument "limit"`, "integer", "1.5"},
		`{"query":"x","limit":0}`:                         {`argument "limit"`, "at least 1", "0"},
		`{"query":"x","limit":101}`:                       {`argument "limit"`, "at most 100", "101"},
		`{"query":"x","limit":true}`:                      {`argument "limit"`, "integer", "boolean true"},
		`{"query":"x","order":"newset"}`:                  {`argument "order"`, `did you mean "newest"`},
		`{"query":"x","order":3}`:                         {`argument "order"`, `"newest" or "oldest"`, "3"},
		`{"query":"x","note":[]}`:                         {`argument "note"`, "string or null", "array"},
		`{"query":"x","limits":3}`:                        {`"limits"`, `did you mean "limit"`},
		`{"qurey":"x"}`:                                   {`"qurey"`, `did you mean "query"`},
		`{"query":"x","zzz":3}`:                           {`"zzz"`, "query, limit, order"},
		`{"query":"x","filter":{"field":"c"}}`:            {`filter.field`, `"a" or "b"`},
		`{"query":"x","filter":{"all":[{},{"field":1}]}}`: {`filter.all[1].field`},
		`{"query":"x","filter":3}`:                        {`argument "filter"`, "object or null", "integer 3"},
		`{"query":"x","ids":[1,"2"]}`:                     {`ids[1]`, "expected integer"},
		`{"query":"x","ids":[1,2,3,4]}`:                   {`argument "ids"`, "at most 3 items"},
	} {
		err := checked(t, v, searchSchema, args)
		if fault.CodeOf(err) != fault.ArgsInvalid {
			t.Errorf("%s: %v is no args.invalid", args, err)
			continue
		}
		for _, part := range names {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", args, err, part)
			}
		}
	}
}

func validatorNumbers(t *testing.T, v ports.Validator) {
	const schema = `{"properties":{"n":{"type":"integer","maximum":9007199254740993},"id":{"enum":[9007199254740993]},"s":{"uniqueItems":true},"big":{"type":"integer"},"m":{"multipleOf":0.1}}}`
	big := strings.Repeat("9", 4000)
	for _, args := range []string{
		`{"n":9007199254740993}`, `{"id":9007199254740993}`, `{"s":[9007199254740992,9007199254740993]}`,
		`{"big":` + big + `}`, `{"big":-` + big + `}`, `{"m":0.3}`, `{"n":1e3}`, `{"n":-` + big + `}`,
	} {
		if err := checked(t, v, schema, args); err != nil {
			t.Errorf("%.80s: %v", args, err)
		}
	}
	for _, args := range []string{
		`{"n":9007199254740994}`, `{"n":` + big + `}`, `{"id":9007199254740992}`, `{"s":[1,1.0]}`, `{"big":0.5}`, `{"m":0.35}`,
	} {
		if err := checked(t, v, schema, args); fault.CodeOf(err) != fault.ArgsInvalid {
			t.Errorf("%.80s: got %v", args, err)
		}
	}
}

func validatorDrafts(t *testing.T, v ports.Validator) {
	for _, draft := range []string{
		"", `"$schema":"https://json-schema.org/draft/2020-12/schema",`, `"$schema":"https://json-schema.org/draft/2019-09/schema",`,
		`"$schema":"http://json-schema.org/draft-07/schema#",`, `"$schema":"http://json-schema.org/draft-07/schema",`,
		`"$schema":"http://json-schema.org/draft-06/schema#",`,
	} {
		for _, defs := range []string{"$defs", "definitions"} {
			schema := `{` + draft + `"type":"object","properties":{"q":{"$ref":"#/` + defs + `/Q"},"not":{"not":{"const":1}}},"` + defs + `":{"Q":{"type":"string"}}}`
			is := is.New(t)
			is.NoErr(checked(t, v, schema, `{"q":"x","not":2}`))                                  // what fits
			is.Equal(fault.CodeOf(checked(t, v, schema, `{"q":1}`)), fault.ArgsInvalid)           // through the reference
			is.Equal(fault.CodeOf(checked(t, v, schema, `{"q":"x","not":1}`)), fault.ArgsInvalid) // and beyond the usual keywords
		}
	}
	is := is.New(t)
	const tuple = `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"p":{"items":[{"type":"integer"},{"type":"string"}],"additionalItems":false}}}`
	is.NoErr(checked(t, v, tuple, `{"p":[1,"a"]}`))
	is.Equal(fault.CodeOf(checked(t, v, tuple, `{"p":["a"]}`)), fault.ArgsInvalid)
	is.Equal(fault.CodeOf(checked(t, v, tuple, `{"p":[1,"a",2]}`)), fault.ArgsInvalid)
}

func validatorBroken(t *testing.T, v ports.Validator) {
	for _, schema := range []string{
		`3`, `"x"`, `[]`, `{"type":"strnig"}`, `{"type":3}`, `{"properties":[]}`, `{"properties":{"a":7}}`, `{"minimum":"1"}`,
		`{"required":[1]}`, `{"enum":"x"}`, `{"anyOf":{}}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"https://example.com/x.json"}`,
		`{"$ref":"#"}`, `{"allOf":[{"$ref":"#"}]}`, `{"properties":{"a":{"$ref":"#/properties/a"}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"not":{"$ref":"#/$defs/b"}},"b":{"if":{"$ref":"#/$defs/a"}}}}`,
	} {
		check, err := v.Compile(parse(t, schema))
		if err == nil || check != nil {
			t.Errorf("%s was taken for a schema", schema)
		}
	}
}

func validatorHostile(t *testing.T, v ports.Validator) {
	// Each level doubles the number of ways to fit the next one.
	var defs []string
	for i := range 60 {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		defs = append(defs, fmt.Sprintf(`"d%d":{"anyOf":[%s,%s]}`, i, next, next))
	}
	flat := `{"$ref":"#/$defs/d0","$defs":{` + strings.Join(defs, ",") + `,"d60":{"required":["none"]}}}`
	deep := `{"properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"not":false,"anyOf":[{"items":{"$ref":"#/$defs/t"}},{"items":{"$ref":"#/$defs/t"}}]}}}`
	nested := `{"a":` + strings.Repeat("[", 500) + `0` + strings.Repeat("]", 500) + `}`
	began := time.Now()
	for _, c := range []struct{ schema, args string }{{flat, `{}`}, {deep, nested}, {strings.Replace(flat, `{"required"`, `{"not":{},"required"`, 1), `{}`}} {
		if check, err := v.Compile(parse(t, c.schema)); err == nil {
			_ = check(parse(t, c.args)) // either answer will do, in time
		}
	}
	is.New(t).True(time.Since(began) < soon) // it ended
}

func validatorBounded(t *testing.T, v ports.Validator) {
	long := strings.Repeat("x", 1<<20)
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf(`"%s%d":{}`, long[:20], i))
	}
	closed := `{"properties":{` + strings.Join(names, ",") + `},"additionalProperties":false}`
	for _, c := range []struct{ schema, args string }{
		{`{"properties":{"a":{"type":"integer"}}}`, `{"a":"` + long + `"}`},
		{`{"properties":{"a":{"enum":["` + long + `"]}}}`, `{"a":"` + long + `y"}`},
		{closed, `{"` + long + `":1}`},
		{`{"additionalProperties":{"type":"integer"}}`, `{"` + long + `":"x"}`},
		{`{"required":["` + long + `"]}`, `{}`},
		{`{"properties":{"a":{"pattern":"^` + long[:900] + `$"}}}`, `{"a":"b"}`},
	} {
		err := checked(t, v, c.schema, c.args)
		is := is.New(t)
		is.Equal(fault.CodeOf(err), fault.ArgsInvalid) // refused
		is.True(len(err.Error()) < 1000)               // in few words
	}
}

func validatorConcurrent(t *testing.T, v ports.Validator) {
	check, err := v.Compile(parse(t, searchSchema))
	is.New(t).NoErr(err)
	good, bad := parse(t, `{"query":"x","filter":{"all":[{"field":"a"}]}}`), parse(t, `{"query":1}`)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if err := check(good); err != nil {
					t.Errorf("what fits: %v", err)
				}
				if err := check(bad); fault.CodeOf(err) != fault.ArgsInvalid {
					t.Errorf("what does not fit: %v", err)
				}
			}
			if _, err := v.Compile(good); err != nil {
				t.Errorf("compile: %v", err) // an object without keywords is a schema
			}
		})
	}
	all.Wait()
}
