package canon_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

// events runs steps until one fails.
func events(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func TestEncoderWritesWhatParseWrites(t *testing.T) {
	is := is.New(t)
	var e canon.Encoder
	key := func(name string) func() error { return func() error { return e.Key(name) } }
	is.NoErr(events(
		e.BeginObject,
		key("list"), e.BeginArray,
		e.Null,
		func() error { return e.Bool(true) },
		func() error { return e.Int(math.MinInt64) },
		func() error { return e.Uint(math.MaxUint64) },
		func() error { return e.Digits("-123456789012345678901234567890") },
		func() error { return e.Float(1e16) },
		func() error { return e.Float(-2) },
		func() error { return e.Text("a\n\"é\x00") },
		func() error { return e.TextBytes([]byte("b\\/")) },
		e.BeginArray, e.EndArray,
		e.BeginObject, e.EndObject,
		func() error { return e.Embed(parse(t, `{"list":[1]}`)) },
		func() error { return e.Embed(canon.Value{}) },
		e.EndArray,
		func() error { return e.KeyBytes([]byte("k\t")) }, func() error { return e.Bool(false) },
		key(""), e.Null,
		e.EndObject,
	))
	v, err := e.Value()
	is.NoErr(err)
	const want = `{"list":[null,true,-9223372036854775808,18446744073709551615,-123456789012345678901234567890,` +
		`1e+16,-2.0,"a\n\"é\u0000","b\\/",[],{},{"list":[1]},null],"k\t":false,"":null}`
	is.Equal(string(v.Bytes()), want)
	is.True(parse(t, want).Equal(v)) // a fixed point
	is.True(!v.ASCII())
}

func TestEncoderRefusesWithPath(t *testing.T) {
	inRows := func(e *canon.Encoder) error {
		return events(e.BeginObject, func() error { return e.Key("rows") }, e.BeginArray, e.Null)
	}
	deep, err := canon.Parse([]byte(strings.Repeat("[", 511) + strings.Repeat("]", 511)))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		step func(e *canon.Encoder) error
		code fault.Code
		path string
	}{
		"NaN":         {func(e *canon.Encoder) error { return e.Float(math.NaN()) }, fault.JSONNonFinite, "$.rows[1]"},
		"infinity":    {func(e *canon.Encoder) error { return e.Float(math.Inf(-1)) }, fault.JSONNonFinite, "$.rows[1]"},
		"no UTF-8":    {func(e *canon.Encoder) error { return e.Text("\xff") }, fault.JSONSurrogate, "$.rows[1]"},
		"a surrogate": {func(e *canon.Encoder) error { return e.TextBytes([]byte("\xed\xa0\x80")) }, fault.JSONSurrogate, "$.rows[1]"},
		"no digits":   {func(e *canon.Encoder) error { return e.Digits("1x") }, fault.JSONSyntax, "$.rows[1]"},
		"many digits": {func(e *canon.Encoder) error { return e.Digits(strings.Repeat("1", 4301)) }, fault.JSONNumber, "$.rows[1]"},
		"deep value":  {func(e *canon.Encoder) error { return e.Embed(deep) }, fault.JSONDepth, "$.rows[1]"},
		"bad key":     {func(e *canon.Encoder) error { return events(e.BeginObject, func() error { return e.Key("\xff") }) }, fault.JSONSurrogate, "$.rows[1]"},
		"bad second key": {func(e *canon.Encoder) error {
			return events(e.BeginObject, func() error { return e.Key("a") }, e.Null, func() error { return e.Key("\xff") })
		}, fault.JSONSurrogate, "$.rows[1]"},
		"key again": {func(e *canon.Encoder) error {
			return events(e.BeginObject, func() error { return e.Key("a b") }, e.Null, func() error { return e.KeyBytes([]byte("a b")) })
		}, fault.JSONDuplicate, `$.rows[1]["a b"]`},
		"key again in a large object": {func(e *canon.Encoder) error {
			_ = e.BeginObject()
			for _, key := range append(keys(100, "k%d"), "k7") {
				_, _ = e.Key(key), e.Null()
			}
			return e.EndObject()
		}, fault.JSONDuplicate, "$.rows[1].k7"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			var e canon.Encoder
			is.NoErr(inRows(&e))
			err := c.step(&e)
			var f *fault.Fault
			is.True(errors.As(err, &f)) // a fault
			is.Equal(f.Code(), c.code)  // of this code
			is.Equal(f.Path(), c.path)  // at this path
			is.Equal(e.Null(), err)     // for good
			_, last := e.Value()
			is.Equal(last, err) // whatever comes
		})
	}
}

