package extismbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// Whatever can be told of a snippet's run is the same whether it is compiled for
// that run or was before. A paranoid sandbox compiles it ahead at its second run.
func TestCodeThatIsKeptRunsAsItsSource(t *testing.T) {
	box := open(t, extismbox.Options{Paranoid: true})
	for name, code := range map[string]string{
		"an expression":       "1 + 1",
		"nothing":             "",
		"an assignment":       "x = [1, 2]",
		"text and numbers":    `return "é\U0001f600", b"\xff", 1.5, 2**70, 1j == 1j, ..., None, True, frozenset({1})`,
		"sets":                "return list({16, 8, 0}), [x for x in {8, 0}]",
		"sets in functions":   "def f():\n    return lambda: list({'red', 'high', 'done'})\nreturn f()()",
		"functions":           "def f(a, *b, c=1, **d):\n    'doc'\n    return lambda: (a, b, c, d, f.__doc__)\nreturn f(1, 2, c=3, d=4)()",
		"a class":             "class A:\n    x: int = 1\n    def f(self): return super().__repr__()[:5], __class__.__name__\nreturn A().f(), str(A.__annotations__)",
		"comprehensions":      "return [i for i in range(3)], {i: j for i, j in zip('ab', 'cd')}, sum(i for i in range(9))",
		"await and loops":     "async def g():\n    yield 1\n    await asyncio.sleep(0)\n    yield 2\nreturn [i async for i in g()]",
		"calls":               "return await asyncio.gather(*[call_tool('host:a/b') for _ in range(2)])",
		"a call not awaited":  "call_tool('host:a/b')",
		"an error":            "def f():\n    return 1 / 0\n\nprint('before')\nf()",
		"a chained error":     "try:\n    {}['k']\nexcept KeyError as e:\n    raise ValueError('v') from e",
		"an error in a group": "async with asyncio.TaskGroup() as t:\n    t.create_task(asyncio.sleep('x'))",
		"no Python":           "x = (1,\ny = 2",
		"a warning":           `return len("\d")`,
		"its own source":      "import inspect\ndef f():\n    return 1 # here\nreturn inspect.getsource(f)",
		"its own names":       "return sorted(n for n in globals() if not n.startswith('_'))[:40], __name__",
		"match":               "match {'a': [1, 2]}:\n    case {'a': [x, *rest]}:\n        return x, rest",
		"future":              "from __future__ import annotations\ndef f(x: nosuch): pass\nreturn f.__annotations__",
		"exit":                "import sys\nprint('out')\nsys.exit()",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			tell := func() string {
				h := &host{}
				r := execute(t, box, code, h)
				failure := run.Failure{}
				if r.Failure != nil {
					failure = *r.Failure
				}
				return fmt.Sprintf("%s\n%+v\n%v\n%s", r.Value.Bytes(), failure, r.Notes, h.printed.String())
			}
			first := tell()
			is.Equal(tell(), first)
			kept := box.Codes(t)
			is.Equal(tell(), first) // and the third one runs what is kept
			is.Equal(box.Codes(t), kept)
		})
	}
	is.New(t).Equal(box.Codes(t), 18) // all but what is no Python, what warns and what has sets
}

// A guest that runs a snippet has no say in what it is compiled to.
func TestNoSnippetShapesWhatIsKept(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{Paranoid: true})
	const code = `
import builtins, marshal, warnings
import _toolplane as m
evil = m.compile("return 'evil'", {}, "x")[0].__code__
m.send(14, b"\0" + marshal.dumps(evil))
m.compile = lambda *a: (lambda: "evil", 0)
marshal.dumps = lambda *a: b""
builtins.compile = None
warnings.catch_warnings = None
return "good"
`
	for range 4 {
		is.Equal(result(t, box, code, &host{}), `"good"`)
	}
	is.Equal(box.Codes(t), 1)
	is.Equal(result(t, box, "import _toolplane as m\nf, flags = m.load({})  or (None, 0)\nreturn f is None", &host{}), "true")
}

func TestCodeIsKeptForItsFile(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{Paranoid: true})
	const code = "def f():\n    pass\nreturn f.__code__.co_filename"
	for range 3 {
		for _, file := range []string{"a.py", "b.py"} {
			report, err := box.Run(t.Context(), run.Job{Code: code, File: file, Limits: limit.Defaults().Run}, &host{})
			is.NoErr(err)
			is.Equal(string(report.Value.Bytes()), `"`+file+`"`)
		}
	}
	is.Equal(box.Codes(t), 2)
}

// Compiling ahead takes no more than a run may, one at a time, and not for texts
// that a limit has stopped.
func TestCompilingAheadIsBounded(t *testing.T) {
	is := is.New(t)
	var code strings.Builder // a finally is compiled twice, and the one in it four times
	for i := range 14 {
		fmt.Fprintf(&code, "%stry: pass\n%[1]sfinally:\n", strings.Repeat(" ", i))
	}
	code.WriteString(strings.Repeat(" ", 14) + "x = 1\nwhile x: pass")
	box := open(t, extismbox.Options{Paranoid: true})
	for range 3 {
		report := execute(t, box, code.String(), &host{}, func(l *limit.Run) { l.Time = 50 * time.Millisecond })
		is.Equal(report.Failure.Code, fault.RunTimeout)
	}
	is.Equal(box.Codes(t), 0)
}
