package canon_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

func TestParseWritesCanonicalForm(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"null", "null"},
		{" true ", "true"},
		{"\r\n\tfalse\n", "false"},
		{"[]", "[]"},
		{"{ }", "{}"},
		{"[ 1 , 2,3 ]", "[1,2,3]"},
		{`{ "b" : 1 , "a" : [ { } , [ ] ] }`, `{"b":1,"a":[{},[]]}`}, // member order is kept
		{`[[1],{"a":{"b":[]}},2]`, `[[1],{"a":{"b":[]}},2]`},
		{`{"":{"":0}}`, `{"":{"":0}}`},

		{"0", "0"},
		{"-0", "0"},
		{"[-0 ,-0]", "[0,0]"},
		{"-12", "-12"},
		{"10", "10"},
		{"123456789012345678901234567890", "123456789012345678901234567890"},

		{`""`, `""`},
		{`"a\/b"`, `"a/b"`},
		{`"\u0041\u00e9\u20AC"`, `"Aé€"`},
		{`"\ud83d\ude00"`, `"😀"`},
		{`"\"\\\b\f\n\r\t"`, `"\"\\\b\f\n\r\t"`},
		{`"\u0022\u005c\u0008\u000c\u000a\u000D\u0009"`, `"\"\\\b\f\n\r\t"`},
		{`"\u0000\u001F\u007f"`, "\"\\u0000\\u001f\x7f\""},
		{`"<&>  ` + "\u2028" + `"`, `"<&>  ` + "\u2028" + `"`},
		{`"12345678\/é1234567\u00e9"`, `"12345678/é1234567é"`},
		{`{"\u0061\/":1,"b\n":2}`, `{"a/":1,"b\n":2}`},
		{`{"é" :1, "\u00e8": "x"}`, `{"é":1,"è":"x"}`},
	} {
		t.Run(c.in, func(t *testing.T) {
			is := is.New(t)
			v, err := canon.Parse([]byte(c.in))
			is.NoErr(err)                        // it is JSON
			is.Equal(string(v.Bytes()), c.want)  // in canonical form
			again, err := canon.Parse(v.Bytes()) //
			is.NoErr(err)                        // which is JSON as well
			is.True(again.Equal(v))              // and stays as it is
		})
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", canon.MaxDepth+1) + strings.Repeat("]", canon.MaxDepth+1)
	deepObject := strings.Repeat(`{"a":`, canon.MaxDepth) + "[]" + strings.Repeat("}", canon.MaxDepth)
	for _, c := range []struct {
		in   string
		code fault.Code
		path string
		text string // part of the message
	}{
		{"", fault.JSONSyntax, "$", "expected a value, found the end of the text at offset 0"},
		{" ", fault.JSONSyntax, "$", "offset 1"},
		{"1 2", fault.JSONSyntax, "$", `nothing after the value, found byte "2" at offset 2`},
		{"[] x", fault.JSONSyntax, "$", "offset 3"},
		{"\ufeff1", fault.JSONSyntax, "$", "offset 0"},
		{"\v1", fault.JSONSyntax, "$", "offset 0"},
		{"\x00", fault.JSONSyntax, "$", "offset 0"},
		{"nul", fault.JSONSyntax, "$", "a value"},
		{"nulL", fault.JSONSyntax, "$", "a value"},
		{"[tru]", fault.JSONSyntax, "$[0]", "a value"},
		{"fals", fault.JSONSyntax, "$", "a value"},
		{"truex", fault.JSONSyntax, "$", "offset 4"},
		{"'a'", fault.JSONSyntax, "$", "a value"},
		{"[1,]", fault.JSONSyntax, "$[1]", "offset 3"},
		{"[,1]", fault.JSONSyntax, "$[0]", "offset 1"},
		{"[1 2]", fault.JSONSyntax, "$", "',' or ']'"},
		{"[1}", fault.JSONSyntax, "$", "',' or ']'"},
		{"[", fault.JSONSyntax, "$[0]", "offset 1"},
		{"[1", fault.JSONSyntax, "$", "end of the text"},
		{"{", fault.JSONSyntax, "$", "a key"},
		{`{"a"`, fault.JSONSyntax, "$.a", "':'"},
		{`{"a" 1}`, fault.JSONSyntax, "$.a", "offset 5"},
		{`{"a":}`, fault.JSONSyntax, "$.a", "offset 5"},
		{`{"a":1,}`, fault.JSONSyntax, "$", "a key in double quotes"},
		{`{"a":1 "b":2}`, fault.JSONSyntax, "$", "',' or '}'"},
		{`{"a":1]`, fault.JSONSyntax, "$", "',' or '}'"},
		{`{a:1}`, fault.JSONSyntax, "$", "a key"},
		{`{1:2}`, fault.JSONSyntax, "$", "a key"},
		{`{"rows":[1,{"name":x}]}`, fault.JSONSyntax, "$.rows[1].name", "offset 19"},
		{`"abc`, fault.JSONSyntax, "$", "a closing quote"},
		{`{"a":"abc`, fault.JSONSyntax, "$.a", "a closing quote"},
		{`{"a":1,"b`, fault.JSONSyntax, "$", "a closing quote"},
		{`{"x":{"a`, fault.JSONSyntax, "$.x", "a closing quote"},
		{`"abc\`, fault.JSONSyntax, "$", "an escape"},
		{`"\x"`, fault.JSONSyntax, "$", "offset 2"},
		{`"\u12g4"`, fault.JSONSyntax, "$", "four hexadecimal digits"},
		{`"\u12`, fault.JSONSyntax, "$", "four hexadecimal digits"},
		{`"\U0041"`, fault.JSONSyntax, "$", "an escape"},
		{"\"a\nb\"", fault.JSONSyntax, "$", "control characters"},
		{"[\"\x1f\"]", fault.JSONSyntax, "$[0]", "control characters"},
		{"\"12345678\x00\"", fault.JSONSyntax, "$", "offset 9"},
		{"+1", fault.JSONSyntax, "$", "a value"},
		{"-", fault.JSONSyntax, "$", "a digit"},
		{"-a", fault.JSONSyntax, "$", "a digit"},
		{"--1", fault.JSONSyntax, "$", "a digit"},
		{"01", fault.JSONSyntax, "$", "offset 1"},
		{"-00", fault.JSONSyntax, "$", "offset 2"},
		{"00.5", fault.JSONSyntax, "$", "offset 1"},
		{"1.", fault.JSONSyntax, "$", "a digit"},
		{".5", fault.JSONSyntax, "$", "a value"},
		{"1.e3", fault.JSONSyntax, "$", "a digit"},
		{"1e", fault.JSONSyntax, "$", "a digit"},
		{"1e+", fault.JSONSyntax, "$", "a digit"},
		{"[1.5e-]", fault.JSONSyntax, "$[0]", "offset 6"},
		{"0x10", fault.JSONSyntax, "$", "offset 1"},
		{"1_000", fault.JSONSyntax, "$", "offset 1"},

		{"NaN", fault.JSONNonFinite, "$", "NaN"},
		{"[Infinity]", fault.JSONNonFinite, "$[0]", "Infinity"},
		{`{"a":[0,-Infinity]}`, fault.JSONNonFinite, "$.a[1]", "-Infinity"},
		{"-NaN", fault.JSONSyntax, "$", "a digit"},
		{"Nan", fault.JSONSyntax, "$", "a value"},
		{"1e309", fault.JSONNonFinite, "$", "range"},
		{"[-1.8e308]", fault.JSONNonFinite, "$[0]", "range"},
		{strings.Repeat("9", 400) + ".5", fault.JSONNonFinite, "$", "range"},

		{`{"a":1,"a":2}`, fault.JSONDuplicate, "$.a", "more than once"},
		{`{"a":1,"\u0061":2}`, fault.JSONDuplicate, "$.a", ""},
		{`{"\/":1,"b":0,"/":2}`, fault.JSONDuplicate, `$["/"]`, ""},
		{`{"":1,"":2}`, fault.JSONDuplicate, `$[""]`, ""},
		{`[{"a":{"x":1}},{"a":{"y":2,"x":1,"y":3}}]`, fault.JSONDuplicate, "$[1].a.y", ""},

		{`"\ud800"`, fault.JSONSurrogate, "$", `\ud800`},
		{`["\uDC00\ud800"]`, fault.JSONSurrogate, "$[0]", `\udc00`},
		{`{"a":"\ud83dx"}`, fault.JSONSurrogate, "$.a", ""},
		{`"\ud83d\n"`, fault.JSONSurrogate, "$", ""},
		{`"\ud83d\u0041"`, fault.JSONSurrogate, "$", ""},
		{`"\ud83d\u004"`, fault.JSONSurrogate, "$", ""},
		{`{"a":{"\udfff":1}}`, fault.JSONSurrogate, "$.a", ""},
		{`{"a":1,"b\ud800":1}`, fault.JSONSurrogate, "$", ""}, // not at $.a
		{"\"\xff\"", fault.JSONSurrogate, "$", "UTF-8"},
		{"[0,\"abcdefgh\xc3\"]", fault.JSONSurrogate, "$[1]", "UTF-8"},
		{"\"\xed\xa0\x80\"", fault.JSONSurrogate, "$", "UTF-8"},
		{"\"\xc0\x80\"", fault.JSONSurrogate, "$", "UTF-8"},
		{"\"\xf4\x90\x80\x80\"", fault.JSONSurrogate, "$", "UTF-8"},
		{"{\"a\":{\"k\xff\":1}}", fault.JSONSurrogate, "$.a", "UTF-8"},

		{"1" + strings.Repeat("0", canon.MaxDigits), fault.JSONNumber, "$", "4301 digits; at most 4300"},
		{`{"n":-1` + strings.Repeat("0", canon.MaxDigits) + "}", fault.JSONNumber, "$.n", "4301 digits"},

		{deep, fault.JSONDepth, "$[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]…[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]", "512"},
		{deepObject, fault.JSONDepth, "$" + strings.Repeat(".a", 16) + "…" + strings.Repeat(".a", 16), "512"},
	} {
		t.Run(c.in[:min(len(c.in), 40)], func(t *testing.T) {
			is := is.New(t)
			v, err := canon.Parse([]byte(c.in))
			is.True(v.IsNull()) // nothing comes of it
			var f *fault.Fault
			is.True(errors.As(err, &f))                  // a fault
			is.Equal(f.Code(), c.code)                   // of this code
			is.Equal(f.Path(), c.path)                   // at this path
			is.True(strings.Contains(f.Error(), c.text)) // saying this
			_, notes, lenient := canon.ParseWith([]byte(c.in), canon.Options{Lenient: true})
			repaired := c.code == fault.JSONDuplicate || c.code == fault.JSONSurrogate && c.in != `"\ud83d\u004"`
			is.Equal(lenient == nil, repaired) // only these are repaired
			is.Equal(len(notes) > 0, repaired) // and told
		})
	}
}

