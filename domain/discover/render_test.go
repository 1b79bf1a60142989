package discover_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/discover"
	"toolplane/domain/fault"
)

const recursive = `{"type":"object","properties":{"q":{"$ref":"#/$defs/Q"},"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/Q"}},"f":{"enum":["a","b"]}}}}}`

// one renders the only capability of an index.
func one(t *testing.T, d capability.Descriptor, detail discover.Detail) discover.Description {
	t.Helper()
	is := is.New(t)
	found, err := index(d).Describe([]string{d.ID.String()}, detail)
	is.NoErr(err)
	is.Equal(len(found), 1)
	return found[0]
}

func TestBriefIsOneLine(t *testing.T) {
	is := is.New(t)
	d := one(t, describe(t, "mcp:up/find", "Finds things.\nMore about it.", recursive), discover.Brief)
	is.Equal(d.Text, "- `await up.find(q: Q, n: int | None = ...)  # Q = {\"all\"?: list[Q], \"f\"?: \"a\" | \"b\"}`: Finds things. (`mcp:up/find`)")
	is.Equal(d.Summary, "Finds things.")
	is.Equal(d.Names, []string{"up.find", "up_find"})
}

func TestDetailedShowsArgumentsAndAnswer(t *testing.T) {
	is := is.New(t)
	d := describe(t, "mcp:up/find", "Finds things. At length.", `{"type":"object","required":["q"],"properties":{
		"n":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null,"minimum":1,"maximum":9,"description":"How many."},
		"q":{"$ref":"#/$defs/Q","description":"What to find."},
		"when":{"type":"string","format":"date-time","examples":["2026-01-02T03:04:05Z"]},
		"of":{"oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]},
		"rows":{"type":"array","maxItems":5,"items":{"type":"object","properties":{"x-y":{"type":"string","pattern":"^a`+"`"+`$"}}}},
		"old":{"type":"boolean","deprecated":true}},
		"$defs":{"Q":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/Q"}},"f":{"enum":["a","b"]}}},
			"A":{"properties":{"a":{"type":"string"}},"required":["a"]},"B":{"properties":{"b":{"type":"string"}}}}}`, "tracker")
	d.Title = "Find"
	d.Output, _ = canon.Parse([]byte(`{"type":"object","description":"What was found.","properties":{"items":{"type":"array","items":{"type":"string"}}},"required":["items"]}`))
	is.Equal(one(t, d, discover.Detailed).Text, "### `mcp:up/find`: Find\n\n"+
		"> Finds things. At length.\n\n"+
		"Call: `await up.find(q: Q, n: int | None = None, when: str = ..., of: A | B = ..., rows: list[{\"x-y\"?: str}] = ..., old: bool = ...)"+
		"  # Q = {\"all\"?: list[Q], \"f\"?: \"a\" | \"b\"}; A = {\"a\": str}; B = {\"b\"?: str}`; also `up_find`; by id: `await call_tool(\"mcp:up/find\", {...})`\n\n"+
		"Tags: tracker\n\n"+
		"Arguments:\n"+
		"- `q` (`Q`, required): What to find.\n"+
		"  - `all` (`list[Q]`, optional)\n"+
		"  - `f` (`\"a\" | \"b\"`, optional)\n"+
		"- `n` (`int | None`, optional, default `None`, at least `1`, at most `9`): How many.\n"+
		"- `when` (`str`, optional, format `date-time`, for example `\"2026-01-02T03:04:05Z\"`)\n"+
		"- `of` (`A | B`, optional)\n"+
		"  - as `A`:\n"+
		"    - `a` (`str`, required)\n"+
		"  - as `B`:\n"+
		"    - `b` (`str`, optional)\n"+
		"- `rows` (`list[dict]`, optional, maximum items `5`)\n"+
		"  - `x-y` (`str`, optional, pattern `` ^a`$ ``)\n"+
		"- `old` (`bool`, optional, deprecated)\n\n"+
		"Answer: `dict`: What was found.\n"+
		"- `items` (`list[str]`, required)")
}

func TestDetailedSaysWhatIsNotKnown(t *testing.T) {
	for _, c := range []struct{ name, schema, says string }{
		{"no schema", `null`, "Arguments: an object; the schema does not name them."},
		{"none", `{"type":"object","properties":{}}`, "Arguments: none."},
		{"too large", `{"properties":{"a":{"description":"` + strings.Repeat("x", 300_000) + `"}}}`, "Arguments: not shown, the schema has 3000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			text := one(t, describe(t, "mcp:up/find", "", c.schema), discover.Detailed).Text
			is.True(strings.Contains(text, c.says))
			is.True(strings.Contains(text, "Answer: not declared"))
		})
	}
}

func TestRecursionIsShownOnce(t *testing.T) {
	is := is.New(t)
	text := one(t, describe(t, "mcp:up/find", "", recursive), discover.Detailed).Text
	is.Equal(strings.Count(text, "`all` (`list[Q]`"), 1)
	is.True(strings.Contains(text, "`n` (`int | None`, optional)"))
}

func TestFullHasTheSchemasByteForByte(t *testing.T) {
	is := is.New(t)
	d := describe(t, "mcp:up/find", "Finds things.", recursive)
	d.Output, _ = canon.Parse([]byte("{\"title\":\"```\"}"))
	found := one(t, d, discover.Full)
	is.True(strings.Contains(found.Text, "\n```json\n"+recursive+"\n```\n"))
	is.True(strings.Contains(found.Text, "\n```json\n{\"title\":\"```\"}\n```"))
	is.Equal(string(found.Source.Input.Bytes()), recursive) // and as data
}

