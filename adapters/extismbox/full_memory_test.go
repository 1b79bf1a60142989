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
