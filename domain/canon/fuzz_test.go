package canon_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

var seeds = []string{
	"null", `{"a": [1, -0, 2.50, 1e5, "x\u00e9\n\ud83d\ude00"], "b": {}}`, `{"a":1,"a":{"b":2,"b":3},"c":[],"a":4}`,
	`"\ud800"`, "\"\xed\xa0\x80\xff\"", "[1e999]", "NaN", "1e16", "0.00001", "123456789012345678901234567890", `{"\u0061\/":"\/"}`,
	object(keys(20, "k%d")...), "[[[[[[{}]]]]]]", "[1,]", `{"a"}`, "\"\\", "-", "1.", "01", `["😀","日本"]`, "0.30000000000000004",
}

// FuzzParse compares Parse with encoding/json, read token by token with exact
// numbers: what is JSON is taken or refused for a reason that the oracle sees,
// and what is taken has the form that the oracle writes.
func FuzzParse(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(compare)
}

func compare(t *testing.T, data []byte) {
	v, err := canon.Parse(data)
	if !json.Valid(data) {
		if err == nil {
			t.Fatalf("took %q, which is not JSON", data)
		}
		return
	}
	o := read(t, data)
	if err != nil {
		if !o.faults[fault.CodeOf(err)] {
			t.Fatalf("refused %q: %v; the oracle sees %v", data, err, o.faults)
		}
	} else {
		if len(o.faults) > 0 {
			t.Fatalf("took %q, where the oracle sees %v", data, o.faults)
		}
		check(t, v, o.form)
	}
	lenient, notes, err := canon.ParseWith(data, canon.Options{Lenient: true})
	repairable := !o.faults[fault.JSONDepth] && !o.faults[fault.JSONNonFinite] && !o.faults[fault.JSONNumber]
	if (err == nil) != repairable || err == nil && (len(notes) > 0) != (len(o.faults) > 0) {
		t.Fatalf("lenient on %q: %v, %v; the oracle sees %v", data, err, notes, o.faults)
	}
	if err == nil {
		check(t, lenient, o.form)
	}
}

// check compares a value with the form it should have, and with itself after
// another parse and after a walk through an Encoder.
func check(t *testing.T, v canon.Value, want string) {
	t.Helper()
	if string(v.Bytes()) != want {
		t.Fatalf("canonical form %q, the oracle writes %q", v.Bytes(), want)
	}
	again, err := canon.Parse(v.Bytes())
	if err != nil || !again.Equal(v) {
		t.Fatalf("%q is no fixed point: %v", v.Bytes(), err)
	}
	ascii := !slices.ContainsFunc(v.Bytes(), func(c byte) bool { return c >= utf8.RuneSelf })
	if v.ASCII() != ascii || again.ASCII() != ascii {
		t.Fatalf("ASCII of %q is %t", v.Bytes(), v.ASCII())
	}
	var e canon.Encoder
	if err := walk(&e, v); err != nil {
		t.Fatal(err)
	}
	if walked, err := e.Value(); err != nil || !walked.Equal(v) {
		t.Fatalf("walked %q, encoded %q: %v", v.Bytes(), walked.Bytes(), err)
	}
}

// walk encodes v anew, part by part.
func walk(e *canon.Encoder, v canon.Value) error {
	switch v.Kind() {
	case canon.KindBool:
		b, _ := v.Bool()
		return e.Bool(b)
	case canon.KindInteger:
		if n, ok := v.Int64(); ok {
			return e.Int(n)
		}
		return e.Digits(string(v.Bytes()))
	case canon.KindFloat:
		f, _ := v.Float64()
		return e.Float(f)
	case canon.KindString:
		s, _ := v.Text()
		return e.Text(s)
	case canon.KindArray:
		err := e.BeginArray()
		for element := range v.Elements() {
			err = walk(e, element)
		}
		return firstOf(err, e.EndArray())
	case canon.KindObject:
		err := e.BeginObject()
		for key, value := range v.Members() {
			if found, ok := v.Member(key); !ok || !found.Equal(value) {
				return fmt.Errorf("member %q was not found", key)
			}
			err = firstOf(e.Key(key), walk(e, value))
		}
		return firstOf(err, e.EndObject())
	}
	return e.Null()
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// FuzzEncoder feeds an Encoder any sequence of events: whatever Value it gives
// is one that Parse would give.
func FuzzEncoder(f *testing.F) {
	f.Add([]byte("{k1a[123456789]b}"), false)
	f.Add([]byte("[[]{}{kanka0}]"), true)
	f.Add([]byte("{kbtkat}"), true)
	f.Fuzz(func(t *testing.T, script []byte, lenient bool) {
		e := canon.NewEncoder(canon.Options{Lenient: lenient, MaxBytes: 4096})
		for i, c := range script {
			rest := script[i+1:]
			rest = rest[:min(len(rest), int(c)%7)]
			_ = event(e, c, rest)
		}
		v, err := e.Value()
		if err != nil {
			if v.Bytes() == nil || !v.IsNull() {
				t.Fatal("a value in spite of an error")
			}
			return
		}
		parsed, err := canon.Parse(v.Bytes())
		if err != nil || !parsed.Equal(v) || parsed.ASCII() != v.ASCII() {
			t.Fatalf("encoded %q, parsed %q: %v", v.Bytes(), parsed.Bytes(), err)
		}
		if v.Len() > 4096 {
			t.Fatal("over the cap")
		}
	})
}

func event(e *canon.Encoder, c byte, rest []byte) error {
	switch c {
	case '{':
		return e.BeginObject()
	case '}':
		return e.EndObject()
	case '[':
		return e.BeginArray()
	case ']':
		return e.EndArray()
	case 'k':
		return e.KeyBytes(rest)
	case 'K':
		return e.Key(string(rest))
	case 't':
		return e.TextBytes(rest)
	case 'T':
		return e.Text(string(rest))
	case 'd':
		return e.Digits(string(rest))
	case 'i':
		return e.Int(int64(len(rest)) - 3)
	case 'u':
		return e.Uint(uint64(len(rest)))
	case 'f':
		f, _ := strconv.ParseFloat(string(rest), 64)
		return e.Float(f)
	case 'b':
		return e.Bool(len(rest) > 2)
	case 'e':
		v, _, _ := canon.ParseWith(rest, canon.Options{Lenient: true})
		return e.Embed(v)
	}
	return e.Null()
}