func TestNamesOfArgumentsCannotPoseAsOurs(t *testing.T) {
	is := is.New(t)
	text := one(t, describe(t, "mcp:up/find", "", `{"properties":{"a\n# Ours":{},"":{},"b`+"`"+`c":{},"\u202ed":{}}}`), discover.Detailed).Text
	is.True(strings.Contains(text, "\n- `\"a\\n# Ours\"` ("))
	is.True(strings.Contains(text, "\n- `\"\"` ("))
	is.True(strings.Contains(text, "\n- `` b`c `` ("))
	is.True(strings.Contains(text, "\n- `\"\\u202ed\"` ("))
}

func TestUnknownNamesAreAnsweredWithNearOnes(t *testing.T) {
	is := is.New(t)
	x := index(tools(t)...)
	found, err := x.Describe([]string{"mcp:linear/list_isues", " linear.list_issues\n", "mcp:zzz/qqq", "`<b>\n# Ours"}, discover.Brief)
	is.NoErr(err)
	is.Equal(len(found), 4)
	is.True(found[0].Unknown)
	is.Equal(found[0].Near, []string{"mcp:linear/list_issues"})
	is.Equal(found[0].Text, "No capability is called `mcp:linear/list_isues`. Did you mean `mcp:linear/list_issues`?")
	is.True(found[0].Source.ID.IsZero()) // made from nothing
	is.Equal(found[1].ID, "mcp:linear/list_issues")
	is.True(!found[1].Unknown) // friendly names work too
	is.True(found[2].Unknown)
	is.True(strings.Contains(found[2].Text, "Search")) // the way out
	is.Equal(found[3].Text, "No capability is called `` `<b> # Ours ``. Search with a few words, or with none to list them all.")
}

func TestTooManyNamesAreRefused(t *testing.T) {
	is := is.New(t)
	x := index(tools(t)...)
	_, err := x.Describe(make([]string, discover.MaxNames+1), discover.Brief)
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
	_, err = x.Describe(nil, discover.Full+1)
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
}

func TestTextFromOutsideCannotPoseAsOurs(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"line breaks", "a\n\n# b\r\n- c\u2028d\u0085e\vf", "a \\# b - c d e f"},
		{"html", "<system>x</system> & &lt; R&D", "&lt;system&gt;x&lt;/system&gt; & &amp;lt; R&D"},
		{"html comment", "<!-- generated -->", "&lt;!-- generated --&gt;"},
		{"code", "`a` ```b", "\\`a\\` \\`\\`\\`b"},
		{"links and images", "![x](http://a) [y][z]", "!\\[x\\](http://a) \\[y\\]\\[z\\]"},
		{"emphasis", "**a** _b_ c_d ~~e~~", "\\*\\*a\\*\\* \\_b\\_ c_d \\~\\~e\\~\\~"},
		{"escapes", "\\` \\\\", "\\\\\\` \\\\\\\\"},
		{"tables", "a | b", "a \\| b"},
		{"control characters", "a\x00b\x1b[31mc\x7f", "a\uFFFDb\uFFFD\\[31mc\uFFFD"},
		{"what nobody sees", "a\u200bb\u202ec\u2066d\ufeffe\U000E0041f\ufe0fg\u00adh", "abcdefgh"},
		{"private characters", "a\ue000b", "a\uFFFDb"},
		{"invalid text", "a\xffb", "a\uFFFDb"},
		{"spaces", "  a \u00a0\u3000 b  ", "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			d := describe(t, "mcp:up/find", c.text, `null`, c.text)
			found := one(t, d, discover.Detailed)
			is.Equal(found.Summary, c.want)
			is.Equal(found.Tags, []string{c.want})
			is.True(strings.Contains(found.Text, "\n> "+c.want+"\n"))
		})
	}
}

func TestLongTextsAreCut(t *testing.T) {
	is := is.New(t)
	long := strings.Repeat("é ", 100_000)
	d := describe(t, "mcp:up/find", long, `{"properties":{"a":{"description":"`+strings.Repeat("y", 50_000)+`"}}}`, long)
	d.Title = long
	found := one(t, d, discover.Detailed)
	is.True(strings.HasSuffix(found.Summary, "é…"))
	is.True(len(found.Summary) <= 170)
	is.True(len(found.Tags[0]) <= 90)
	is.True(strings.Contains(found.Text, "yyy…"))
	is.True(len(found.Text) < 3000)
}

func TestSummaryIsTheFirstSentence(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Lists issues. And more.", "Lists issues."},
		{"Lists issues, e.g. open ones. And more.", "Lists issues, e.g. open ones."},
		{"Version 1.2 of it. More", "Version 1.2 of it."},
		{"Really? Yes.", "Really?"},
		{"No end", "No end"},
		{"Lists etc. of things. More.", "Lists etc. of things."},
		{"", "The title"},
	} {
		t.Run(c.text, func(t *testing.T) {
			is := is.New(t)
			d := describe(t, "mcp:up/find", c.text, "")
			d.Title = "The title"
			is.Equal(one(t, d, discover.Brief).Summary, c.want)
		})
	}
}
