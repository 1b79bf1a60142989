package canon_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

func TestLenientParseReplacesWhatIsNoText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`"\ud800"`, "\"\ufffd\""},
		{`"a\ud800\ud83d\ude00\udc00z"`, "\"a\ufffd😀\ufffdz\""},
		{`"\ud83d\ud83d\ude00"`, "\"\ufffd😀\""},
		{`"\ud83d\u0041"`, "\"\ufffdA\""},
		{"\"\xff\"", "\"\ufffd\""},
		{"\"a\xc3\xa9\xc3b\"", "\"aé\ufffdb\""},
		{"\"\xe2\x82\"", "\"\ufffd\ufffd\""},
		{"\"\xed\xa0\x80\xed\xb0\x80.\"", "\"\ufffd\ufffd.\""}, // encoded surrogates, one each
		{"\"\xed\xa0\"", "\"\ufffd\ufffd\""},
		{"\"\xed\xc3\xa9\"", "\"\ufffdé\""},
		{"\"\xed\x9f\xbf\xee\x80\x80\"", "\"\ud7ff\ue000\""}, // their neighbours
		{`"\ufffd"`, "\"\ufffd\""},
	} {
		t.Run(c.in, func(t *testing.T) {
			is := is.New(t)
			v, notes, err := canon.ParseWith([]byte(`{"a":[0,`+c.in+`]}`), canon.Options{Lenient: true})
			is.NoErr(err)
			is.Equal(string(v.Bytes()), `{"a":[0,`+c.want+`]}`) // U+FFFD for each
			is.True(!v.ASCII())
			if _, err := canon.Parse([]byte(c.in)); err == nil {
				is.Equal(len(notes), 0) // there was nothing to repair
				return
			}
			is.Equal(notes, []canon.Note{{Code: fault.JSONSurrogate, Path: "$.a[1]"}}) // one note a text
			is.True(strings.HasPrefix(notes[0].String(), "$.a[1]: text that is not valid Unicode"))
		})
	}
}

func TestLenientParseNamesRepairedKeys(t *testing.T) {
	is := is.New(t)
	v, notes, err := canon.ParseWith([]byte(`{"a":{"b\ud800":1},"c":2}`), canon.Options{Lenient: true})
	is.NoErr(err)
	is.Equal(string(v.Bytes()), "{\"a\":{\"b\ufffd\":1},\"c\":2}")
	is.Equal(notes, []canon.Note{{Code: fault.JSONSurrogate, Path: "$.a[\"b\ufffd\"]"}}) // as they are now
}

func TestASCIIIsKnown(t *testing.T) {
	for _, c := range []struct {
		in    string
		ascii bool
	}{
		{"null", true},
		{`{"a":[1,2.5,"text\n"]}`, true},
		{"\"\x7f\"", true},
		{`"\u00e9"`, false},
		{`"é"`, false},
		{`"\u0080"`, false},
		{`{"é":1}`, false},
		{`["1234567890123456é"]`, false},
		{`["1234567","12345678é"]`, false},
		{`"\ud83d\ude00"`, false},
	} {
		t.Run(c.in, func(t *testing.T) {
			is := is.New(t)
			v, err := canon.Parse([]byte(c.in))
			is.NoErr(err)
			is.Equal(v.ASCII(), c.ascii)
		})
	}
	is := is.New(t)
	v, err := canon.Parse([]byte(`["é","e",["\u00e9"]]`))
	is.NoErr(err)
	var parts []bool
	for part := range v.Elements() {
		parts = append(parts, part.ASCII())
	}
	is.Equal(parts, []bool{false, true, false}) // parts are known on their own
	v, _, err = canon.ParseWith([]byte(`{"a":"é","a":"e"}`), canon.Options{Lenient: true})
	is.NoErr(err)
	is.True(v.ASCII()) // what was dropped does not count
}

func TestTextIsReadBack(t *testing.T) {
	for _, s := range []string{
		"", "a", "plain text of some length", "\"quoted\"", `back\slash`, "\b\f\n\r\t", "\x00\x01\x0a\x0f\x10\x1a\x1f\x7f",
		"é", "日本語", "😀", "mixed \n é \\ \x1f", strings.Repeat("x", 1000) + "\n" + strings.Repeat("é", 1000), "\\u0041", "\u2028<>&",
	} {
		t.Run(s[:min(len(s), 20)], func(t *testing.T) {
			is := is.New(t)
			v, err := canon.Text(s)
			is.NoErr(err)
			got, ok := v.Text()
			is.True(ok)
			is.Equal(got, s) // as it was given
			parsed, err := canon.Parse(v.Bytes())
			is.NoErr(err)
			is.True(parsed.Equal(v)) // Parse writes the same
			is.Equal(parsed.ASCII(), v.ASCII())
		})
	}
	is := is.New(t)
	for _, s := range []string{"\xff", "ab\xed\xa0\x80"} {
		_, err := canon.Text(s)
		is.Equal(fault.CodeOf(err), fault.JSONSurrogate) // no text
	}
	_, ok := canon.Int(1).Text()
	is.True(!ok) // nor is a number
}
