package canon_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

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
