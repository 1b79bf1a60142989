package discover_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/discover"
)

// TestHostileSchemasAreShownInTime shows small schemas that stand for very large
// ones.
func TestHostileSchemasAreShownInTime(t *testing.T) {
	repeat := func(part string, n int) string { return strings.TrimSuffix(strings.Repeat(part+",", n), ",") }
	var chain, wide, tall []string
	for i := range 20 {
		refs := repeat(fmt.Sprintf(`{"$ref":"#/$defs/D%d"}`, i+1), 16)
		chain = append(chain, fmt.Sprintf(`"D%d":{"anyOf":[%s]}`, i, refs))
		tall = append(tall, fmt.Sprintf(`"D%d":{"allOf":[%s]}`, i, refs))
	}
	for i := range 2000 {
		wide = append(wide, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/D0"}`, i))
	}
	var grow func(depth int) string
	grow = func(depth int) string {
		var members []string
		for i := range 8 {
			value := fmt.Sprintf(`{"enum":["%d-%[1]d-a-value-that-is-rather-long","%[1]d%d-another-that-is-not-short"]}`, depth, i)
			if depth > 0 {
				value = grow(depth - 1)
			}
			members = append(members, fmt.Sprintf(`"member-number-%d":%s`, i, value))
		}
		return `{"properties":{` + strings.Join(members, ",") + `}}`
	}
	properties := `"properties":{` + strings.Join(wide, ",") + `}`
	for _, c := range []struct{ name, schema string }{
		{"unions of unions", `{` + properties + `,"$defs":{` + strings.Join(chain, ",") + `}}`},
		{"combinations of combinations", `{` + properties + `,"$defs":{` + strings.Join(tall, ",") + `}}`},
		{"a combination of itself", `{"allOf":[` + repeat(`{"$ref":"#"}`, 100) + `]}`},
		{"a union of itself", `{"anyOf":[` + repeat(`{"$ref":"#"}`, 100) + `]}`},
		{"members of itself", `{"properties":{` + strings.ReplaceAll(strings.Join(wide, ","), "#/$defs/D0", "#") + `}}`},
		{"deep", strings.Repeat(`{"properties":{"a":`, 200) + `{}` + strings.Repeat(`}}`, 200)},
		{"wide and deep", grow(2)},
		{"many names", `{"required":[` + repeat(`"a"`, 50_000) + `],"properties":{"a":{"enum":[` + repeat("1", 30_000) + `]}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			d := describe(t, "mcp:up/f", "", c.schema)
			d.Output = d.Input
			begun := time.Now()
			for _, detail := range []discover.Detail{discover.Brief, discover.Detailed} {
				found := one(t, d, detail)
				is.True(len(found.Text) < 40<<10) // however much it stands for
				is.True(len(found.Call) < 24<<10)
			}
			is.True(time.Since(begun) < 10*time.Second) // a machine at rest needs a few milliseconds
		})
	}
}

// TestSchemasAreReadUpToABound has a large definition that every member refers to:
// what would be read beyond the bound has no type.
func TestSchemasAreReadUpToABound(t *testing.T) {
	is := is.New(t)
	var members []string
	for i := range 60 {
		members = append(members, fmt.Sprintf(`"p%02d":{"$ref":"#/$defs/Large"}`, i))
	}
	large := `{"type":"string","$comment":"` + strings.Repeat("x", 200_000) + `"}`
	d := describe(t, "mcp:up/f", "", `{"properties":{`+strings.Join(members, ",")+`},"$defs":{"Large":`+large+`}}`)
	shown := one(t, d, discover.Detailed).Text
	is.True(strings.Contains(shown, "- `p00` (`str`, "))
	is.True(strings.Contains(shown, "- `p59` (`Any`, "))
}
