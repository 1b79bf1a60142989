package extismbox_test

import (
	"bufio"
	"strconv"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
)

// TestWhoLetsAStopGoGetsTheNextOneSoon tells a snippet that swallows a stop from
// one that still handles it, which has time to tidy up.
func TestWhoLetsAStopGoGetsTheNextOneSoon(t *testing.T) {
	box := open(t, extismbox.Options{})
	const until = `
import sys, time
def tidy():
    while True: pass
`
	handles := until + `
def f(depth):
    try:
        tidy()
    finally:
        print(time.monotonic())
        sys.stdout.flush()
        f(depth + 1)
f(0)`
	letsGo := until + `
while True:
    try:
        tidy()
    except BaseException:
        print(time.monotonic())
        sys.stdout.flush()`
	const interval = 10 * time.Millisecond // of what still handles a stop
	for _, c := range []struct {
		name, code string
		ok         func(gap time.Duration) bool
	}{
		{"handles it", handles, func(gap time.Duration) bool { return gap > interval/2 }},
		{"lets it go", letsGo, func(gap time.Duration) bool { return gap < interval/4 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 10 { // others may take the processor away for a while
				if c.ok(shortestGap(t, box, c.code)) {
					return
				}
			}
			t.Error("never as it should be")
		})
	}
}

// shortestGap runs a snippet that prints a line at each stop until it is ended.
func shortestGap(t *testing.T, box *extismbox.Sandbox, code string) time.Duration {
	t.Helper()
	is := is.New(t)
	h := &host{}
	report := execute(t, box, code, h, func(l *limit.Run) { l.Time = 50 * time.Millisecond })
	is.True(report.Failure != nil && report.Failure.Code == fault.RunTimeout) // it is ended
	shortest, last, stops := time.Hour, 0.0, 0
	for lines := bufio.NewScanner(&h.printed); lines.Scan(); stops++ {
		at, err := strconv.ParseFloat(lines.Text(), 64)
		is.NoErr(err) // a time
		if stops > 0 {
			shortest = min(shortest, time.Duration((at-last)*float64(time.Second)))
		}
		last = at
	}
	is.True(stops > 1) // there is a gap
	return shortest
}