func TestParseTakesWhatIsJustWithinTheLimits(t *testing.T) {
	digits := strings.Repeat("9", canon.MaxDigits)
	for name, in := range map[string]string{
		"digits":          digits,
		"negative digits": "-" + digits,
		"arrays":          strings.Repeat("[", canon.MaxDepth) + strings.Repeat("]", canon.MaxDepth),
		"objects":         strings.Repeat(`{"a":`, canon.MaxDepth-1) + "{}" + strings.Repeat("}", canon.MaxDepth-1),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			v, err := canon.Parse([]byte(in))
			is.NoErr(err)                   // still allowed
			is.Equal(string(v.Bytes()), in) // and kept
		})
	}
}

func TestPathsNameKeysAndStayShort(t *testing.T) {
	long := strings.Repeat("k", 1000)
	wide := strings.Repeat("é", 1000)
	for _, c := range []struct{ in, path string }{
		{`{"a":{"b_1":[[x]]}}`, "$.a.b_1[0][0]"},
		{`{"odd key":{"1a":x}}`, `$["odd key"]["1a"]`},
		{`{"é":{"a\"b":{"\n":x}}}`, `$["é"]["a\"b"]["\n"]`},
		{`{"":x}`, `$[""]`},
		{`[1,[],{"a":1,"b":[0,0,x]}]`, "$[2].b[2]"},
		{`{"` + long + `":x}`, "$." + long[:64] + "…"},
		{`{"` + wide + `":x}`, `$["` + strings.Repeat("é", 32) + `…"]`},
		{`{"x` + wide + `":x}`, `$["x` + strings.Repeat("é", 31) + `…"]`},
		{`{"` + strings.Repeat(`\u0001`, 20) + `":x}`, `$["` + strings.Repeat(`\u0001`, 10) + `…"]`},
	} {
		t.Run(c.path[:min(len(c.path), 20)], func(t *testing.T) {
			is := is.New(t)
			_, err := canon.Parse([]byte(c.in))
			var f *fault.Fault
			is.True(errors.As(err, &f)) // refused
			is.Equal(f.Path(), c.path)  // at this path
		})
	}
}

