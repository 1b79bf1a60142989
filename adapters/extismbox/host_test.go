package extismbox_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// host is a bridge that answers every call by one function.
type host struct {
	answer  func(ctx context.Context, call run.Call) (run.Answer, error) // nil echoes
	printed bytes.Buffer
}

func (h *host) Call(ctx context.Context, call run.Call) (run.Answer, error) {
	if h.answer == nil {
		return run.Answer{Value: call.Args}, nil
	}
	return h.answer(ctx, call)
}

func (h *host) Print(_ run.Stream, text []byte) error {
	h.printed.Write(text)
	return nil
}

// answers returns a host that gives the same answer to every call.
func answers(a run.Answer) *host {
	return &host{answer: func(context.Context, run.Call) (run.Answer, error) { return a, nil }}
}

func value(t *testing.T, json string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(json))
	is.New(t).NoErr(err) // the case is JSON
	return v
}

// execute runs code under limits that a test may change.
func execute(t *testing.T, box *extismbox.Sandbox, code string, h *host, change ...func(*limit.Run)) run.Report {
	t.Helper()
	limits := limit.Defaults().Run
	for _, c := range change {
		c(&limits)
	}
	report, err := box.Run(t.Context(), run.Job{Code: code, Limits: limits}, h)
	is.New(t).NoErr(err) // the sandbox does its work
	return report
}

// result is execute for a snippet that ends well; it returns the value's JSON.
func result(t *testing.T, box *extismbox.Sandbox, code string, h *host) string {
	t.Helper()
	report := execute(t, box, code, h)
	if f := report.Failure; f != nil {
		t.Fatalf("the snippet failed: %s: %s (%s)\n%s", f.Type, f.Message, f.Code, f.Traceback)
	}
	return string(report.Value.Bytes())
}

func TestAnswersArriveInTheirKind(t *testing.T) {
	box := open(t, extismbox.Options{})
	long := strings.Repeat("é", 3000)
	blob := []byte(strings.Repeat("\x00\xff", 2000))
	for _, c := range []struct {
		name   string
		answer run.Answer
		look   string
		want   string
	}{
		{"nothing", run.Answer{}, "r", "null"},
		{"text", run.Answer{Value: value(t, `"a\n\"b\""`), Text: true}, "[isinstance(r, str), r]", `[true,"a\n\"b\""]`},
		{"long text", run.Answer{Value: value(t, `"`+long+`"`), Text: true}, "[len(r), r[0], r[-1]]", `[3000,"é","é"]`},
		{"a JSON string", run.Answer{Value: value(t, `"é"`)}, "[isinstance(r, str), r]", `[true,"é"]`},
		{"bytes", run.Answer{Blobs: []run.Blob{{Data: blob}}}, "[type(r).__name__, len(r), r[1]]", `["bytes",4000,255]`},
		{"no bytes", run.Answer{Blobs: []run.Blob{{}}}, "[type(r).__name__, len(r)]", `["bytes",0]`},
		{"bytes in a value", run.Answer{
			Value: value(t, `{"images":[{"data":null},{"data":null}],"note":"é"}`),
			Blobs: []run.Blob{
				{Path: []run.Step{{Key: "images"}, {Index: 1}, {Key: "data"}}, Data: blob},
				{Path: []run.Step{{Key: "images"}, {Index: 0}, {Key: "data"}}, Data: []byte("x")},
			},
		}, "[len(i['data']) for i in r['images']]", "[1,4000]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			now := answers(c.answer)
			is.Equal(result(t, box, "r = await call_tool('host:a/b', {})\n"+c.look, now), c.want) // at once
			later := make(chan struct{})
			late := &host{answer: func(_ context.Context, call run.Call) (run.Answer, error) {
				if call.Name == "host:a/later" {
					close(later)
					return run.Answer{}, nil
				}
				<-later // the snippet has gone on meanwhile
				return c.answer, nil
			}}
			code := "call = call_tool('host:a/b', {})\nawait call_tool('host:a/later', {})\nr = await call\n"
			is.Equal(result(t, box, code+c.look, late), c.want) // collected later
		})
	}
}

