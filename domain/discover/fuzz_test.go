package discover_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/discover"
)

// FuzzRender shows whatever JSON stands in for a schema.
func FuzzRender(f *testing.F) {
	for _, schema := range []string{
		recursive, `null`, `true`, `[]`, `{"$ref":"#"}`, `{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`,
		`{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]}}}`,
		`{"properties":{"":{"enum":[{"a":[1,null]},"\u202e"]},"\n":{"type":["array",3],"items":[1]}},"required":[1,""]}`,
		`{"items":{"properties":{"x":{"additionalProperties":{"$ref":"#/items"}}}},"type":"array"}`,
		`{"properties":{"a":{"default":"` + "```" + `","pattern":"` + "`" + `","minimum":"x","examples":{"a":1},"deprecated":1}}}`,
	} {
		f.Add("Text <b> `x`\n# Head", []byte(schema))
	}
	f.Fuzz(func(t *testing.T, text string, schema []byte) {
		value, err := canon.Parse(schema)
		if err != nil {
			return
		}
		d := describe(t, "mcp:up/f", text, "", text)
		d.Title, d.Input, d.Output = text, value, value
		x := index(d)
		for _, detail := range []discover.Detail{discover.Brief, discover.Detailed, discover.Full} {
			found := x.Search(discover.Query{Text: "up " + text, Detail: detail}).Hits
			if len(found) != 1 {
				t.Fatalf("found %d", len(found))
			}
			check(t, found[0], detail)
		}
		if text := x.Manifest(everything()); len(text) > 256<<10 || !utf8.ValidString(text) {
			t.Fatalf("a manifest of %d bytes", len(text))
		}
	})
}

// check holds a rendering to what is promised of any.
func check(t *testing.T, d discover.Description, detail discover.Detail) {
	t.Helper()
	most := map[discover.Detail]int{discover.Brief: 32 << 10, discover.Detailed: 40 << 10, discover.Full: 40<<10 + d.Source.Input.Len() + d.Source.Output.Len()}[detail]
	if len(d.Text) > most || len(d.Call) > 24<<10 {
		t.Fatalf("%d bytes of text, %d of call", len(d.Text), len(d.Call))
	}
	if detail == discover.Brief && strings.Contains(d.Text, "\n") {
		t.Fatalf("a brief text has several lines: %q", d.Text)
	}
	shown := append(slices.Clone(d.Tags), d.Summary, d.Call)
	if detail != discover.Full {
		shown = append(shown, strings.ReplaceAll(d.Text, "\n", ""))
	}
	for _, text := range shown {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Fatalf("not printable: %q", text)
		}
	}
	for line := range strings.Lines(d.Text) {
		if heading := strings.HasPrefix(line, "#"); heading && !strings.HasPrefix(line, "### `mcp:up/f`") {
			t.Fatalf("a heading that is not ours: %q", line)
		}
	}
	for _, text := range append(d.Tags, d.Summary) {
		if strings.ContainsAny(text, "<>") {
			t.Fatalf("HTML in %q", text)
		}
	}
}

// FuzzSearch looks for anything among anything.
func FuzzSearch(f *testing.F) {
	f.Add("list issues", "createIssue", "HTTPServer 会议 İİİİİİİİİİİİİİİİİİİİİİİİİİİİİİİİ")
	f.Add("\xff a", "naïve", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
	f.Fuzz(func(t *testing.T, query, name, text string) {
		if len(query) > discover.MaxQuery {
			return
		}
		list := []capability.Descriptor{describe(t, "mcp:up/f", text, "")}
		if id, err := capability.NewID(capability.Host, "app", name); err == nil {
			list = append(list, capability.Descriptor{ID: id, Title: text})
		}
		x := index(list...)
		page := x.Search(discover.Query{Text: query})
		if page.Total != len(page.Hits) || page.Total > len(list) {
			t.Fatalf("%d hits of %d", len(page.Hits), page.Total)
		}
		for _, d := range list {
			if hits := x.Search(discover.Query{Text: d.ID.String()}).Hits; len(hits) == 0 || hits[0].ID != d.ID.String() {
				t.Fatalf("%v is not found by its id", d.ID)
			}
		}
	})
}
