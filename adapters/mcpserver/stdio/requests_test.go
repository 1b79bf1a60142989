package stdio_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/adapters/mcpserver/stdio"
)

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
