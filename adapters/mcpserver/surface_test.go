package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/matryer/is"

	"toolplane/adapters/mcpserver"
	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/adapters/mcpserver/linetest"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestSurface compares what every client sees first with a file: a change of it
// is a change for every model, so it is one that somebody has looked at.
func TestSurface(t *testing.T) {
	for name, opts := range map[string]mcpserver.Options{"all": all, "bare": {Version: "1.2.3"}} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			host := &fakehost.Host{}
			s := mcpserver.New(mcpserver.Deps{Runner: host, Catalog: host, Vault: host}, opts)
			c := linetest.Start(t, s.Serve)
			surface := map[string]json.RawMessage{"initialize": c.Initialize().Result}
			for _, method := range []string{"tools/list", "resources/list", "resources/templates/list"} {
				surface[method] = c.Call(method, nil).Result
			}
			var got bytes.Buffer
			enc := json.NewEncoder(&got)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			is.NoErr(enc.Encode(surface))
			golden := filepath.Join("testdata", "surface."+name+".json")
			if *update {
				is.NoErr(os.WriteFile(golden, got.Bytes(), 0o644))
			}
			want, err := os.ReadFile(golden)
			is.NoErr(err) // go test -update writes it
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("the surface is not that of %s; look at the difference, then run go test -update\n%s", golden, got.Bytes())
			}
		})
	}
}

func TestNewestVersionNeedsNoInitialize(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{"value": fakehost.Value("2")}}
	s := mcpserver.New(mcpserver.Deps{Runner: host, Catalog: host, Vault: host}, all)
	c := linetest.Start(t, s.Serve)
	call := func(method, version string, params map[string]any) linetest.Message {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}
		return c.Call(method, params)
	}
	newest := "2026-07-28"
	is.True(strings.Contains(string(call("server/discover", newest, map[string]any{}).Result), `"supportedVersions":["2026-07-28","2025-11-25",`))
	ran := call("tools/call", newest, map[string]any{"name": "execute_code", "arguments": map[string]any{"code": "value"}})
	is.True(strings.Contains(string(ran.Result), `"value":2`))
	refused := call("tools/list", "2099-01-01", map[string]any{})
	is.True(refused.Error != nil)
	is.True(strings.Contains(refused.Error.Message, newest)) // it says which are spoken
}

// TestAnswersKeepTheirSchemas validates answers of all kinds against the output
// schemas that are advertised.
func TestAnswersKeepTheirSchemas(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Capabilities: capabilities(), Snippets: map[string]fakehost.Snippet{
		"value": fakehost.Value(`{"a":[1,null,"x"]}`),
		"large": fakehost.Value(`"` + strings.Repeat("x", 50_000) + `"`),
		"error": fakehost.Ends(run.Outcome{Failure: &run.Failure{Type: "ValueError", Message: "no", Line: 2}}),
	}}
	result := host.Save(handle.Result, run.JSON(fakehost.MustParse("1")), run.Pointer{})
	artifact := host.Save(handle.Artifact, run.Bytes(nil), run.Pointer{})
	host.Snippets["saves"] = fakehost.Ends(run.Outcome{Results: []run.Pointer{result}, Artifacts: []run.Pointer{artifact}, Notes: []run.Note{{Text: "x"}}})
	c := connect(t, host, all)
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema json.RawMessage
		}
	}
	is.NoErr(json.Unmarshal(c.Call("tools/list", nil).Result, &list))
	schemas := map[string]*jsonschema.Resolved{}
	for _, tool := range list.Tools {
		var parsed jsonschema.Schema
		is.NoErr(json.Unmarshal(tool.OutputSchema, &parsed))
		resolved, err := parsed.Resolve(nil)
		is.NoErr(err)
		schemas[tool.Name] = resolved
	}
	is.Equal(len(schemas), 3)
	for _, call := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"execute_code", code("value")},
		{"execute_code", code("large")},
		{"execute_code", code("error")},
		{"execute_code", code("saves")},
		{"search_capabilities", map[string]any{"query": ""}},
		{"search_capabilities", map[string]any{"query": "", "detail": "full"}},
		{"search_capabilities", map[string]any{"query": "nothing"}},
		{"get_capability_schemas", map[string]any{"names": []string{"up.find", "x"}, "detail": "full"}},
		{"get_capability_schemas", map[string]any{"names": []string{"up.greet"}}},
	} {
		var content any
		is.NoErr(json.Unmarshal(callTool(t, c, call.tool, call.arguments).StructuredContent, &content))
		is.NoErr(schemas[call.tool].Validate(content)) // as advertised
	}
}
