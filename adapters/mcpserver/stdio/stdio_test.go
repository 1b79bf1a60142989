package stdio_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
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

// TestCancellationRightAfterTheCallCounts sends both in one write, as clients
// do that change their mind at once.
func TestCancellationRightAfterTheCallCounts(t *testing.T) {
	is := is.New(t)
	var ended, finished atomic.Int64
	c := connect(t, stdio.Options{}, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-ctx.Done():
			ended.Add(1)
		case <-time.After(10 * time.Second):
			finished.Add(1)
		}
		return say("late")
	})
	const calls = 200
	for i := range calls {
		id := fmt.Sprint(1000 + i)
		c.Send(call(id) + linetest.Cancel(id))
	}
	is.True(c.Call("ping", nil).Error == nil)
	c.CloseInput()
	is.NoErr(c.Wait())                    // every handler has returned
	is.Equal(finished.Load(), int64(0))   // and none of them went on
	is.True(ended.Load() <= int64(calls)) // a call may be cancelled before it has begun
	for i := range calls {
		is.Equal(len(c.Answers(fmt.Sprint(1000+i))), 0) // a cancelled request gets no answer
	}
}

func TestQueuedCallIsCancelled(t *testing.T) {
	is := is.New(t)
	g := newGate()
	c := connect(t, stdio.Options{Parallel: 1}, g.heed)
	c.Send(call("1"))
	<-g.started
	c.Send(call("2") + call(`"x"`) + linetest.Cancel("2") + linetest.Cancel(`"\u0078"`))
	is.True(c.Call("ping", nil).Error == nil) // everything above was read
	close(g.open)
	is.Equal(text(c.Await("1")), "done")
	c.CloseInput()
	is.NoErr(c.Wait())
	is.Equal(len(g.started), 0)                            // no queued call ever began
	is.Equal(len(c.Answers("2"))+len(c.Answers(`"x"`)), 0) // nor was answered
}

func TestFullQueueIsAnswered(t *testing.T) {
	is := is.New(t)
	g := newGate()
	c := connect(t, stdio.Options{Parallel: 1, Pending: 3}, g.heed)
	c.Send(call("1") + call("2") + call("3") + call("4"))
	refused := c.Await("4")
	is.True(refused.Error != nil)
	is.True(strings.Contains(refused.Error.Message, "3 tool calls are under way")) // the limit and the way out
	is.True(c.Call("ping", nil).Error == nil)
	close(g.open)
	for _, id := range []string{"1", "2", "3"} {
		is.Equal(text(c.Await(id)), "done")
	}
	is.Equal(text(c.Call("tools/call", linetest.Tool("tool", nil))), "done") // there is room again
}

func TestMessagesThatWaitAreBoundedInBytes(t *testing.T) {
	is := is.New(t)
	g := newGate()
	c := connect(t, stdio.Options{PendingBytes: 3000}, g.heed)
	large := linetest.Tool("tool", map[string]any{"text": strings.Repeat("x", 2000)})
	c.Send(linetest.Request("1", "tools/call", large) + linetest.Request("2", "tools/call", large))
	is.True(strings.Contains(c.Await("2").Error.Message, "the limit is 3000"))
	close(g.open)
	is.Equal(text(c.Await("1")), "done")
}