func TestParseKeepsNothingOfItsInput(t *testing.T) {
	is := is.New(t)
	data := []byte(`{"a": "text", "b": [1.50, "\u00e9"]}`)
	v, err := canon.Parse(data)
	is.NoErr(err)
	clear(data)
	is.Equal(string(v.Bytes()), `{"a":"text","b":[1.5,"é"]}`) // a copy
}

func TestParseHoldsToItsCap(t *testing.T) {
	for _, c := range []struct {
		in string
		n  int64 // the canonical size
	}{
		{`[1,2,3]`, 7},
		{`[1, 2, 3]`, 7},
		{`"\u00e9\n"`, 6},
		{`1e15`, 18},
		{`[1E15,1E15]`, 39},
		{`{"a" : { "b" : -0 } }`, 13},
		{`"\u0001"`, 8},
	} {
		t.Run(c.in, func(t *testing.T) {
			is := is.New(t)
			v, _, err := canon.ParseWith([]byte(c.in), canon.Options{MaxBytes: c.n})
			is.NoErr(err)                 // exactly the cap
			is.Equal(int64(v.Len()), c.n) //
			_, _, err = canon.ParseWith([]byte(c.in), canon.Options{MaxBytes: c.n - 1})
			is.Equal(fault.CodeOf(err), fault.OutputTooLarge)                                  // one byte over
			is.True(strings.Contains(err.Error(), fmt.Sprintf("larger than %d bytes", c.n-1))) // says the cap
			_, _, err = canon.ParseWith([]byte(c.in), canon.Options{MaxBytes: 1, TooLarge: fault.ArgsTooLarge})
			is.Equal(fault.CodeOf(err), fault.ArgsTooLarge) // by the caller's code
		})
	}
}

func TestParseStopsWhereTheCapIsPassed(t *testing.T) {
	is := is.New(t)
	doc := []byte("[" + strings.Repeat("123456789,", 1<<20) + "x]")
	_, _, err := canon.ParseWith(doc, canon.Options{MaxBytes: 100})
	var f *fault.Fault
	is.True(errors.As(err, &f))
	is.Equal(f.Code(), fault.OutputTooLarge) // not what comes a million elements later
	is.Equal(f.Path(), "$[10]")              // but where it was
}

func TestParseKeepsNoSpareMemory(t *testing.T) {
	is := is.New(t)
	data := []byte("[" + strings.Repeat(" ", 1<<20) + "1]")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var values [32]canon.Value
	for i := range values {
		values[i] = canon.Null()
		is.NoErr(values[i].UnmarshalJSON(data))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	is.True(after.HeapAlloc < before.HeapAlloc+8<<20) // not a megabyte each
	is.Equal(string(values[0].Bytes()), "[1]")
	runtime.KeepAlive(data)
	runtime.KeepAlive(values)
}
