package extismbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/limit"
)

// A handler that runs out of memory too, far enough into its code that the
// interpreter needs memory to note where, ends with the error.
func TestFullMemoryInAHandlerIsAnError(t *testing.T) {
	is := is.New(t)
	var code strings.Builder
	for i := range 150 {
		fmt.Fprintf(&code, "v%d = %d + 0\n", i, i)
	}
	code.WriteString(`
rows = []
try:
    while True:
        rows.append([len(rows)])
        rows[-1].append(str(len(rows)))
except MemoryError:
    parts = [str(r[0]) for r in rows]
    rows = None
`)
	box := open(t, extismbox.Options{})
	report := execute(t, box, code.String(), &host{}, func(l *limit.Run) {
		l.Memory = 64 << 20
		l.Time = 20 * time.Second
	})
	is.True(report.Failure != nil)
	is.Equal(report.Failure.Type, "MemoryError") // and not the end of its time
	report = execute(t, box, code.String(), &host{}, func(l *limit.Run) { l.Time = 20 * time.Second })
	is.True(report.Failure != nil)
	is.Equal(report.Failure.Type, "MemoryError")
}

// An error over a memory that is full to the last byte has its line and the frames
// that it left, although nothing is left to note them in.
func TestFullMemoryLeavesErrorsTheirLines(t *testing.T) {
	is := is.New(t)
	const code = `
def fill():
    kept = None
    for size in reversed(range(1, 130)):
        try:
            while True:
                kept = (kept,) * size
        except MemoryError:
            pass
    more(3, kept)

def more(n, kept):
    if n:
        more(n - 1, kept)
    while True:
        kept = (kept,)

fill()
`
	box := open(t, extismbox.Options{})
	report := execute(t, box, code, &host{}, func(l *limit.Run) {
		l.Memory = 64 << 20
		l.Time = 20 * time.Second
	})
	is.True(report.Failure != nil)
	is.Equal(report.Failure.Type, "MemoryError")
	is.Equal(report.Failure.Line, 16) // of the innermost code
	is.Equal(strings.Count(report.Failure.Traceback, "in more"), 4)
	is.True(strings.Contains(report.Failure.Traceback, "line 18, in <module>"))
}

// Whatever the snippet does with a full memory, the error is the one that it got,
// with its line, and one that is caught is over.
func TestFullMemoryIsAnOrdinaryError(t *testing.T) {
	box := open(t, extismbox.Options{})
	for name, c := range map[string]struct {
		code string
		line int    // of the MemoryError; 0 where the run ends well
		want string // JSON
	}{
		"caught": {"l = None\ntry:\n    while True: l = [l]\nexcept MemoryError: pass\nreturn 1", 0, "1"},
		"in a task": {"l = None\nasync def eat():\n    global l\n    await asyncio.sleep(0)\n    while True: l = [l]\n" +
			"await asyncio.create_task(eat())", 5, ""},
		"in a group": {"l = None\nasync def eat():\n    global l\n    await asyncio.sleep(0)\n    while True: l = [l]\n" +
			"await asyncio.gather(eat(), asyncio.sleep(9))", 5, ""},
		"deep down": {"import sys\nsys.setrecursionlimit(10**6)\ndef g(n):\n    x = [0] * 5000\n    return g(n + 1) + 1\ng(0)", 4, ""},
		"deep down, caught": {"import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\ntry:\n    f()\n" +
			"except (MemoryError, RecursionError):\n    return 'caught'", 0, `"caught"`},
		"before a division": {"l = None\ntry:\n    while True: l = [l]\nexcept MemoryError: pass\n1 / 0", 5, ""},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			report := execute(t, box, c.code, &host{}, func(l *limit.Run) {
				l.Memory = 64 << 20
				l.Time = 20 * time.Second
			})
			if c.line == 0 {
				is.Equal(report.Failure, nil)
				is.Equal(string(report.Value.Bytes()), c.want)
				return
			}
			is.True(report.Failure != nil)
			t.Log(report.Failure.Type, report.Failure.Message, report.Failure.Traceback[max(0, len(report.Failure.Traceback)-400):])
			is.Equal(report.Failure.Line, c.line)
		})
	}
}
