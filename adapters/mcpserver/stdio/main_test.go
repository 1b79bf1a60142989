package stdio_test

import (
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"go.uber.org/goleak"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/adapters/mcpserver/stdio"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// handler is the only tool of a server under test, called "tool".
type handler = server.ToolHandlerFunc

func newServer(h handler) *server.MCPServer {
	s := server.NewMCPServer("test", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewToolWithRawSchema("tool", "", json.RawMessage(`{"type":"object"}`)), h)
	return s
}

// connect starts a client of a server with one tool.
func connect(t *testing.T, opts stdio.Options, h handler) *linetest.Client {
	t.Helper()
	return connectTo(t, opts, newServer(h))
}

func connectTo(t *testing.T, opts stdio.Options, s *server.MCPServer) *linetest.Client {
	t.Helper()
	return linetest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		return stdio.Serve(ctx, s, in, out, opts)
	})
}

func say(text string) (*mcp.CallToolResult, error) { return mcp.NewToolResultText(text), nil }

// text returns the text of a tool's answer.
func text(m linetest.Message) string {
	var result struct{ Content []struct{ Text string } }
	if json.Unmarshal(m.Result, &result) != nil || len(result.Content) == 0 {
		return ""
	}
	return result.Content[0].Text
}

func call(id string) string { return linetest.Request(id, "tools/call", linetest.Tool("tool", nil)) }

// gate is a tool that says that it has started and waits until it may go on.
type gate struct{ started, open chan struct{} }

func newGate() *gate { return &gate{started: make(chan struct{}, 2000), open: make(chan struct{})} }

// heed waits for the gate or for the end of ctx.
func (g *gate) heed(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	g.started <- struct{}{}
	select {
	case <-g.open:
		return say("done")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ignore waits for the gate whatever happens.
func (g *gate) ignore(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	g.started <- struct{}{}
	<-g.open
	return say("late")
}
