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