func TestFailingToolsSayWhatTheyAnswered(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	h := &host{answer: func(context.Context, run.Call) (run.Answer, error) {
		return run.Answer{Value: value(t, `{"retry_after":7}`)}, fault.New(fault.ToolFailed, "quota exceeded")
	}}
	code := "try:\n    await call_tool('host:a/b', {})\nexcept ToolError as e:\n    return [str(e), e.content]"
	is.Equal(result(t, box, code, h), `["quota exceeded",{"retry_after":7}]`) // the message and the content
}

func TestLimitsOnWhatCrosses(t *testing.T) {
	box := open(t, extismbox.Options{})
	large := answers(run.Answer{Value: value(t, `"`+strings.Repeat("x", 2000)+`"`)})
	for _, c := range []struct {
		name, code string
		change     func(*limit.Run)
		want       fault.Code
		says       string
	}{
		{"value", "return 'x' * 2000", func(l *limit.Run) { l.Value = 1000 }, fault.OutputTooLarge, "limit of 1000"},
		{"JSON value", "return ['x' * 2000]", func(l *limit.Run) { l.Value = 1000 }, fault.OutputTooLarge, "limit of 1000"},
		{"answer", "await call_tool('host:a/b', {})", func(l *limit.Run) { l.Answer = 1000 }, fault.ToolFailed, "limit of 1000"},
		{"arguments", "await call_tool('host:a/b', {'x': 'x' * 2000})", func(l *limit.Run) { l.Args = 1000 }, fault.ArgsTooLarge, "limit of 1000"},
		{"pending calls", `
calls = [call_tool('host:a/b', {'i': i}) for i in range(100)]
await calls[-1]`, func(l *limit.Run) { l.Calls = 10 }, fault.CallsTooMany, "await"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			h := large
			if c.name == "pending calls" {
				h = &host{answer: func(ctx context.Context, _ run.Call) (run.Answer, error) {
					<-ctx.Done()
					return run.Answer{}, ctx.Err()
				}}
			}
			f := execute(t, box, c.code, h, c.change).Failure
			is.True(f != nil)                            // refused
			is.Equal(f.Code, c.want)                     // under its code
			is.True(strings.Contains(f.Message, c.says)) // with the limit or the way out
		})
	}
}

func TestUncollectedAnswersAreBounded(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	data := make([]byte, 10<<20-100)
	var all sync.WaitGroup
	all.Add(21)
	h := &host{answer: func(_ context.Context, call run.Call) (run.Answer, error) {
		all.Done()
		all.Wait() // none is answered at once
		if call.Name == "host:a/last" {
			return run.Answer{}, nil
		}
		return run.Answer{Blobs: []run.Blob{{Data: data}}}, nil
	}}
	code := `
import time
calls = [call_tool('host:a/b', {}) for i in range(20)]
last = call_tool("host:a/last", {})
time.sleep(0.3)
await last
refused = 0
while calls:
    try:
        await calls.pop()
    except RuntimeError as e:
        refused += "wait to be collected" in str(e)
    except MemoryError:
        pass
return refused`
	report := execute(t, box, code, h, func(l *limit.Run) { l.Memory = 100 << 20 })
	is.True(report.Failure == nil)
	is.Equal(string(report.Value.Bytes()), "10") // no more are held than the run's memory could take
}

func TestUnreadBlobsAreBounded(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	h := answers(run.Answer{Value: value(t, "[null]"), Blobs: []run.Blob{{Path: []run.Step{{Index: 0}}, Data: make([]byte, 10<<20)}}})
	code := `
import _toolplane
_toolplane.set_blobs(lambda answer: None)
refused = 0
for i in range(20):
    try:
        await call_tool('host:a/b', {})
    except RuntimeError as e:
        refused += "not fetched" in str(e)
return refused`
	report := execute(t, box, code, h, func(l *limit.Run) { l.Memory = 100 << 20 })
	is.True(report.Failure == nil)
	is.Equal(string(report.Value.Bytes()), "10") // what the guest does not read is not kept for ever
}
