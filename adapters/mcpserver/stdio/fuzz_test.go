package stdio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/adapters/mcpserver/stdio"
)

// FuzzServe sends any line: at most one answer comes, or one for each message of
// a batch, each is a whole line of JSON, and a request is answered under its id,
// however long it is.
func FuzzServe(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"a\"b","method":"tools/call","params":{"name":"tool","arguments":{"x":[1,2,{"id":3}]}}}`,
		`{"method":"tools/call","params":{"name":"tool","arguments":{"text":"` + strings.Repeat("x{\\\"", 100) + `"}},"jsonrpc":"2.0","id":-1.5e3}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tool","arguments":{"x":NaN}}}`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"\xe3\",\"method\":\"ping\"}",
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},[],7,{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
		`[]`, `{}`, `"`, `{"id":`, "\x00", `{"id":1,"id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
	} {
		f.Add([]byte(line))
	}
	s := newServer(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return say("ran") })
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsAny(line, "\n") {
			return
		}
		var out bytes.Buffer
		if err := stdio.Serve(t.Context(), s, bytes.NewReader(line), &out, stdio.Options{MaxLine: 200}); err != nil {
			t.Fatal(err)
		}
		most := 1
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
			most = bytes.Count(line, []byte(",")) + 1
		}
		for answer := range bytes.Lines(out.Bytes()) {
			if most--; most < 0 || !json.Valid(answer) || !bytes.HasSuffix(answer, []byte("\n")) {
				t.Fatalf("%q is answered with %q", line, out.Bytes())
			}
		}
		id, request := requestID(line)
		if !request {
			return
		}
		var answer struct{ ID any }
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil || !reflect.DeepEqual(answer.ID, id) {
			t.Fatalf("request %v is answered with %q", id, out.Bytes())
		}
	})
}

// requestID tells whether a line is a request that must be answered by its id,
// and which.
func requestID(line []byte) (id any, request bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil || members["method"] == nil || bytes.Contains(line, []byte(`\u`)) ||
		bytes.Count(line, []byte(`"id"`)) != 1 || len(members["id"]) > 200 || !utf8.Valid(members["id"]) {
		return nil, false // whatever else it is
	}
	var method string
	if json.Unmarshal(members["method"], &method) != nil || method == "" || json.Unmarshal(members["id"], &id) != nil {
		return nil, false
	}
	switch id.(type) {
	case string, float64:
		return id, true
	}
	return nil, false
}
