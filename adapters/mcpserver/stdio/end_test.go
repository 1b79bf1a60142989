package stdio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/adapters/mcpserver/stdio"
)

func TestEndOfInputLetsCallsFinish(t *testing.T) {
	for name, tail := range map[string]string{"with a line break": "\n", "without": ""} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			g := newGate()
			c := connect(t, stdio.Options{Parallel: 1}, g.heed)
			c.Send(call("1") + strings.TrimSuffix(call("2"), "\n") + tail)
			c.CloseInput()
			<-g.started
			close(g.open)
			is.NoErr(c.Wait())
			is.Equal(text(c.Await("1")), "done") // it ran when the input ended
			is.Equal(text(c.Await("2")), "done") // it was queued then
		})
	}
}

func TestEndOfInputIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		heeds, ignores := newGate(), newGate()
		c := connect(t, stdio.Options{Linger: time.Minute}, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			arguments, _ := stdio.Arguments(ctx)
			if v, _ := arguments.Member("ignore"); !v.IsNull() {
				return ignores.ignore(ctx, req)
			}
			return heeds.heed(ctx, req)
		})
		c.Send(call("1") + linetest.Request("2", "tools/call", linetest.Tool("tool", map[string]any{"ignore": true})))
		<-heeds.started
		<-ignores.started
		begun := time.Now()
		c.CloseInput()
		is.NoErr(c.Wait())
		is.Equal(time.Since(begun), time.Minute+time.Second)                                 // a minute of patience, a second of grace
		is.True(c.Await("1").Error != nil)                                                   // its handler heeded the cancellation
		is.True(strings.Contains(c.Await("2").Error.Message, "the server is shutting down")) // answered in the handler's place
		close(ignores.open)
	})
}

func TestEndOfContextDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		g := newGate()
		c := connect(t, stdio.Options{Drain: 5 * time.Second}, func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if arguments, _ := stdio.Arguments(ctx); arguments.IsNull() {
				return g.heed(ctx, req)
			}
			time.Sleep(4 * time.Second) // of the bubble's time
			return say("in time")
		})
		c.Send(call("1") + linetest.Request("2", "tools/call", linetest.Tool("tool", map[string]any{})))
		synctest.Wait()
		begun := time.Now()
		c.End()
		is.NoErr(c.Wait())
		is.Equal(time.Since(begun), 5*time.Second)
		is.Equal(text(c.Await("2")), "in time") // it ended within the bound
		is.True(c.Await("1").Error != nil)      // it was cancelled and answered
	})
}

// TestSignalShortensTheEndOfInput is what clients do: close the input, wait a
// moment, send a signal.
func TestSignalShortensTheEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		g := newGate()
		c := connect(t, stdio.Options{Linger: time.Hour, Drain: 5 * time.Second}, g.heed)
		c.Send(call("1"))
		<-g.started
		begun := time.Now()
		c.CloseInput()
		synctest.Wait()
		c.End()
		is.NoErr(c.Wait())
		is.Equal(time.Since(begun), 5*time.Second)
		is.True(c.Await("1").Error != nil)
	})
}

func TestSubscriptionDoesNotHoldTheServer(t *testing.T) {
	is := is.New(t)
	s := server.NewMCPServer("test", "1", server.WithToolCapabilities(true))
	c := connectTo(t, stdio.Options{Linger: time.Hour}, s)
	c.Send(linetest.Request("1", "subscriptions/listen", map[string]any{
		"notifications": map[string]any{"toolsListChanged": true},
		"_meta": map[string]any{
			"io.modelcontextprotocol/protocolVersion":    "2026-07-28",
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "x", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		},
	}))
	is.True(c.Call("tools/list", nil).Error == nil)
	c.CloseInput()
	is.NoErr(c.Wait())
	is.Equal(len(c.Answers("1")), 1) // it is answered when it ends
}

// brokenPipe takes a number of lines, then nobody reads any more.
type brokenPipe struct {
	lines atomic.Int64
}

var errBroken = errors.New("broken pipe")

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.lines.Add(-1) < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestServerEndsWhenNobodyReads(t *testing.T) {
	is := is.New(t)
	in, client := io.Pipe()
	defer client.Close()
	g := newGate()
	var serving sync.WaitGroup
	var err error
	serving.Go(func() { err = stdio.Serve(t.Context(), newServer(g.heed), in, new(brokenPipe), stdio.Options{}) })
	_, _ = io.WriteString(client, call("1"))
	<-g.started
	_, _ = io.WriteString(client, linetest.Request("2", "ping", nil))
	serving.Wait()                     // the call was cancelled, though the input goes on
	is.True(errors.Is(err, errBroken)) // and the reason is told
}

func TestServerEndsThoughTheClientTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		in, client := io.Pipe()
		out, stuck := io.Pipe()
		ctx, end := context.WithCancel(t.Context())
		var serving sync.WaitGroup
		var err error
		serving.Go(func() { err = stdio.Serve(ctx, newServer(newGate().heed), in, stuck, stdio.Options{}) })
		go func() {
			for i := range 2000 {
				_, _ = io.WriteString(client, linetest.Request(fmt.Sprint(i), "ping", nil))
			}
		}()
		synctest.Wait() // the server reads no more than it can answer
		end()
		serving.Wait()
		is.True(err != nil) // it says that the client takes nothing
		_, _ = client.Close(), out.Close()
	})
}

func TestBrokenInputIsAnError(t *testing.T) {
	is := is.New(t)
	in, client := io.Pipe()
	_ = client.CloseWithError(errBroken)
	is.True(errors.Is(stdio.Serve(t.Context(), newServer(newGate().heed), in, io.Discard, stdio.Options{}), errBroken))
}
