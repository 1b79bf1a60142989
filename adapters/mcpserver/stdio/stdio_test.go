package stdio_test

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/adapters/mcpserver/stdio"
)

func TestContentThatIsNotJSONIsAnswered(t *testing.T) {
	is := is.New(t)
	var log bytes.Buffer
	c := connect(t, stdio.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultStructured(map[string]any{"mean": math.NaN()}, "nan"), nil
	})
	answer := c.Call("tools/call", linetest.Tool("tool", nil))
	is.True(answer.Error != nil) // an answer comes
	is.Equal(answer.Error.Code, mcp.INTERNAL_ERROR)
	is.Equal(answer.Error.Message, "internal error 1; the server's log says more")
	c.CloseInput()
	is.NoErr(c.Wait())
	is.True(strings.Contains(log.String(), "id=1")) // and the log says it under that number
}

func TestPanicIsAnsweredAndHarmsNothing(t *testing.T) {
	is := is.New(t)
	var log bytes.Buffer
	c := connect(t, stdio.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic("password is hunter2")
	})
	for range 50 { // more than there are places
		answer := c.Call("tools/call", linetest.Tool("tool", nil))
		is.True(answer.Error != nil && answer.Error.Code == mcp.INTERNAL_ERROR)
		is.True(!strings.Contains(answer.Error.Message, "hunter2")) // what it said is for the log
	}
	is.True(c.Call("ping", nil).Error == nil) // the server goes on
	c.CloseInput()
	is.NoErr(c.Wait())
	is.True(strings.Contains(log.String(), "panic=string"))  // the log says what kind it was
	is.True(!strings.Contains(log.String(), "hunter2"))      // not what it quoted
	is.True(strings.Contains(log.String(), "stdio_test.go")) // but where it was
}

func TestNotificationsComeBeforeTheAnswer(t *testing.T) {
	is := is.New(t)
	s := server.NewMCPServer("test", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("tool"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := range 20 {
			if err := s.SendNotificationToClient(ctx, "notifications/progress", map[string]any{"progress": i}); err != nil {
				return nil, err
			}
		}
		return say("done")
	})
	c := connectTo(t, stdio.Options{}, s)
	c.Initialize()
	for i := range 50 {
		is.Equal(text(c.Call("tools/call", linetest.Tool("tool", nil))), "done")
		is.Equal(len(c.Notices()), 20*(i+1)) // all of them are there when the answer is
	}
}

func TestTwoServersInOneProcess(t *testing.T) {
	is := is.New(t)
	say := func(text string) handler {
		return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say(text) }
	}
	one, two := connect(t, stdio.Options{}, say("one")), connect(t, stdio.Options{}, say("two"))
	is.Equal(text(one.Call("tools/call", linetest.Tool("tool", nil))), "one")
	is.Equal(text(two.Call("tools/call", linetest.Tool("tool", nil))), "two")
	same := newServer(say("same"))
	three, four := connectTo(t, stdio.Options{}, same), connectTo(t, stdio.Options{}, same)
	is.Equal(text(three.Call("tools/call", linetest.Tool("tool", nil))), "same")
	is.Equal(text(four.Call("tools/call", linetest.Tool("tool", nil))), "same")
}

func TestRefusedResourceHasItsOwnCode(t *testing.T) {
	is := is.New(t)
	s := server.NewMCPServer("test", "1", server.WithResourceCapabilities(false, false))
	s.AddResourceTemplate(mcp.NewResourceTemplate("x://{name}", "x"), func(ctx context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return nil, stdio.Refuse(ctx, mcp.RESOURCE_NOT_FOUND, "gone", map[string]any{"uri": req.Params.URI})
	})
	c := connectTo(t, stdio.Options{}, s)
	answer := c.Call("resources/read", map[string]any{"uri": "x://y"})
	is.True(answer.Error != nil)
	is.Equal(answer.Error.Code, mcp.RESOURCE_NOT_FOUND) // mcp-go alone says "internal error"
	is.Equal(answer.Error.Message, "gone")
	is.Equal(string(answer.Error.Data), `{"uri":"x://y"}`)
}

func TestAnswerThatClientsBreakAtIsRefused(t *testing.T) {
	is := is.New(t)
	c := connect(t, stdio.Options{}, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return say(strings.Repeat("x", 10<<20))
	})
	answer := c.Call("tools/call", linetest.Tool("tool", nil))
	is.True(answer.Error != nil && strings.Contains(answer.Error.Message, "the limit is 9437184"))
}
