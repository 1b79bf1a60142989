package contract

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// box is a sandbox under test.
type box struct {
	ports.Sandbox
	dialect Dialect
}

// snippet returns the text of a snippet in the sandbox's dialect.
func (b *box) snippet(python, script string) string {
	if b.dialect == Script {
		return script
	}
	return python
}

// job is a job with the default limits.
func (b *box) job(python, script string) run.Job {
	limits := limit.Defaults().Run
	limits.Time = 20 * time.Second
	return run.Job{Code: b.snippet(python, script), Limits: limits}
}

// run carries out a job that the sandbox must be able to carry out.
func (b *box) run(t *testing.T, job run.Job, bridge ports.Bridge) run.Report {
	t.Helper()
	report, err := b.Run(t.Context(), job, bridge)
	if err != nil {
		t.Fatalf("the sandbox could not do its work: %v", err)
	}
	return report
}

// value is run for a snippet that must end well.
func (b *box) value(t *testing.T, job run.Job, bridge ports.Bridge) string {
	t.Helper()
	report := b.run(t, job, bridge)
	if f := report.Failure; f != nil {
		t.Fatalf("the snippet failed: %s: %s (%s)\n%s", f.Type, f.Message, f.Code, f.Traceback)
	}
	return string(report.Value.Bytes())
}

// failure is run for a snippet that must fail.
func (b *box) failure(t *testing.T, job run.Job, bridge ports.Bridge) *run.Failure {
	t.Helper()
	report := b.run(t, job, bridge)
	if report.Failure == nil {
		t.Fatalf("the snippet did not fail, but ended with %s", report.Value.Bytes())
	}
	return report.Failure
}

// healthy checks that the sandbox still works.
func (b *box) healthy(t *testing.T) {
	t.Helper()
	if got := b.value(t, b.job("20 + 1", "value 21"), &bridge{}); got != "21" {
		t.Errorf("the next run ends with %s", got)
	}
}

// bridge is a ports.Bridge that records, and answers by the call's name.
type bridge struct {
	answer func(ctx context.Context, call run.Call) (run.Answer, error) // nil echoes
	print  func(stream run.Stream, text []byte) error                   // asked after recording

	mu     sync.Mutex
	events []string // "out: …", "err: …", "call: id args", in order
	calls  []run.Call
	open   int
}

var _ ports.Bridge = (*bridge)(nil)

func (b *bridge) record(event string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// What one print statement prints may come in parts.
	if n := len(b.events); n > 0 && !strings.HasPrefix(event, "call") && !strings.HasSuffix(b.events[n-1], "\n") &&
		strings.HasPrefix(b.events[n-1], event[:5]) {
		b.events[n-1] += event[5:]
		return
	}
	b.events = append(b.events, event)
}

func (b *bridge) Call(ctx context.Context, call run.Call) (run.Answer, error) {
	b.record("call: " + call.Name + " " + string(call.Args.Bytes()))
	b.mu.Lock()
	call.Payload = copied(call.Payload)
	b.calls = append(b.calls, call)
	b.open++
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		b.open--
		b.mu.Unlock()
	}()
	if b.answer != nil {
		return b.answer(ctx, call)
	}
	return run.Answer{Value: call.Args}, nil
}

// copied returns a payload that outlives the call.
func copied(p run.Payload) run.Payload {
	if _, isJSON := p.Value(); isJSON || p.IsZero() {
		return p
	}
	return run.Bytes(append([]byte(nil), p.Data()...))
}

func (b *bridge) Print(stream run.Stream, text []byte) error {
	if stream == run.Stdout {
		b.record("out: " + string(text))
	} else {
		b.record("err: " + string(text))
	}
	if b.print != nil {
		return b.print(stream, text)
	}
	return nil
}

// idle reports whether no call is going on.
func (b *bridge) idle() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open == 0
}

// untilDone is an answer that comes only when the call is ended.
func untilDone(started chan<- struct{}) func(context.Context, run.Call) (run.Answer, error) {
	return func(ctx context.Context, _ run.Call) (run.Answer, error) {
		close(started)
		<-ctx.Done()
		return run.Answer{}, ctx.Err()
	}
}

// fails is an answer that is an error.
func fails(err error) func(context.Context, run.Call) (run.Answer, error) {
	return func(context.Context, run.Call) (run.Answer, error) { return run.Answer{}, err }
}

var (
	errSecret = errors.New("the password is 1234")
	errNoSuch = fault.New(fault.CapabilityUnknown, "no capability host:test/nope; did you mean host:test/echo?")
)

// parsed returns a value from JSON that is known to be valid.
func parsed(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
