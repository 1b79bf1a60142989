package test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/fault"
)

// The cases that users of such systems reported, by their numbers.

func TestC01NonFinite(t *testing.T) {
	is := is.New(t)
	out := mustRun(t, newWorkspace(t), `
try:
    await save_result({"rows": [1.0, float("nan")]})
except ValueError as e:
    print(e)
return {"mean": float("inf")}
`)
	is.True(out.OK())                                          // the run ends well
	contains(t, out.Stdout.Head, "$.rows[1]", "NaN")           // the error names place and value
	is.Equal(string(out.Value.Bytes()), `{"mean":"Infinity"}`) // rendered, never null
	noted(t, out, "$.mean")                                    // and said
}

func TestC02FailingToolIsCatchable(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, up())
	is.Equal(succeed(t, w, `
out = []
for call in (lambda: call_tool("mcp:up/nope", {}), lambda: up_fail()):
    try: out.append(await call())
    except LookupError as e: out.append("lookup")
    except Exception as e: out.append(type(e).__name__ + ":" + str(e))
return out
`), `["lookup","ToolError:quota exceeded"]`)
	contains(t, fail(t, w, `await call_tool("mcp:up/gret", {})`).Message, "mcp:up/gret", "mcp:up/greet") // suggests
}

func TestC03ForgottenAwait(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, up())
	f := fail(t, w, "x = 1\nprint(up_greet(name=\"W\"))\n")
	is.Equal(f.Line, 2)             // the line of the call
	contains(t, f.Message, "await") // and what to do

	f = fail(t, w, "x = 1\nup_greet(name=\"W\")\nreturn 5\n")
	is.Equal(f.Line, 2) // a call that nothing looks at is found too
	contains(t, f.Message, "await")

	f = fail(t, w, "c = up_fail()\nreturn 5\n")
	contains(t, f.Message, "await") // whatever became of it

	out := mustRun(t, w, `x = await up_greet(name="W")`)
	is.True(out.OK()) // a last assignment is no error
	is.True(out.Value.IsNull())
	is.Equal(len(out.Notes), 1) // but a note says what it was
	contains(t, out.Notes[0].Text, "assign")
}

func TestC04GatherWithOneFailure(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, up())
	succeed(t, w, "1") // warm
	start := time.Now()
	is.Equal(succeed(t, w, `
import asyncio
r = await asyncio.gather(*[up_get(i=i) for i in range(5)], return_exceptions=True)
return ["ok" if isinstance(x, dict) else type(x).__name__ for x in r]
`), `["ok","ok","ToolError","ok","ok"]`) // in order
	is.True(time.Since(start) < 400*time.Millisecond) // and side by side

	f := fail(t, w, `
import asyncio
await asyncio.gather(*[up_get(i=i) for i in range(5)])
`)
	is.Equal(f.Type, "ToolError") // a plain raise
	is.Equal(f.Message, "no such item")
}

func TestC05RunawaysThatPythonEnds(t *testing.T) {
	w := newWorkspace(t)
	for _, c := range []struct{ name, code, want string }{
		{"a string of two gigabytes", `"x"*(2**31-2)`, "MemoryError"},
		{"a list of 2**28", `[0]*(2**28)`, "MemoryError"},
		{"a string of 10**12", `"x"*10**12`, "OverflowError"},
		{"endless recursion", "def g(): g()\ng()", "RecursionError"},
		{"a million nested maps", "x = iter([1])\nfor _ in range(10**6): x = map(int, x)\nnext(x)", "RecursionError"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			f := fail(t, w, c.code)
			is.Equal(f.Type, c.want)
			catch := "try:\n    " + strings.ReplaceAll(c.code, "\n", "\n    ") + "\nexcept " + c.want + ":\n    r = 'caught'\nr"
			is.Equal(succeed(t, w, catch), `"caught"`) // catchable in the snippet
			is.Equal(succeed(t, w, "1+1"), "2")        // and the next run is normal
		})
	}
}

func TestC05RunawaysThatTheHostEnds(t *testing.T) {
	w := newWorkspace(t, up())
	for _, c := range []struct{ name, code string }{
		{"an endless loop", "while True: pass"},
		{"a loop that swallows", "while True:\n    try: await call_tool('mcp:up/nope', {})\n    except BaseException: pass"},
		{"exponential recursion", "def f(n): return f(n-1)+f(n-1) if n else 1\nf(60)"},
		{"a huge power", "9**9**9"},
		{"a catastrophic pattern", `import re; re.match(r"(a+)+$", "a"*40+"b")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			start := time.Now()
			out, err := w.Run(t.Context(), request(c.code, time.Second))
			is.NoErr(err)
			is.True(!out.OK())
			is.Equal(out.Failure.Type, "TimeoutError")
			is.Equal(out.Failure.Code, fault.RunTimeout)
			is.True(out.Failure.Stopped())
			contains(t, out.Failure.Message, "1s")
			is.True(time.Since(start) < 3*time.Second) // soon after the limit, on a busy machine too
			is.Equal(succeed(t, w, "1+1"), "2")        // the next run is normal
		})
	}
}

func TestC08ValuesThatJSONLacks(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	const value = `{"t": datetime.datetime(2026,1,2,3,4), "d": decimal.Decimal("1.10"), "b": b"\xff\x00", "s": {3,1,2}, "k": {1: "a"}, "u": "a\ud800b"}`
	out := mustRun(t, w, "import datetime, decimal\nreturn "+value)
	is.True(out.OK()) // nothing is lost
	var got map[string]any
	is.NoErr(json.Unmarshal(out.Value.Bytes(), &got))
	is.Equal(got["t"], "2026-01-02T03:04:00")
	is.Equal(got["d"], "1.10")
	is.Equal(got["b"], "/wA=")
	is.Equal(len(got["s"].([]any)), 3)
	is.Equal(got["k"], map[string]any{"1": "a"})
	is.Equal(got["u"], "a\ufffdb")
	for _, path := range []string{"$.d", "$.b", "$.s", "$.u"} {
		noted(t, out, path)
	}
	is.Equal(len(out.Notes), 5) // and one for the key of k

	f := fail(t, w, "import datetime, decimal\nawait save_result("+value+")")
	is.Equal(f.Type, "ValueError")
	contains(t, f.Message, "$.d", "Decimal", "str(") // place, type, way out
}

func TestC09AuthorsLines(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	f := fail(t, w, "a = 1\nb = 2\nc = a / 0\nd = 4\ne = 5\n")
	is.Equal(f.Line, 3)
	is.Equal(f.Type, "ZeroDivisionError")
	contains(t, f.Traceback, "line 3", "c = a / 0")
	is.True(!strings.Contains(f.Traceback, "toolplane>")) // no frame of ours

	f = fail(t, w, "a = 1\nb = = 2\n")
	is.Equal(f.Line, 2)
	is.Equal(f.Type, "SyntaxError")
	contains(t, f.Traceback, "line 2", "b = = 2")
	is.True(!strings.Contains(f.Traceback, "toolplane>"))
}