func TestEncoderHoldsToTheDepthLimit(t *testing.T) {
	is := is.New(t)
	var e canon.Encoder
	for range canon.MaxDepth {
		is.NoErr(e.BeginArray())
	}
	is.Equal(fault.CodeOf(e.BeginObject()), fault.JSONDepth) // one deeper

	e.Reset()
	whole := parse(t, strings.Repeat("[", 511)+`1,"[[["`+strings.Repeat("]", 511))
	is.NoErr(events(e.BeginArray, func() error { return e.Embed(whole) }, func() error { return e.Embed(whole) }, e.EndArray))
	v, err := e.Value()
	is.NoErr(err) // exactly the limit
	e.Reset()
	is.NoErr(e.BeginArray())
	is.Equal(fault.CodeOf(e.Embed(v)), fault.JSONDepth) // an embedded depth counts

	var parts []canon.Value
	for part := range parse(t, `[[[["x"]]],["[[]]"],7]`).Elements() {
		parts = append(parts, part)
	}
	e.Reset()
	for range canon.MaxDepth - 1 {
		is.NoErr(e.BeginArray())
	}
	is.NoErr(e.Embed(parts[2]))                                // a part counts with its own depth
	is.NoErr(e.Embed(parts[1]))                                // brackets in text are no depth
	is.Equal(fault.CodeOf(e.Embed(parts[0])), fault.JSONDepth) // real ones are
}

func TestEmbeddedTextCounts(t *testing.T) {
	is := is.New(t)
	for text, ascii := range map[string]bool{`["e"]`: true, `["é"]`: false} {
		var e canon.Encoder
		is.NoErr(events(e.BeginArray, func() error { return e.Embed(parse(t, text)) }, e.EndArray))
		v, err := e.Value()
		is.NoErr(err)
		is.Equal(v.ASCII(), ascii)
	}
}

func TestMisuseOfAnEncoderIsAnError(t *testing.T) {
	object := func(e *canon.Encoder) error { return e.BeginObject() }
	array := func(e *canon.Encoder) error { return e.BeginArray() }
	endObject := func(e *canon.Encoder) error { return e.EndObject() }
	endArray := func(e *canon.Encoder) error { return e.EndArray() }
	key := func(e *canon.Encoder) error { return e.Key("k") }
	null := func(e *canon.Encoder) error { return e.Null() }
	take := func(e *canon.Encoder) error { _, err := e.Value(); return err }
	for name, steps := range map[string][]func(*canon.Encoder) error{
		"nothing":                  {take},
		"unfinished array":         {array, take},
		"unfinished object":        {object, key, null, take},
		"two values":               {null, null},
		"a value after an array":   {array, endArray, object},
		"a value without a key":    {object, null},
		"a second value for a key": {object, key, null, null},
		"an object without a key":  {object, object},
		"a key at the top":         {key},
		"a key in an array":        {array, key},
		"a key after the end":      {object, endObject, key},
		"two keys in a row":        {object, key, key},
		"a key without a value":    {object, key, endObject},
		"the wrong end":            {array, endObject},
		"the other wrong end":      {object, endArray},
		"an end too many":          {array, endArray, endArray},
		"an end of nothing":        {endObject},
		"taken twice":              {null, take, take},
		"used after it was taken":  {null, take, null},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			var e canon.Encoder
			for i, step := range steps {
				err := step(&e)
				if i < len(steps)-1 {
					is.NoErr(err)
					continue
				}
				is.Equal(fault.CodeOf(err), fault.InternalError) // a defect of the caller
			}
			_, err := e.Value()
			is.True(err != nil) // and never a Value
			e.Reset()
			is.NoErr(e.Null()) // until it is reset
			v, err := e.Value()
			is.NoErr(err)
			is.True(v.IsNull())
		})
	}
}

