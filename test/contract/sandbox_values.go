package contract

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/fault"
	"toolplane/domain/run"
)

func valueComesBack(t *testing.T, b *box) {
	is := is.New(t)
	for python, want := range map[string]string{
		`{"b": [1, 2.5, "é", None, True], "a": {}}`: `{"b":[1,2.5,"é",null,true],"a":{}}`,
		`9007199254740993000000001`:                 `9007199254740993000000001`,
		`"text with \"quotes\" and é"`:              `"text with \"quotes\" and é"`,
		`[]`:                                        `[]`,
		`return False`:                              `false`,
	} {
		is.Equal(b.value(t, b.job(python, "value "+want), &bridge{}), want) // the value
	}
}

func noValueIsNull(t *testing.T, b *box) {
	is := is.New(t)
	is.Equal(b.value(t, b.job("pass", ""), &bridge{}), "null") // null
}

func printsArriveAsTheyCome(t *testing.T, b *box) {
	is := is.New(t)
	job := b.job(`
import sys
print("one")
await call_tool("host:test/a", {})
print("two", file=sys.stderr)
print("drei é")
await call_tool("host:test/b", {})
`, "print one\ncall host:test/a {}\neprint two\nprint drei é\ncall host:test/b {}")
	var got bridge
	b.run(t, job, &got)
	want := []string{"out: one\n", "call: host:test/a {}", "err: two\n", "out: drei é\n", "call: host:test/b {}"}
	is.Equal(strings.Join(got.events, "|"), strings.Join(want, "|")) // in order
}

func inputsAreThere(t *testing.T, b *box) {
	is := is.New(t)
	job := b.job("[rows, name]", "input rows")
	job.Inputs = parsed(t, `{"rows":[1,{"x":2}],"name":"é"}`)
	want := b.snippet(`[[1,{"x":2}],"é"]`, `[1,{"x":2}]`)
	is.Equal(b.value(t, job, &bridge{}), want) // the inputs
}

func bindingsAndIDsCall(t *testing.T, b *box) {
	is := is.New(t)
	job := b.job(`
first = await echo(n=1, text="é")
second = await call_tool("host:test/echo", {"n": 2})
[first, second]
`, `call echo {"n":1,"text":"é"}`+"\n"+`call host:test/echo {"n":2}`)
	job.Bindings = []run.Binding{{Name: "echo", ID: "host:test/echo"}}
	var got bridge
	value := b.value(t, job, &got)
	is.Equal(value, b.snippet(`[{"n":1,"text":"é"},{"n":2}]`, `{"n":2}`)) // both answers
	is.Equal(got.events, []string{                                        // both calls
		`call: host:test/echo {"n":1,"text":"é"}`, `call: host:test/echo {"n":2}`,
	})
}

func answersComeBack(t *testing.T, b *box) {
	is := is.New(t)
	large := `{"rows":[` + strings.Repeat(`{"n":1234567890123456789,"f":-0.5,"t":"aé\n"},`, 20_000) + `null]}`
	for _, want := range []string{`1`, `"text"`, `{"a":[1,null,"é"]}`, large} {
		answer := parsed(t, want)
		job := b.job(`await call_tool("host:test/get", {})`, "call host:test/get {}")
		got := b.value(t, job, &bridge{answer: func(context.Context, run.Call) (run.Answer, error) {
			return run.Answer{Value: answer}, nil
		}})
		is.True(got == string(answer.Bytes())) // unchanged
	}
}

func errorsAreCatchable(t *testing.T, b *box) {
	is := is.New(t)
	for _, f := range []*fault.Fault{
		errNoSuch,
		fault.New(fault.ToolFailed, "quota exceeded"),
		fault.New(fault.CallDenied, "not for you"),
		fault.New(fault.ArgsInvalid, "n must be an integer"),
		fault.New(fault.CallTimeout, "too slow"),
		fault.New(fault.CallsTooMany, "no more"),
	} {
		job := b.job(`
try:
    await call_tool("host:test/nope", {})
except Exception as e:
    for kind in ValueError, PermissionError, LookupError, TimeoutError, ToolError, RuntimeError:
        if isinstance(e, kind):
            return kind.__name__ + ": " + str(e)
`, "catch host:test/nope {}")
		got := b.value(t, job, &bridge{answer: fails(f)})
		is.Equal(got, string(text(t, f.Class().Builtin()+": "+f.Error()))) // type and message
	}
}

func uncaughtFaultKeepsCode(t *testing.T, b *box) {
	is := is.New(t)
	f := b.failure(t, b.job(`await call_tool("host:test/nope", {})`, "call host:test/nope {}"), &bridge{answer: fails(errNoSuch)})
	is.Equal(f.Code, fault.CapabilityUnknown)               // the code
	is.True(strings.Contains(f.Message, errNoSuch.Error())) // the message
	is.True(!f.Stopped())                                   // it was not stopped
}

func defectsAreHidden(t *testing.T, b *box) {
	is := is.New(t)
	f := b.failure(t, b.job(`await call_tool("host:test/a", {})`, "call host:test/a {}"), &bridge{answer: fails(errSecret)})
	is.Equal(f.Code, fault.InternalError)                                // a defect
	is.True(!strings.Contains(f.Message+f.Traceback, errSecret.Error())) // that tells nothing
}

func bridgePanicIsSurvived(t *testing.T, b *box) {
	is := is.New(t)
	f := b.failure(t, b.job(`await call_tool("host:test/a", {})`, "call host:test/a {}"),
		&bridge{answer: func(context.Context, run.Call) (run.Answer, error) { panic("boom") }})
	is.Equal(f.Code, fault.InternalError)         // a defect
	is.True(!strings.Contains(f.Message, "boom")) // that tells nothing
	b.healthy(t)
}

