package stdio_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/adapters/mcpserver/stdio"
)

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
		{"an empty batch", `[]`, "null", mcp.INVALID_REQUEST, "an empty batch"},
		{"a batch in a batch", `[[{"jsonrpc":"2.0","id":7,"method":"ping"}]]`, "null", mcp.INVALID_REQUEST, "a batch in a batch"},
		{"a batch of a number", `[7]`, "null", mcp.INVALID_REQUEST, "a message has a method"},
		{"half a batch", `[{"jsonrpc":"2.0","id":7,"method":"ping"}`, "null", mcp.PARSE_ERROR, "not a message"},
		{"a number", `7`, "null", mcp.INVALID_REQUEST, "a message has a method"},
		{"no method", `{"jsonrpc":"2.0","id":7}`, "7", mcp.INVALID_REQUEST, "a message has a method"},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", mcp.INVALID_REQUEST, "the id of a request"},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", mcp.INVALID_REQUEST, "the id of a request"},
		{"an id that is a novel", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"ping"}`, "null", mcp.INVALID_REQUEST, "the id of a request"},
		{"another protocol", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, "7", mcp.INVALID_REQUEST, "JSON-RPC version"},
		{"an unknown method", `{"jsonrpc":"2.0","id":7,"method":"x"}`, "7", mcp.METHOD_NOT_FOUND, ""},
		{"an unknown tool", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","arguments":[]}}`, "7", mcp.INVALID_PARAMS, ""},
		{"parameters that are text", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"x"}`, "7", mcp.INVALID_PARAMS, "params: expected an object, got string"},
		{"parameters that are a list", `{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}`, "7", mcp.INVALID_PARAMS, "params: expected an object, got array"},
		{"parameters of a notification", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[7]}`, "", 0, ""},
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
