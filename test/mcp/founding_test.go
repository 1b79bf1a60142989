package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/cmd/compose"
)

// The founding design's test plan, failure table and resource lane over MCP:
// each client talks to `toolplane serve mcp` as it is.

// connect starts the program with a configuration and opens a session.
func connect(t *testing.T, config string) *linetest.Client {
	t.Helper()
	is := is.New(t)
	file := filepath.Join(t.TempDir(), "toolplane.toml")
	is.NoErr(os.WriteFile(file, []byte(config), 0o600))
	env := func(name string) string {
		if name == "TOOLPLANE_CACHE_DIR" {
			return cache
		}
		return ""
	}
	c := linetest.Start(t, func(ctx context.Context, in io.Reader, out io.Writer) error {
		var stderr bytes.Buffer
		if status := compose.Main(ctx, []string{"serve", "mcp", "--config", file}, env, in, out, &stderr); status != 0 && ctx.Err() == nil {
			t.Errorf("status %d: %s", status, stderr.String())
		}
		return nil
	})
	c.Initialize()
	return c
}

// result is what execute_code answers.
type result struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured struct {
		OK    bool            `json:"ok"`
		Value json.RawMessage `json:"value"`
		Error *struct {
			Type    string `json:"type"`
			Message string `json:"message"`
			Code    string `json:"code"`
		} `json:"error"`
		Results []struct {
			Handle string `json:"handle"`
			URI    string `json:"uri"`
		} `json:"results"`
		Artifacts []struct {
			Handle string `json:"handle"`
			URI    string `json:"uri"`
		} `json:"artifacts"`
		LargeValue struct {
			Handle string `json:"handle"`
		} `json:"large_value"`
		Notes []json.RawMessage `json:"notes"`
	} `json:"structuredContent"`
}

// execute calls execute_code.
func execute(t *testing.T, c *linetest.Client, code string) (result, linetest.Message) {
	t.Helper()
	answer := c.Call("tools/call", map[string]any{"name": "execute_code", "arguments": map[string]any{"code": code}})
	if answer.Error != nil {
		t.Fatalf("execute_code: %s", answer.Error.Message)
	}
	var r result
	is.New(t).NoErr(json.Unmarshal(answer.Result, &r))
	return r, answer
}

// value runs a snippet that must end well.
func value(t *testing.T, c *linetest.Client, code string) string {
	t.Helper()
	r, _ := execute(t, c, code)
	if !r.Structured.OK {
		t.Fatalf("%+v", r.Structured.Error)
	}
	return string(r.Structured.Value)
}

// refused runs a snippet that must fail, and returns type and message.
func refused(t *testing.T, c *linetest.Client, code string) string {
	t.Helper()
	r, _ := execute(t, c, code)
	if r.Structured.OK {
		t.Fatalf("ended well with %s", r.Structured.Value)
	}
	return r.Structured.Error.Type + ": " + r.Structured.Error.Message
}

func TestPlanOverMCPRoundTripAndSummaryPlusHandle(t *testing.T) {
	is := is.New(t)
	c := connect(t, "")
	r, answer := execute(t, c, `
issues = [{"id": i, "title": "secret-%d" % i} for i in range(1000)]
handle = await save_result(issues, label="issues")
return {"count": len(issues), "sample": issues[:3], "issues_handle": handle}
`)
	is.True(r.Structured.OK)
	is.True(!strings.Contains(string(answer.Result), "secret-3")) // the full value is not in the response
	is.Equal(len(r.Structured.Results), 1)
	handle := r.Structured.Results[0].Handle
	is.True(strings.HasPrefix(handle, "res_") && len(handle) >= 4+22) // unguessable
	is.Equal(value(t, c, `len(await load_result("`+handle+`"))`), "1000")
	is.Equal(value(t, c, `(await call_tool("toolplane:results/load", {"handle": "`+handle+`"}))[7]`), `{"id":7,"title":"secret-7"}`)
}

func TestPlanOverMCPCaps(t *testing.T) {
	is := is.New(t)
	c := connect(t, "[results]\nmax_entries = 2\nmax_total_bytes = 3000\nmax_entry_bytes = 1000\n")
	is.True(strings.Contains(refused(t, c, "await save_result('x' * 1000)"), "1000")) // entry bytes
	value(t, c, "await save_result('x' * 900)")
	value(t, c, "await save_result('x' * 900)")
	full := refused(t, c, "await save_result(1)")
	is.True(strings.HasPrefix(full, "ValueError: "))
	is.True(strings.Contains(full, "2 entries")) // entries

	c = connect(t, "[results]\nmax_total_bytes = 3000\nmax_entry_bytes = 1000\n")
	value(t, c, "for i in range(3): await save_result('x' * 900)")
	full = refused(t, c, "await save_result('x' * 900)")
	is.True(strings.HasPrefix(full, "ValueError: "))
	is.True(strings.Contains(full, "3000 bytes")) // total bytes
	is.True(strings.Contains(full, "save a smaller projection") && strings.Contains(full, "re-use an existing handle"))
}

