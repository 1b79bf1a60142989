package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"toolplane/adapters/mcpserver"
	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/adapters/mcpserver/linetest"
	"toolplane/domain/discover"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// all is what a single client gets.
var all = mcpserver.Options{Version: "1.2.3", ResultsOn: true, ArtifactsOn: true, ListLive: true}

func connect(t testing.TB, host *fakehost.Host, opts mcpserver.Options) *linetest.Client {
	t.Helper()
	s := mcpserver.New(mcpserver.Deps{Runner: host, Catalog: host, Vault: host}, opts)
	c := linetest.Start(t, s.Serve)
	c.Initialize()
	return c
}

// toolAnswer is the result of a tool call.
type toolAnswer struct {
	Content           []struct{ Type, Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

func (a toolAnswer) text() string {
	if len(a.Content) != 1 || a.Content[0].Type != "text" {
		return ""
	}
	return a.Content[0].Text
}

// outcome is the structured content of execute_code.
type outcome struct {
	OK         bool
	Value      json.RawMessage
	LargeValue *struct {
		Bytes       int
		Preview     string
		Handle, URI *string
	} `json:"large_value"`
	Stdout      string
	StdoutBytes int64 `json:"stdout_bytes"`
	Stderr      string
	StderrBytes int64 `json:"stderr_bytes"`
	Error       *struct {
		Type, Message, Traceback, Code string
		Line                           *int
	}
	DurationMS json.Number `json:"duration_ms"`
	Backend    string
	Results    []struct {
		Handle, URI, Label string
		Bytes              int64
	}
	Artifacts []struct {
		Handle, URI, Filename, Label string
		MediaType                    string `json:"media_type"`
		Bytes                        int64
	}
	Calls int
	Notes []string
}

func callTool(t testing.TB, c *linetest.Client, name string, arguments any) toolAnswer {
	t.Helper()
	return toolAnswerOf(t, c.Call("tools/call", linetest.Tool(name, arguments)))
}

func toolAnswerOf(t testing.TB, m linetest.Message) toolAnswer {
	t.Helper()
	if m.Error != nil {
		t.Fatalf("the call is an error of the protocol: %d %s", m.Error.Code, m.Error.Message)
	}
	var a toolAnswer
	if err := json.Unmarshal(m.Result, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// execute runs a snippet and returns its outcome.
func execute(t testing.TB, c *linetest.Client, arguments any) (outcome, toolAnswer) {
	t.Helper()
	a := callTool(t, c, "execute_code", arguments)
	var o outcome
	if err := json.Unmarshal(a.StructuredContent, &o); err != nil {
		t.Fatalf("%v in %s", err, a.text())
	}
	if o.OK == a.IsError {
		t.Fatalf("ok is %v and isError is %v", o.OK, a.IsError)
	}
	return o, a
}

func code(text string) map[string]any { return map[string]any{"code": text} }

// contents is the result of resources/read.
type contents struct {
	Contents []struct{ URI, MIMEType, Text, Blob string }
}

func read(t testing.TB, c *linetest.Client, uri string) (contents, *linetest.Error) {
	t.Helper()
	m := c.Call("resources/read", map[string]any{"uri": uri})
	var r contents
	if m.Error == nil {
		if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Contents) != 1 {
			t.Fatalf("%v: %d contents", err, len(r.Contents))
		}
	}
	return r, m.Error
}

// capabilities for the tests of discovery.
func capabilities() []discover.Description {
	list := []discover.Description{
		{
			ID: "mcp:up/find", Names: []string{"up.find", "up_find"}, Call: `await up.find(q={"all": [...], "f": "a" | "b"}, n=None)`,
			Summary: "Finds things.", Tags: []string{"read"},
		},
		{ID: "mcp:up/greet", Names: []string{"up.greet"}, Call: `await up.greet(name="...")`, Summary: "Greets someone."},
	}
	list[0].Source.Input = fakehost.MustParse(findSchema)
	return list
}

// findSchema is recursive, has a union and what HTML would escape.
const findSchema = `{"type":"object","description":"<b>&\u2028","properties":{"q":{"$ref":"#/$defs/Q"},"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}},"required":["q"],"$defs":{"Q":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/Q"}},"f":{"enum":["a","b"]}}}}}`

func containsAll(text string, parts ...string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