func endOfAGoroutineIsSurvived(t *testing.T, b *box) {
	is := is.New(t)
	f := b.failure(t, b.job(`await call_tool("host:test/a", {})`, "call host:test/a {}"),
		&bridge{answer: func(context.Context, run.Call) (run.Answer, error) {
			runtime.Goexit()
			return run.Answer{}, nil
		}})
	is.Equal(f.Code, fault.InternalError) // a defect
	b.healthy(t)
}

func largeArgumentsAreRefused(t *testing.T, b *box) {
	is := is.New(t)
	job := b.job(`await call_tool("host:test/a", {"text": "x" * 1000})`, `call host:test/a {"text":"`+strings.Repeat("x", 1000)+`"}`)
	job.Limits.Args = 900
	var got bridge
	is.Equal(b.failure(t, job, &got).Code, fault.ArgsTooLarge) // refused
	is.Equal(len(got.calls), 0)                                // before the bridge
}

func savesReachTheBridge(t *testing.T, b *box) {
	is := is.New(t)
	job := b.job(`
await save_result({"rows": [1, 2]})
await save_artifact(b"bytes")
`, `save {"rows":[1,2]}`+"\nkeep bytes")
	got := bridge{answer: func(context.Context, run.Call) (run.Answer, error) {
		return run.Answer{Value: parsed(t, `"res_handle"`), Text: true}, nil
	}}
	b.value(t, job, &got)
	is.Equal(len(got.calls), 2)                                     // both
	is.Equal(string(got.calls[0].Payload.Data()), `{"rows":[1,2]}`) // a result is JSON
	is.Equal(got.calls[0].Name, "toolplane:results/save")           // under its id
	is.Equal(string(got.calls[1].Payload.Data()), "bytes")          // an artifact is bytes
	is.Equal(got.calls[1].Name, "toolplane:artifacts/save")         // under its id
}

func failureSaysWhatAndWhere(t *testing.T, b *box) {
	is := is.New(t)
	f := b.failure(t, b.job("x = 1\nraise KeyError('lost é')\n", "value 1\nraise KeyError 'lost é'"), &bridge{})
	is.Equal(f.Type, "KeyError")                     // what
	is.Equal(f.Message, "'lost é'")                  // in its words
	is.Equal(f.Line, 2)                              // where
	is.True(strings.Contains(f.Traceback, "line 2")) // and how it came there
	is.Equal(f.Code, fault.Code(""))                 // the snippet's own
	is.True(!f.Stopped())                            // not from outside
}

func notesAreReported(t *testing.T, b *box) {
	is := is.New(t)
	report := b.run(t, b.job("x = 1", "note the last statement is an assignment"), &bridge{})
	is.True(slices.ContainsFunc(report.Notes, func(n run.Note) bool { return strings.Contains(n.Text, "assignment") })) // noted
}

func callsOverlap(t *testing.T, b *box) {
	const n = 10
	is := is.New(t)
	job := b.job(`
import asyncio
len(await asyncio.gather(*[call_tool("host:test/meet", {}) for _ in range(10)]))
`, "gather 10 host:test/meet {}\nvalue 10")
	var all sync.WaitGroup
	all.Add(n)
	got := b.value(t, job, &bridge{answer: func(context.Context, run.Call) (run.Answer, error) {
		all.Done()
		all.Wait() // only when all are in flight
		return run.Answer{}, nil
	}})
	is.Equal(got, "10") // all answered
}

func runsOverlap(t *testing.T, b *box) {
	const n = 6
	var meeting, all sync.WaitGroup
	meeting.Add(n)
	for i := range n {
		all.Go(func() {
			job := b.job(`
before = mine
await call_tool("host:test/meet", {})
[before, mine]
`, "set x 1\ncall host:test/meet {}\ninput mine")
			job.Inputs = parsed(t, `{"mine":`+strconv.Itoa(i)+`}`)
			report, err := b.Run(t.Context(), job, &bridge{answer: func(context.Context, run.Call) (run.Answer, error) {
				meeting.Done()
				meeting.Wait()
				return run.Answer{}, nil
			}})
			own := strconv.Itoa(i)
			want := b.snippet("["+own+","+own+"]", own)
			if got := string(report.Value.Bytes()); err != nil || got != want {
				t.Errorf("run %d ends with %s and %v %v", i, got, report.Failure, err)
			}
		})
	}
	all.Wait()
}

func everyRunIsFresh(t *testing.T, b *box) {
	is := is.New(t)
	spoil := b.job(`
import sys, os, builtins, json, asyncio
mine = 1
sys.modules["mine"] = sys
sys.path.append("/mine")
os.environ["MINE"] = "1"
builtins.len = lambda _: 99
json.dumps = None
asyncio.mine = 1
call_tool = None
`, "set mine 1")
	look := b.job(`
import sys, os, builtins, json, asyncio
[
    "mine" in globals(), "mine" in sys.modules, "/mine" in sys.path, "MINE" in os.environ,
    len([1, 2]), json.dumps([1]), hasattr(asyncio, "mine"), await call_tool("host:test/echo", {}),
]
`, "get mine")
	want := b.snippet(`[false,false,false,false,2,"[1]",false,{}]`, "null")
	for range 3 {
		b.value(t, spoil, &bridge{})
		is.Equal(b.value(t, look, &bridge{}), want) // nothing of it
	}
}

// text returns a string as JSON.
func text(t *testing.T, s string) []byte {
	t.Helper()
	return parsed(t, strconv.Quote(s)).Bytes()
}
