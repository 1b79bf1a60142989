package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver"
	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/adapters/mcpserver/linetest"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

func TestRequestReachesTheRunner(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{"x": fakehost.Value("1")}}
	c := connect(t, host, all)
	c.Send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_code","arguments":` +
		`{"code":"x","inputs":{"n":12345678901234567890123,"b":1.0,"a":[]},"timeout_seconds":1.5,"backend":"other"}}}` + "\n")
	is.Equal(toolAnswerOf(t, c.Await("1")).text(), "value: 1")
	o, _ := execute(t, c, map[string]any{"code": "x", "inputs": nil, "timeout_seconds": 600})
	is.Equal(o.Notes, []string{"timeout_seconds is more than the limit on a run, which is 30 seconds and holds"})
	asked := host.Asked()
	is.Equal(string(asked[0].Inputs.Bytes()), `{"n":12345678901234567890123,"b":1.0,"a":[]}`) // digit for digit, in order
	is.Equal(asked[0].Timeout, 1500*time.Millisecond)
	is.Equal(asked[0].Backend, "other")
	is.True(asked[1].Inputs.IsNull())
	is.Equal(asked[1].Timeout, time.Duration(0))
}

func TestArgumentsThatDoNotFit(t *testing.T) {
	c := connect(t, &fakehost.Host{}, all)
	for _, tc := range []struct{ tool, arguments, says string }{
		{"execute_code", `{}`, `argument "code" is missing`},
		{"execute_code", `null`, `argument "code" is missing`},
		{"execute_code", `[]`, `the arguments are one array; give an object`},
		{"execute_code", `{"code":7}`, `argument "code": expected string, got integer`},
		{"execute_code", `{"code":"x","inputs":"{}"}`, `argument "inputs": expected object, got string`},
		{"execute_code", `{"code":"x","timeout_seconds":0}`, `argument "timeout_seconds": expected more than 0 seconds`},
		{"execute_code", `{"code":"x","timeout_seconds":-1}`, `argument "timeout_seconds": expected more than 0 seconds`},
		{"execute_code", `{"code":"x","timeout":1}`, `unknown argument "timeout"; the arguments are code, inputs, timeout_seconds, backend`},
		{"search_capabilities", `{"query":7}`, `argument "query": expected string`},
		{"search_capabilities", `{"query":"","detail":"all"}`, `expected "brief", "detailed" or "full", got "all"`},
		{"search_capabilities", `{"query":"","limit":0}`, `expected a whole number from 1 to 200`},
		{"search_capabilities", `{"query":"","limit":1.5}`, `expected a whole number from 1 to 200`},
		{"search_capabilities", `{"query":"","tags":["a",1]}`, `argument "tags": expected strings, got integer`},
		{"get_capability_schemas", `{}`, `argument "names" is missing`},
		{"get_capability_schemas", `{"names":[]}`, `argument "names" is empty`},
		{"get_capability_schemas", `{"names":"x"}`, `argument "names": expected array, got string`},
		{"get_capability_schemas", `{"names":[` + strings.Repeat(`"x",`, 50) + `"x"]}`, `argument "names" has more than 50 elements`},
	} {
		is := is.New(t)
		a := callTool(t, c, tc.tool, json.RawMessage(tc.arguments))
		is.True(a.IsError)
		is.True(containsAll(a.text(), tc.says, " [args.invalid]")) // what is wrong, and the code
	}
}

func TestErrorsOfTheRunner(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{
		"fault": func(context.Context, *fakehost.Host, run.Request) (run.Outcome, error) {
			return run.Outcome{}, fault.New(fault.BackendUnknown, "unknown backend %q", "x")
		},
		"defect": func(context.Context, *fakehost.Host, run.Request) (run.Outcome, error) {
			return run.Outcome{}, errors.New("password is hunter2")
		},
		"panic": func(context.Context, *fakehost.Host, run.Request) (run.Outcome, error) { panic("password is hunter2") },
	}}
	c := connect(t, host, all)
	is.Equal(callTool(t, c, "execute_code", code("fault")).text(), `unknown backend "x" [backend.unknown]`)
	is.Equal(callTool(t, c, "execute_code", code("defect")).text(), `internal error f1; the server's log says more [internal]`)
	answer := c.Call("tools/call", linetest.Tool("execute_code", code("panic")))
	is.Equal(answer.Error.Message, "internal error 1; the server's log says more")
	answer = c.Call("tools/call", linetest.Tool("list_issues", nil))
	is.True(containsAll(answer.Error.Message, `unknown tool "list_issues"`, "execute_code, search_capabilities and get_capability_schemas"))
}

func TestCancellationReachesTheRunner(t *testing.T) {
	is := is.New(t)
	var ended atomic.Int64
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{
		"hang": func(ctx context.Context, h *fakehost.Host, req run.Request) (run.Outcome, error) {
			defer ended.Add(1)
			return fakehost.Hangs(ctx, h, req)
		},
		"x": fakehost.Value("1"),
	}}
	c := connect(t, host, all)
	for i := range 50 { // sent right after the call
		id := fmt.Sprint(i)
		c.Send(linetest.Request(id, "tools/call", linetest.Tool("execute_code", code("hang"))) + linetest.Cancel(id))
	}
	_, a := execute(t, c, code("x")) // the places of the cancelled runs are free
	is.Equal(a.text(), "value: 1")
	c.CloseInput()
	is.NoErr(c.Wait())
	is.Equal(len(host.Asked())-1, int(ended.Load())) // every run that began has ended
	for i := range 50 {
		is.Equal(len(c.Answers(fmt.Sprint(i))), 0)
	}
}

func TestLongRunsReportProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		is := is.New(t)
		takes := func(d time.Duration) fakehost.Snippet {
			return func(context.Context, *fakehost.Host, run.Request) (run.Outcome, error) {
				time.Sleep(d) // of the bubble's time
				return run.Outcome{}, nil
			}
		}
		host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{"long": takes(3500 * time.Millisecond), "short": takes(900 * time.Millisecond)}}
		c := connect(t, host, all)
		withToken := func(name string, token any) map[string]any {
			params := linetest.Tool("execute_code", map[string]any{"code": name, "timeout_seconds": 10})
			params["_meta"] = map[string]any{"progressToken": token}
			return params
		}
		c.Call("tools/call", withToken("short", "t"))
		c.Call("tools/call", linetest.Tool("execute_code", code("long")))
		is.Equal(len(c.Notices()), 0) // too short, or not asked for
		c.Call("tools/call", withToken("long", "t"))
		notices := c.Notices()
		is.Equal(len(notices), 3) // one each second, all before the answer
		is.Equal(string(notices[1].Params), `{"message":"running for 2 s of at most 10 seconds","progress":2,"progressToken":"t","total":10}`)

		c.Send(linetest.Request("7", "tools/call", withToken("long", 7)) + linetest.Cancel("7"))
		time.Sleep(time.Minute)
		is.Equal(len(c.Notices()), 3) // none after a cancellation
	})
}

func TestDefaultsAreSafe(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{"x": fakehost.Value("1")}}
	c := connect(t, host, mcpserver.Options{})
	_, a := execute(t, c, code("x"))
	is.Equal(a.text(), "value: 1")
	host.Save(handle.Result, run.JSON(fakehost.MustParse("1")), run.Pointer{})
	list := c.Call("resources/list", nil)
	is.True(!strings.Contains(string(list.Result), "res_")) // nothing that is saved is listed
}
