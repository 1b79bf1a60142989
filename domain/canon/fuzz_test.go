package canon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

func TestParseAgreesWithTheOracleOnRandomDocuments(t *testing.T) {
	for seed := range uint64(1000) {
		d := document{rand.New(rand.NewPCG(seed, 1))}
		compare(t, []byte(d.value(0)))
	}
}

// document makes random JSON, with white space, escapes, repeated keys and what
// is no text, most of it rarely.
type document struct{ *rand.Rand }

func (d document) pick(from ...string) string { return from[d.IntN(len(from))] }

func (d document) space() string {
	if d.IntN(4) > 0 {
		return ""
	}
	return d.pick(" ", "\n", "\t \r\n", "                ")
}

func (d document) text() string {
	var text strings.Builder
	for range d.IntN(5) {
		piece := d.pick("a", "key", "a longer piece of text", "é", "日本", "😀", `\n`, `\"`, `\\`, `\/`, `\u0041`, `\u00e9`, `\u0007`, `\ud83d\ude00`)
		if d.IntN(300) == 0 {
			piece = d.pick(`\ud800`, `\udc00`, "\xff", "\xed\xa0\x80")
		}
		text.WriteString(piece)
	}
	return `"` + text.String() + `"`
}

func (d document) value(depth int) string {
	kind := d.IntN(8)
	if depth > 5 {
		kind = d.IntN(4)
	}
	switch kind {
	case 0, 1:
		return d.text()
	case 2:
		return d.pick("null", "true", "false", "0", "-0", "-17", "123456789012345678901234567890")
	case 3:
		return d.pick("0.0", "-0.0", "1e5", "12.50", fmt.Sprint(d.NormFloat64()), fmt.Sprintf("%.20f", d.Float64()), fmt.Sprintf("%e", d.NormFloat64()))
	case 4, 5:
		var elements []string
		for range d.IntN(6) {
			elements = append(elements, d.space()+d.value(depth+1)+d.space())
		}
		return "[" + strings.Join(elements, ",") + "]"
	}
	var members []string
	for i := range d.IntN(d.pick2(8, 40)) {
		name := fmt.Sprintf(`"%d%s`, i, d.text()[1:])
		if d.IntN(100) == 0 {
			name = d.pick(`"0"`, `"1"`, `"\u0031"`)
		}
		members = append(members, d.space()+name+d.space()+":"+d.space()+d.value(depth+1)+d.space())
	}
	return "{" + strings.Join(members, ",") + "}"
}

// pick2 is the first, and now and then the second.
func (d document) pick2(often, seldom int) int {
	if d.IntN(6) == 0 {
		return seldom
	}
	return often
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

// oracle is the slow reading of a text that is known to be JSON.
type oracle struct {
	tokens *json.Decoder
	faults map[fault.Code]bool // what a strict parse may refuse
	form   string              // the canonical form, after repairs
}

func read(t *testing.T, data []byte) *oracle {
	o := &oracle{faults: map[fault.Code]bool{}}
	if !utf8.Valid(data) || hasLoneSurrogate(data) {
		o.faults[fault.JSONSurrogate] = true
	}
	o.tokens = json.NewDecoder(bytes.NewReader(replaceSurrogates(data)))
	o.tokens.UseNumber()
	o.form = o.value(t, 0)
	return o
}

// replaceSurrogates does for encoded surrogates what encoding/json would do byte
// by byte.
func replaceSurrogates(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data); i++ {
		if i+2 < len(data) && data[i] == 0xed && data[i+1] >= 0xa0 && data[i+1] <= 0xbf && data[i+2]&0xc0 == 0x80 {
			out = append(out, "\ufffd"...)
			i += 2
			continue
		}
		out = append(out, data[i])
	}
	return out
}

var escapes = regexp.MustCompile(`(?i)\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u(d[89a-f][0-9a-f]{2})|.)`)

func hasLoneSurrogate(data []byte) bool {
	for _, m := range escapes.FindAllSubmatch(data, -1) {
		if m[3] != nil {
			return true
		}
	}
	return false
}

func (o *oracle) value(t *testing.T, depth int) string {
	token, err := o.tokens.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token := token.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(token)
	case string:
		return quote(token)
	case json.Number:
		return o.number(string(token))
	}
	if depth == canon.MaxDepth {
		o.faults[fault.JSONDepth] = true
	}
	if token == json.Delim('[') {
		var elements []string
		for o.tokens.More() {
			elements = append(elements, o.value(t, depth+1))
		}
		_, _ = o.tokens.Token()
		return "[" + strings.Join(elements, ",") + "]"
	}
	var names []string
	values := map[string]string{}
	for o.tokens.More() {
		name := o.value(t, depth+1)
		if _, ok := values[name]; ok {
			o.faults[fault.JSONDuplicate] = true
		} else {
			names = append(names, name)
		}
		values[name] = o.value(t, depth+1)
	}
	_, _ = o.tokens.Token()
	for i, name := range names {
		names[i] = name + ":" + values[name]
	}
	return "{" + strings.Join(names, ",") + "}"
}

// quote escapes as little as JSON allows.
func quote(s string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var out strings.Builder
	for _, r := range s {
		switch escape, ok := short[r]; {
		case ok:
			out.WriteString(escape)
		case r < 0x20:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return `"` + out.String() + `"`
}

// number reads a literal exactly and writes the shortest decimal that is nearest
// to the same float, found by trying.
func (o *oracle) number(literal string) string {
	if !strings.ContainsAny(literal, ".eE") {
		if len(strings.TrimPrefix(literal, "-")) > canon.MaxDigits {
			o.faults[fault.JSONNumber] = true
			return literal
		}
		n, _ := new(big.Int).SetString(literal, 10)
		return n.String()
	}
	f := nearest(literal)
	if f.IsInf() {
		o.faults[fault.JSONNonFinite] = true
		return literal
	}
	exact, _ := f.Float64()
	for precision := 0; ; precision++ {
		text := new(big.Float).SetPrec(2000).SetFloat64(exact).Text('e', precision)
		if back, _ := strconv.ParseFloat(text, 64); back == exact {
			return layout(text)
		}
	}
}

// nearest rounds a literal to a float64 by way of a wide big.Float.
func nearest(literal string) *big.Float {
	if _, exponent, _ := strings.Cut(strings.ToLower(literal), "e"); len(exponent) > 6 {
		f, _ := strconv.ParseFloat(literal, 64) // too far out to compute exactly
		return new(big.Float).SetFloat64(f)
	}
	wide, _, err := big.ParseFloat(literal, 10, 4000, big.ToNearestEven)
	if err != nil {
		return new(big.Float).SetInf(true)
	}
	f, _ := wide.Float64()
	return new(big.Float).SetFloat64(f)
}

// layout turns d.ddde±xx into what Python's repr would make of these digits.
func layout(scientific string) string {
	mantissa, exponent, _ := strings.Cut(scientific, "e")
	sign := ""
	if mantissa[0] == '-' {
		sign, mantissa = "-", mantissa[1:]
	}
	x, _ := strconv.Atoi(exponent)
	digits := strings.Replace(mantissa, ".", "", 1)
	if x < -4 || x >= 16 {
		return fmt.Sprintf("%s%se%+03d", sign, mantissa, x)
	}
	if x < 0 {
		return sign + "0." + strings.Repeat("0", -x-1) + digits
	}
	if len(digits) <= x+1 {
		return sign + digits + strings.Repeat("0", x+1-len(digits)) + ".0"
	}
	return sign + digits[:x+1] + "." + digits[x+1:]
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
