package canon_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"toolplane/domain/canon"
)

// documents are about 1 MB each, as tools answer.
func documents() map[string][]byte {
	return map[string][]byte{
		"rows":    rows(7000, ""),
		"spaced":  rows(7000, " "),
		"strings": list(2600, func(r *rand.Rand) string { return prose(r, "the quick brown fox said \\\"hello\\\" ") }),
		"unicode": list(2600, func(r *rand.Rand) string { return prose(r, "Größe, Привет, мир, 世界, naïve 🙂 ") }),
		"numbers": list(65000, func(r *rand.Rand) string { return fmt.Sprintf("%.6f", r.Float64()*1e6) }),
		"floats":  list(50000, func(r *rand.Rand) string { return fmt.Sprint(r.NormFloat64()) }),
		"nested":  list(1000, func(*rand.Rand) string { return strings.Repeat(`{"k":[`, 125) + "0" + strings.Repeat("]}", 125) }),
		"wide":    wide(60000),
	}
}

func rows(n int, space string) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	return list2(n, func() string {
		row := fmt.Sprintf(`{"id":%d,"name":"user %d","email":"user%d@example.com","score":%.2f,"active":%t,"tags":["a","bc"],"team":null,"visits":%d}`,
			r.IntN(1e6), r.IntN(1e4), r.IntN(1e4), r.Float64()*100, r.IntN(2) == 0, r.IntN(1e9))
		return strings.NewReplacer(":", ":"+space, ",", ","+space).Replace(row)
	})
}

func list(n int, element func(*rand.Rand) string) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	return list2(n, func() string { return element(r) })
}

func list2(n int, element func() string) []byte {
	elements := make([]string, n)
	for i := range elements {
		elements[i] = element()
	}
	return []byte("[" + strings.Join(elements, ",") + "]")
}

func prose(r *rand.Rand, phrase string) string {
	return `"` + strings.Repeat(phrase, 1+r.IntN(20)) + `"`
}

func wide(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `,"%08x":%d`, r.Uint32()&^0xffff|uint32(i), i)
	}
	return []byte("{" + text.String()[1:] + "}")
}

func BenchmarkParse(b *testing.B) {
	for name, data := range documents() {
		b.Run(name, func(b *testing.B) {
			b.Run("canon", func(b *testing.B) {
				measure(b, data, func() error { _, err := canon.Parse(data); return err })
			})
			b.Run("json.Valid", func(b *testing.B) {
				measure(b, data, func() error { json.Valid(data); return nil })
			})
			b.Run("json.Unmarshal", func(b *testing.B) {
				measure(b, data, func() error { var v any; return json.Unmarshal(data, &v) })
			})
		})
	}
}

func measure(b *testing.B, data []byte, parse func() error) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := parse(); err != nil {
			b.Fatal(err)
		}
	}
}