func TestEncoderHoldsToItsCap(t *testing.T) {
	const want = `{"a":["é",1.5,true]}`
	encode := func(e *canon.Encoder) (canon.Value, error) {
		_ = events(e.BeginObject, func() error { return e.Key("a") }, e.BeginArray, func() error { return e.Text("é") },
			func() error { return e.Float(1.5) }, func() error { return e.Bool(true) }, e.EndArray, e.EndObject)
		return e.Value()
	}
	is := is.New(t)
	for n := range int64(len(want)) {
		if n == 0 {
			continue // no cap
		}
		_, err := encode(canon.NewEncoder(canon.Options{MaxBytes: n, TooLarge: fault.ResultTooLarge}))
		is.Equal(fault.CodeOf(err), fault.ResultTooLarge) // wherever it strikes
	}
	v, err := encode(canon.NewEncoder(canon.Options{MaxBytes: int64(len(want))}))
	is.NoErr(err) // exactly the cap
	is.Equal(string(v.Bytes()), want)

	e := canon.NewEncoder(canon.Options{MaxBytes: 1 << 20})
	big := strings.Repeat("x", 1<<22)
	is.Equal(fault.CodeOf(e.Text(big)), fault.OutputTooLarge) // before memory is taken
	e.Reset()
	is.NoErr(e.Text(big[:1<<20-2]))
}

func TestEncoderCanBeUsedAgain(t *testing.T) {
	is := is.New(t)
	e := canon.NewEncoder(canon.Options{})
	var values []canon.Value
	filling := strings.Repeat("x", 240) // with the rest, about what a small buffer holds
	for _, text := range []string{filling, "first é", strings.Repeat("long ", 1000), "second"} {
		is.NoErr(events(e.BeginObject, func() error { return e.Key("text") }, func() error { return e.Text(text) }, e.EndObject))
		v, err := e.Value()
		is.NoErr(err)
		values = append(values, v)
		e.Reset()
	}
	is.Equal(string(values[0].Bytes()), `{"text":"`+filling+`"}`) // values stand
	is.Equal(string(values[1].Bytes()), `{"text":"first é"}`)
	is.Equal(string(values[2].Bytes()), `{"text":"`+strings.Repeat("long ", 1000)+`"}`)
	is.Equal(string(values[3].Bytes()), `{"text":"second"}`)
	is.True(!values[1].ASCII())
	is.True(values[3].ASCII()) // what came before is forgotten
}

func TestLenientEncoderRepairsAndTells(t *testing.T) {
	is := is.New(t)
	e := canon.NewEncoder(canon.Options{Lenient: true})
	is.NoErr(events(e.BeginObject, func() error { return e.Key("a") }, e.Null,
		func() error { return e.Key("b") }, func() error { return e.Text("x\xed\xa0\x80") },
		func() error { return e.Key("a") }, func() error { return e.Int(2) }, e.EndObject))
	v, err := e.Value()
	is.NoErr(err)
	is.Equal(string(v.Bytes()), "{\"a\":2,\"b\":\"x\ufffd\"}")
	is.Equal(e.Notes(), []canon.Note{
		{Code: fault.JSONSurrogate, Path: "$.b"}, {Code: fault.JSONDuplicate, Path: "$.a"},
	})
	e.Reset()
	is.Equal(len(e.Notes()), 0)
	is.Equal(fault.CodeOf(e.Float(math.NaN())), fault.JSONNonFinite) // NaN has no form at all
}

func TestEncoderAllocatesNothingPerEvent(t *testing.T) {
	is := is.New(t)
	var e canon.Encoder
	name, text := []byte("name"), []byte("some text")
	allocs := testing.AllocsPerRun(10, func() {
		e.Reset()
		_ = e.BeginArray()
		for i := range 1000 {
			_ = e.BeginObject()
			_ = e.KeyBytes(name)
			_ = e.TextBytes(text)
			_ = e.Key("n")
			_ = e.Int(int64(i))
			_ = e.Key("f")
			_ = e.Float(0.1)
			_ = e.EndObject()
		}
		_ = e.EndArray()
		_, _ = e.Value()
	})
	is.True(allocs < 30) // the buffer as it grows
}
