package extismbox_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// TestCallsThatGoOnAreBounded starts calls that no tool answers and never waits for
// one: what their arguments take of the host has a bound, and so has their number.
func TestCallsThatGoOnAreBounded(t *testing.T) {
	box := open(t, extismbox.Options{})
	for _, c := range []struct {
		name, code string
		change     func(*limit.Run)
		want       fault.Code
	}{
		{
			"by their arguments",
			"data = {'x': 'x' * 9_000_000}\ncalls = []\nfor i in range(100):\n    calls.append(call_tool('host:test/slow', data))\nimport asyncio\nawait asyncio.gather(*calls)",
			func(l *limit.Run) { l.Memory = 64 << 20 },
			fault.ArgsTooLarge,
		},
		{
			"by their arguments, when they are given up",
			"data = {'x': 'x' * 9_000_000}\nfor i in range(100):\n    call_tool('host:test/slow', data).close()\nawait call_tool('host:test/slow', data)",
			func(l *limit.Run) { l.Memory = 64 << 20 },
			fault.ArgsTooLarge,
		},
		{
			"by their number, when they are given up",
			"for i in range(1000):\n    call_tool('host:test/slow').close()\nawait call_tool('host:test/slow')",
			func(l *limit.Run) { l.Calls, l.InFlight = 50, 2 },
			fault.CallsTooMany,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			end := make(chan struct{})
			deaf := &host{answer: func(context.Context, run.Call) (run.Answer, error) {
				<-end
				return run.Answer{}, nil
			}}
			report := execute(t, box, c.code, deaf, c.change, func(l *limit.Run) { l.InFlight = min(l.InFlight, 4) })
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			close(end)
			is.True(report.Failure != nil)
			is.Equal(report.Failure.Code, c.want)
			is.True(strings.Contains(report.Failure.Message, "await")) // the way out
			is.True(now.HeapAlloc < 400<<20)                           // not 900 MB
			is.Equal(result(t, box, "return 1 + 1", &host{}), "2")     // the next run is healthy
		})
	}
}

// TestCallsGivenUpBeforeTheirTurnAreNotMade gives up all calls but the first.
func TestCallsGivenUpBeforeTheirTurnAreNotMade(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	made := 0
	one := &host{answer: func(ctx context.Context, call run.Call) (run.Answer, error) {
		made++
		<-ctx.Done()
		return run.Answer{}, ctx.Err()
	}}
	code := "first = call_tool('host:test/slow')\nfor i in range(20):\n    call_tool('host:test/slow').close()\nfirst.close()\nimport asyncio\nawait asyncio.sleep(0.05)"
	report := execute(t, box, code, one, func(l *limit.Run) { l.InFlight = 1 })
	is.True(report.Failure == nil)
	is.Equal(made, 1)
}