func TestCallsInFlightDoNotDelayPings(t *testing.T) {
	is := is.New(t)
	g := newGate()
	c := connect(t, stdio.Options{}, g.heed)
	for i := range 128 {
		c.Send(call(fmt.Sprint(1000 + i)))
	}
	var took []time.Duration
	for range 100 {
		begun := time.Now()
		is.True(c.Call("ping", nil).Error == nil)
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	t.Logf("ping with 128 calls in flight: p50 %v, p90 %v", took[50], took[90])
	is.True(took[90] < 20*time.Millisecond) // the slowest ten are the machine's
	close(g.open)
	for i := range 128 {
		is.Equal(text(c.Await(fmt.Sprint(1000+i))), "done")
	}
}

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

func TestIdsAndArgumentsKeepTheirDigits(t *testing.T) {
	is := is.New(t)
	c := connect(t, stdio.Options{}, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		arguments, ok := stdio.Arguments(ctx)
		if !ok {
			return say("no arguments")
		}
		return say(string(arguments.Bytes()))
	})
	arguments := `{"n":12345678901234567890123,"f":1.0,"s":"<é>","deep":[[{}]]}`
	for _, id := range []string{"0", "-1", "9007199254740993", "12345678901234567890123", `""`, `"é"`, `"1"`} {
		c.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"tool","arguments":` + arguments + "}}\n")
		is.Equal(text(c.Await(id)), arguments)
	}
	is.Equal(text(c.Call("tools/call", map[string]any{"name": "tool"})), "null") // there were none
	_, ok := stdio.Arguments(t.Context())
	is.True(!ok) // no call
}

func TestLinesThatAreNoRequests(t *testing.T) {
	for _, tc := range []struct {
		name, line string
		id         string // of the answer; "" for none
		code       int
		says       string
	}{
		{"blank", "  \r", "", 0, ""},
		{"an answer", `{"jsonrpc":"2.0","id":7,"result":{}}`, "", 0, ""},
		{"a failure", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}`, "", 0, ""},
		{"an unknown notification", `{"jsonrpc":"2.0","method":"notifications/x"}`, "", 0, ""},
		{"no JSON", `hello`, "null", mcp.PARSE_ERROR, "not a message"},
		{"half a message", `{"jsonrpc":"2.0","id":7,"method":"ping"`, "7", mcp.PARSE_ERROR, "not a message"},
		{"two messages", `{"jsonrpc":"2.0","id":7,"method":"ping"} {}`, "7", mcp.PARSE_ERROR, "byte"},
		{"NaN in arguments", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"tool","arguments":{"x":NaN}},"id":"a7"}`, `"a7"`, mcp.INVALID_REQUEST, "$.params.arguments.x"},
		{"half a character", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"tool","arguments":{"x":"\ud800"}}}`, "7", mcp.INVALID_REQUEST, "$.params.arguments.x"},
		{"a key named twice", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":2}}`, "7", mcp.INVALID_REQUEST, "$.params"},
		{"a batch", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, "null", mcp.INVALID_REQUEST, "one message a line"},
		{"a number", `7`, "null", mcp.INVALID_REQUEST, "a message has a method"},
		{"no method", `{"jsonrpc":"2.0","id":7}`, "7", mcp.INVALID_REQUEST, "a message has a method"},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", mcp.INVALID_REQUEST, "the id of a request"},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", mcp.INVALID_REQUEST, "the id of a request"},
		{"an id that is a novel", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"ping"}`, "null", mcp.INVALID_REQUEST, "the id of a request"},
		{"another protocol", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, "7", mcp.INVALID_REQUEST, "JSON-RPC version"},
		{"an unknown method", `{"jsonrpc":"2.0","id":7,"method":"x"}`, "7", mcp.METHOD_NOT_FOUND, ""},
		{"an unknown tool", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":[]}}`, "7", mcp.INVALID_PARAMS, ""},
		{"parameters that are text", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}`, "7", mcp.INVALID_REQUEST, ""},
		{"too long", `{"jsonrpc":"2.0","method":"tools/call","params":{"x":"` + strings.Repeat("x", 3000) + `"},"id":7}`, "7", mcp.INVALID_REQUEST, "the limit is 2000"},
		{"too long and no JSON", strings.Repeat("x", 3000), "null", mcp.INVALID_REQUEST, "the limit is 2000"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := connect(t, stdio.Options{MaxLine: 2000}, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("ran") })
			c.Send(tc.line + "\n" + linetest.Request(`"after"`, "ping", nil))
			is.True(c.Await(`"after"`).Error == nil) // what follows is served
			c.CloseInput()
			is.NoErr(c.Wait())
			is.Equal(len(c.Answers("7")) > 0, tc.id == "7")
			if tc.id == "" {
				is.Equal(len(c.Answers("null")), 0) // nothing is answered
				return
			}
			answers := c.Answers(tc.id)
			is.Equal(len(answers), 1) // one answer
			is.True(answers[0].Error != nil)
			is.Equal(answers[0].Error.Code, tc.code)
			is.True(strings.Contains(answers[0].Error.Message, tc.says)) // what is wrong
		})
	}
}

func TestRequestWithAnIDThatIsUnderWay(t *testing.T) {
	is := is.New(t)
	g := newGate()
	c := connect(t, stdio.Options{}, g.heed)
	c.Send(call("1") + call("1"))
	is.True(strings.Contains(c.Await("1").Error.Message, "under way")) // the second is refused
	close(g.open)
	c.CloseInput()
	is.NoErr(c.Wait())
	is.Equal(text(c.Answers("1")[1]), "done") // the first is not harmed
}

func TestInitializeCannotBeCancelled(t *testing.T) {
	is := is.New(t)
	c := connect(t, stdio.Options{}, newGate().heed)
	c.Send(linetest.Request("1", "initialize", map[string]any{"protocolVersion": "2025-11-25"}) + linetest.Cancel("1"))
	is.True(c.Await("1").Error == nil)
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
