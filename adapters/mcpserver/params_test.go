package mcpserver_test

import (
	"encoding/json"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/fakehost"
)

func TestParamsThatDoNotFit(t *testing.T) {
	c := connect(t, &fakehost.Host{}, all)
	const cursor = "params.cursor: it is none that this server gave; leave it out to begin anew"
	for _, tc := range []struct{ method, params, want string }{
		{"ping", `[]`, "params: expected an object, got array"},
		{"tools/call", `{"name":5}`, "params.name: expected string, got number"},
		{"tools/call", `{"name":"x","_meta":true}`, "params._meta: expected object, got boolean"},
		{"tools/list", `{"cursor":"zzz"}`, cursor},
		{"tools/list", `{"cursor":1.5}`, "params.cursor: expected string, got number"},
		{"resources/list", `{"cursor":"%"}`, cursor},
		{"resources/templates/list", `{"cursor":"zzz"}`, cursor},
		{"resources/read", `{"uri":["x"]}`, "params.uri: expected string, got array"},
		{"initialize", `{"protocolVersion":{}}`, "params.protocolVersion: expected string, got object"},
		{"initialize", `{"capabilities":[]}`, "params.capabilities: expected object, got array"},
		{"completion/complete", `{"ref":{"type":"ref/resource","uri":""},"argument":7}`, "params.argument: expected object, got number"},
		{"completion/complete", `{"ref":5}`, "the params do not fit completion/complete"},
		{"completion/complete", `{"ref":{"type":"zzz"}}`, "the params do not fit completion/complete"},
	} {
		t.Run(tc.method+tc.params, func(t *testing.T) {
			is := is.New(t)
			answer := c.Call(tc.method, json.RawMessage(tc.params))
			is.True(answer.Error != nil)
			is.Equal(answer.Error.Code, mcp.INVALID_PARAMS)
			is.Equal(answer.Error.Message, tc.want) // in the words of the protocol
		})
	}
}
