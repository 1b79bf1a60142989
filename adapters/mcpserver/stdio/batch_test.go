package stdio_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/adapters/mcpserver/stdio"
)

// batch makes one line of several.
func batch(lines ...string) string {
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return "[" + strings.Join(lines, " , ") + "]\n"
}

func TestBatchIsTakenAsSoManyLines(t *testing.T) {
	is := is.New(t)
	g := newGate()
	c := connect(t, stdio.Options{}, g.heed)
	c.Send(batch(
		linetest.Request("1", "ping", nil), call("2"), "7", call("3"), linetest.Cancel("3"),
		`{"jsonrpc":"2.0","method":"notifications/x"}`, linetest.Request(`"x"`, "nope", nil),
	))
	is.True(c.Await("1").Error == nil)
	is.Equal(c.Await(`"x"`).Error.Code, mcp.METHOD_NOT_FOUND) // before the call that is under way
	is.Equal(len(c.Answers("2")), 0)
	close(g.open)
	is.Equal(text(c.Await("2")), "done")
	c.CloseInput()
	is.NoErr(c.Wait())
	is.Equal(len(c.Answers("null")), 1) // the number
	is.Equal(len(c.Answers("3")), 0)    // it was cancelled
}

func TestLongBatchIsAnsweredByItsIDs(t *testing.T) {
	is := is.New(t)
	var lines []string
	for i := range 1100 {
		lines = append(lines, linetest.Request(fmt.Sprint(5000+i), "ping", nil))
	}
	c := connect(t, stdio.Options{}, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("ran") })
	c.Send(batch(lines...))
	c.CloseInput()
	is.NoErr(c.Wait())
	refused := 0
	for i := range 1100 {
		answers := c.Answers(fmt.Sprint(5000 + i))
		is.Equal(len(answers), 1) // nobody waits for ever
		if e := answers[0].Error; e != nil {
			refused++
			is.True(strings.Contains(e.Message, "more than 1024 messages")) // the limit and the way out
		}
	}
	is.Equal(refused, 1100-1024)
}
