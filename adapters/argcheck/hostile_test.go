package argcheck_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/argcheck"
	"toolplane/domain/canon"
)

// repeat returns n copies of a part with commas between them.
func repeat(part string, n int) string { return strings.TrimSuffix(strings.Repeat(part+",", n), ",") }

// count returns what a format makes of the numbers below n, with commas between.
func count(format string, n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// deep returns a large value in so many arrays that walking it costs hundreds of
// times its size.
func deep() string {
	return strings.Repeat("[", 500) + repeat("1", 200_000) + strings.Repeat("]", 500)
}

// TestCheckGivesUpWhenItsWorkIsSpent checks arguments that are wrong at the end:
// that they pass shows that the work was counted and gave out before.
func TestCheckGivesUpWhenItsWorkIsSpent(t *testing.T) {
	two := `{"x":[` + repeat("12345", 8000) + `],"y":[` + repeat("12345", 8000) + `]}`
	names := `{` + count(`"aaaaaaaaaa%d":1`, 500) + `}`
	long := strings.Repeat("a", 50_000)
	last := func(list, wrong string) string { return `{"a":[` + list + `,` + wrong + `]}` }
	var splits []string // all of one hash to the library
	for i := range 100 {
		for j := range 100 {
			x := strings.Repeat("x", 100)
			splits = append(splits, fmt.Sprintf(`["%s","%s","%s"]`, x[:i], x[i:], strings.Repeat("y", j)))
		}
	}
	for _, c := range []struct{ name, schema, args string }{
		{"enum", `{"anyOf":[` + repeat(`{"properties":{"x":{"enum":[1]},"y":{"enum":[1,2]}}}`, 2000) + `]}`, two},
		{"const", `{"anyOf":[` + repeat(`{"properties":{"x":{"const":1},"y":{"const":1}}}`, 2000) + `]}`, two},
		{"enum of a deep value", `{"properties":{"a":{"enum":[1]}}}`, `{"a":` + deep() + `}`},
		{"enum of large floats", `{"properties":{"a":{"enum":[1]}}}`, last(repeat("1e308", 200_000), "1")},
		{"uniqueItems", `{"properties":{"a":{"anyOf":[` + repeat(`{"uniqueItems":true,"maxItems":1}`, 2000) + `]}}}`, `{"a":[` + count("%d", 10_000) + `]}`},
		{"minLength and maxLength", `{"properties":{"a":{"anyOf":[` + repeat(`{"minLength":2,"maxLength":3}`, 2000) + `]}}}`, `{"a":"` + long + `"}`},
		{"pattern", `{"properties":{"a":{"pattern":"(a?){1000}b"}}}`, `{"a":"` + long + `"}`},
		{"patternProperties", `{"patternProperties":{` + count(`"(a?){100}b%d":false`, 200) + `},"required":["z"]}`, names},
		{"minimum", `{"properties":{"a":{"items":{"minimum":0.5}}}}`, last(repeat(strings.Repeat("7", 4300), 2000), "0")},
		{"multipleOf", `{"properties":{"a":{"items":{"multipleOf":7}}}}`, last(repeat(strings.Repeat("7", 4300), 2000), "1")},
		{"long digits", `{"properties":{"a":{"items":{"allOf":[` + repeat("{}", 100) + `]},"maxItems":1}}}`, `{"a":[` + repeat(strings.Repeat("7", 4300), 2000) + `]}`},
		{"members that nothing is asked of", `{"anyOf":[` + repeat(`{"minProperties":10000}`, 2000) + `]}`, `{` + count(`"a%d":1`, 5000) + `}`},
		{"elements that nothing is asked of", `{"properties":{"a":{"anyOf":[` + repeat(`{"maxItems":1}`, 2000) + `]}}}`, `{"a":[` + repeat("1", 10_000) + `]}`},
		{"pattern of the library", `{"not":{"properties":{"a":{"pattern":"(a?){1000}b"}}}}`, `{"a":"` + long + `b"}`},
		{"patternProperties of the library", `{"not":{"patternProperties":{` + count(`"(a?){100}b%d":false`, 200) + `}}}`, names},
		{"propertyNames of the library", `{"propertyNames":{"pattern":"(a?){1000}b"}}`, `{"` + long + `":1}`},
		{"enum of the library", `{"properties":{"a":{"items":{"not":{"enum":[` + repeat("1", 5000) + `]}}}}}`, last(repeat("2", 500), "1")},
		{"uniqueItems of the library", `{"properties":{"a":{"not":{"uniqueItems":true}}}}`, `{"a":[` + strings.Join(splits, ",") + `]}`},
		{"deep value for the library", `{"not":{"required":["a"]}}`, `{"a":` + deep() + `}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			check, err := argcheck.Checker{}.Compile(value(t, c.schema))
			is.NoErr(err)
			args := value(t, c.args)
			begun := time.Now()
			is.NoErr(check(args))                       // nobody came as far as what is wrong
			is.True(time.Since(begun) < 10*time.Second) // a machine at rest needs less than half a second
		})
	}
}

// TestMissingNameIsFoundInTime looks for the one name of many that is missing.
func TestMissingNameIsFoundInTime(t *testing.T) {
	const names = 100_000
	is := is.New(t)
	check, err := argcheck.Checker{}.Compile(value(t, `{"required":[`+count(`"name%d"`, names)+`,"z"]}`))
	is.NoErr(err)
	args := value(t, `{`+count(`"name%d":1`, names)+`}`)
	begun := time.Now()
	is.Equal(check(args).Error(), `missing argument "z"`)
	is.True(time.Since(begun) < 10*time.Second) // a machine at rest needs a hundredth of a second
}

// TestUnionOfChoicesReadsAValueOnce would run out of work if it did not.
func TestUnionOfChoicesReadsAValueOnce(t *testing.T) {
	is := is.New(t)
	schema := `{"properties":{"a":{"anyOf":[` + count(`{"enum":[%d,[1]]}`, 2000) + `]}}}`
	is.True(strings.Contains(refusal(t, schema, `{"a":[`+repeat("12345", 17_500)+`]}`), "fits none of the 2000 forms"))
	is.True(strings.Contains(refusal(t, schema, `{"a":"`+strings.Repeat("x", 8<<20)+`"}`), "fits none of the 2000 forms"))
}

func TestSchemaWhoseValuesTakeTooLongCannotBeUsed(t *testing.T) {
	for _, keyword := range []string{`"const":`, `"enum":[1,`} {
		schema := `{` + keyword + deep() + strings.Repeat("]", strings.Count(keyword, "[")) + `}`
		_, err := argcheck.Checker{}.Compile(value(t, schema))
		is.New(t).True(err != nil && strings.Contains(err.Error(), "take too long to read"))
	}
}

// TestLargeArgumentsAreChecked finds what is wrong behind ordinary large
// arguments, so they were checked too.
func TestLargeArgumentsAreChecked(t *testing.T) {
	text := func(part string, size int) string { return `"` + strings.Repeat(part, size/len(part)) + `"` }
	row := `{"id":%d,"name":"some name or other","tags":["a","b"],"price":1.25}`
	rows := `{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer","minimum":0},"name":{"type":"string"},"price":{"type":"number","minimum":0}},"required":["id"]}}`
	for _, c := range []struct{ name, schema, large string }{
		{"text", `{"type":"string"}`, text("x", 8<<20)},
		{"text of bounded length", `{"type":"string","minLength":1,"maxLength":16777216}`, text(`\n`, 16<<20)},
		{"text with a pattern", `{"type":"string","pattern":"^[a-z ]+$"}`, text("word ", 1<<20)},
		{"base64", `{"type":"string","pattern":"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"}`, text("abcd", 1<<20)},
		{"rows", rows, `[` + count(row, 100_000) + `]`},
		{"numbers", `{"items":{"type":"number","minimum":0,"maximum":1000000}}`, `[` + count("%d.5", 100_000) + `]`},
		{"multiples", `{"items":{"multipleOf":0.5}}`, `[` + count("%d.5", 100_000) + `]`},
		{"choices", `{"items":{"enum":["one","two","three"]}}`, `[` + repeat(`"three"`, 200_000) + `]`},
		{"unique texts", `{"uniqueItems":true}`, `[` + count(`"text %d"`, 200_000) + `]`},
		{"unique rows", `{"uniqueItems":true}`, `[` + count(row, 20_000) + `]`},
		{"rows beside what the library decides", `{"items":{"type":"object"},"contains":{"required":["id"]}}`, `[` + count(row, 20_000) + `]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			check, err := argcheck.Checker{}.Compile(value(t, `{"properties":{"large":`+c.schema+`,"z":{"type":"integer"}}}`))
			is.NoErr(err)
			large := value(t, c.large)
			is.NoErr(check(object(t, large, canon.Int(1))))
			is.True(check(object(t, large, canon.Null())) != nil) // the work was enough to come to z
		})
	}
}

func object(t *testing.T, large, z canon.Value) canon.Value {
	t.Helper()
	return value(t, `{"large":`+string(large.Bytes())+`,"z":`+string(z.Bytes())+`}`)
}
