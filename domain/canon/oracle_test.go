package canon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

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
