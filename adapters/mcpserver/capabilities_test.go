package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/domain/discover"
)

type found struct {
	Total        int
	Capabilities []struct {
		ID, Call, Summary, Text string
		Names, Tags             []string
		InputSchema             json.RawMessage `json:"input_schema"`
		OutputSchema            json.RawMessage `json:"output_schema"`
	}
	Unknown []struct {
		Name string
		Near []string
	}
	Notes []string
}

func find(t *testing.T, a toolAnswer) found {
	t.Helper()
	var f found
	if err := json.Unmarshal(a.StructuredContent, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSearch(t *testing.T) {
	is := is.New(t)
	c := connect(t, &fakehost.Host{Capabilities: capabilities()}, all)
	a := callTool(t, c, "search_capabilities", map[string]any{"query": ""})
	f := find(t, a)
	is.Equal(f.Total, 2) // an empty query lists everything
	is.Equal(f.Capabilities[0].Call, capabilities()[0].Call)
	is.Equal(f.Capabilities[1].Tags, []string{})
	is.Equal(f.Capabilities[0].Text+string(f.Capabilities[0].InputSchema), "") // brief
	is.True(containsAll(a.text(), capabilities()[0].Call, capabilities()[1].Call))

	f = find(t, callTool(t, c, "search_capabilities", map[string]any{"query": "", "limit": 1, "tags": []string{}}))
	is.Equal(f.Notes, []string{"1 more match; narrow the query, or raise the limit"})
	f = find(t, callTool(t, c, "search_capabilities", map[string]any{"query": "", "tags": []string{"read"}, "detail": "full"}))
	is.Equal(len(f.Capabilities), 1)
	is.Equal(string(f.Capabilities[0].InputSchema) != "", true)
	a = callTool(t, c, "search_capabilities", map[string]any{"query": "zzz"})
	is.Equal(find(t, a).Total, 0)
	is.True(strings.Contains(a.text(), `nothing matches "zzz"`)) // with a way out
	a = callTool(t, c, "search_capabilities", map[string]any{"query": "", "tags": []string{"zzz"}})
	is.True(strings.Contains(a.text(), `nothing has the tags ["zzz"]`)) // not the query's fault
	is.True(!a.IsError)
}

func TestSearchWhereNothingIsConnected(t *testing.T) {
	c := connect(t, &fakehost.Host{}, all)
	for _, query := range []map[string]any{{"query": ""}, {"query": "save"}, {"query": "save", "tags": []string{"x"}}} {
		is := is.New(t)
		f := find(t, callTool(t, c, "search_capabilities", query))
		is.Equal(len(f.Notes), 1)
		is.True(strings.HasPrefix(f.Notes[0], "no tool is connected: ")) // no other words would help
	}
}

// TestFullSchemaIsUnchanged is c07: recursion, unions and what HTML would
// escape arrive as they are.
func TestFullSchemaIsUnchanged(t *testing.T) {
	is := is.New(t)
	c := connect(t, &fakehost.Host{Capabilities: capabilities()}, all)
	a := callTool(t, c, "get_capability_schemas", map[string]any{"names": []string{"up.find"}, "detail": "full"})
	is.True(strings.Contains(a.text(), string(fakehost.MustParse(findSchema).Bytes()))) // byte for byte
	got := fakehost.MustParse(string(find(t, a).Capabilities[0].InputSchema))
	is.True(got.Equal(fakehost.MustParse(findSchema))) // and the same JSON
	is.Equal(string(find(t, a).Capabilities[0].OutputSchema), "")
}

func TestUnknownNames(t *testing.T) {
	is := is.New(t)
	c := connect(t, &fakehost.Host{Capabilities: capabilities()}, all)
	a := callTool(t, c, "get_capability_schemas", map[string]any{"names": []string{"up.fnd", "mcp:up/greet"}})
	is.True(!a.IsError) // one is found
	f := find(t, a)
	is.Equal(f.Unknown[0].Name, "up.fnd")
	is.Equal(f.Unknown[0].Near, []string{"mcp:up/find"})
	is.Equal(f.Capabilities[0].ID, "mcp:up/greet")
	is.True(strings.Contains(a.text(), `nothing is called "up.fnd"; did you mean mcp:up/find?`))
	is.True(callTool(t, c, "get_capability_schemas", map[string]any{"names": []string{"x"}}).IsError) // none is found
	empty := connect(t, &fakehost.Host{}, all)
	a = callTool(t, empty, "get_capability_schemas", map[string]any{"names": []string{"x"}})
	is.True(strings.Contains(a.text(), "search_capabilities with an empty query"))
}

func TestAnswersAboutCapabilitiesAreBounded(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{}
	for i := range 100 {
		d := discover.Description{ID: fmt.Sprintf("mcp:up/tool_%d", i), Text: strings.Repeat("é", 5_000)}
		d.Source.Input = fakehost.MustParse(`{"description":"` + strings.Repeat("x", 50_000) + `"}`)
		host.Capabilities = append(host.Capabilities, d)
	}
	huge := discover.Description{ID: "mcp:up/huge", Text: strings.Repeat("é", 500_000)}
	huge.Source.Input = fakehost.MustParse(`{"description":"` + strings.Repeat("x", 2_000_000) + `"}`)
	host.Capabilities = append(host.Capabilities, huge)
	c := connect(t, host, all)

	a := callTool(t, c, "search_capabilities", map[string]any{"query": "", "limit": 200, "detail": "full"})
	f := find(t, a)
	is.True(len(a.text()) <= 64<<10)
	is.True(len(a.StructuredContent) < 2<<20)
	is.Equal(f.Total, 101)
	is.Equal(f.Notes, []string{fmt.Sprintf("%d more match; narrow the query, or raise the limit", 101-len(f.Capabilities))})

	a = callTool(t, c, "get_capability_schemas", map[string]any{"names": []string{"mcp:up/huge", "mcp:up/tool_1"}, "detail": "full"})
	f = find(t, a)
	is.True(len(a.text()) <= 64<<10)
	is.True(len(a.StructuredContent) < 2<<20)
	is.Equal(string(f.Capabilities[0].InputSchema), "")
	is.True(containsAll(strings.Join(f.Notes, "\n"), "mcp:up/huge: the schemas have 2000018 bytes", "left out, since the answer would be too long: mcp:up/tool_1"))
}