func TestPlanOverMCPLabelsAreNotAuthority(t *testing.T) {
	is := is.New(t)
	c := connect(t, "")
	r, _ := execute(t, c, "await save_result(1, label='same')\nawait save_result(2, label='same')")
	is.Equal(len(r.Structured.Results), 2)
	first, second := r.Structured.Results[0].Handle, r.Structured.Results[1].Handle
	is.True(first != second)
	is.Equal(value(t, c, `[await load_result("`+first+`"), await load_result("`+second+`")]`), "[1,2]")
	is.Equal(refused(t, c, `await load_result("same")`), "ValueError: unknown or expired result handle same")
	missing := c.Call("resources/read", map[string]any{"uri": "toolplane://results/same"})
	is.True(missing.Error != nil) // nor is a label part of a URI
}

func TestPlanOverMCPFailureTable(t *testing.T) {
	is := is.New(t)
	c := connect(t, "[results]\nttl_seconds = 0.000001\n")
	is.Equal(refused(t, c, `await load_result("res_nope")`), "ValueError: unknown or expired result handle res_nope")
	handle := strings.Trim(value(t, c, "await save_result(1)"), `"`)
	is.Equal(refused(t, c, `await load_result("`+handle+`")`), "ValueError: unknown or expired result handle "+handle)
	is.True(strings.Contains(refused(t, c, "await save_result({1, 2})"), "set"))
	is.True(strings.Contains(refused(t, c, "await save_result([float('nan')])"), "$[0]"))
	is.Equal(value(t, c, "try:\n    await load_result('res_x')\nexcept ValueError:\n    r = 'again'\nr"), `"again"`)
}

func TestPlanOverMCPDisabledStore(t *testing.T) {
	is := is.New(t)
	c := connect(t, "[results]\nenabled = false\n[artifacts]\nenabled = false\n")
	is.True(strings.Contains(refused(t, c, "await save_result(1)"), "results store is disabled"))
	templates := string(c.Call("resources/templates/list", map[string]any{}).Result)
	is.True(!strings.Contains(templates, "results/") && !strings.Contains(templates, "artifacts/")) // no dead template
}

func TestPlanOverMCPResourceLane(t *testing.T) {
	is := is.New(t)
	c := connect(t, "")
	r, _ := execute(t, c, `
await save_result({"b": [1, 2.50, 10**30], "a": "é"})
await save_artifact(b"\x00\xff", filename="x.bin", media_type="application/x-thing")
`)
	read := func(uri string) linetest.Message { return c.Call("resources/read", map[string]any{"uri": uri}) }
	var got struct {
		Contents []struct {
			MIME string `json:"mimeType"`
			Text string `json:"text"`
			Blob string `json:"blob"`
		} `json:"contents"`
	}
	is.NoErr(json.Unmarshal(read(r.Structured.Results[0].URI).Result, &got))
	is.Equal(got.Contents[0].Text, `{"b":[1,2.5,1000000000000000000000000000000],"a":"é"}`) // verbatim
	is.Equal(got.Contents[0].MIME, "application/json")
	is.NoErr(json.Unmarshal(read(r.Structured.Artifacts[0].URI).Result, &got))
	is.Equal(got.Contents[0].Blob, "AP8=")
	is.Equal(got.Contents[0].MIME, "application/x-thing")

	missing := read("toolplane://results/res_" + strings.Repeat("A", 24))
	is.True(missing.Error != nil) // the protocol's own error
	is.Equal(missing.Error.Code, -32002)
	is.True(strings.Contains(missing.Error.Message, "unknown or expired result handle"))
	manifest := string(read("toolplane://namespace").Result)
	is.True(strings.Contains(manifest, "toolplane://results/{handle}")) // the URI's shape is stated
}

func TestC06OversizedEverythingOverMCP(t *testing.T) {
	is := is.New(t)
	c := connect(t, "[sandbox]\nmax_output_bytes = 100_000_000\n")
	_, answer := execute(t, c, `print("é" * 30_000_000)`)
	is.True(answer.Size < 1<<20)                                 // bounded in text and in structure
	is.True(json.Valid(answer.Result))                           // cut between characters
	is.True(strings.Contains(string(answer.Result), "60000001")) // the true size

	r, answer := execute(t, c, `return [{"i": i, "t": "é"*100} for i in range(200_000)]`)
	is.True(r.Structured.OK)
	is.True(answer.Size < 1<<20)
	is.True(json.Valid(answer.Result))
	is.Equal(len(r.Structured.Artifacts), 1) // it is too large for a result, and is kept all the same
	kept := r.Structured.Artifacts[0].Handle
	is.Equal(r.Structured.LargeValue.Handle, kept)
	is.True(strings.Contains(string(r.Structured.Notes[0]), "load_artifact"))
	is.Equal(value(t, c, `
rows = json.loads(await load_artifact("`+kept+`"))
return [len(rows), all(row == {"i": i, "t": "é"*100} for i, row in enumerate(rows))]
`), "[200000,true]") // the whole value comes back
	r, answer = execute(t, c, `return [{"i": i, "t": "é"*100} for i in range(20_000)]`)
	is.True(answer.Size < 1<<20)
	is.Equal(len(r.Structured.Results), 1) // stored, with a handle
	is.Equal(value(t, c, `len(await load_result("`+r.Structured.Results[0].Handle+`"))`), "20000")
}
