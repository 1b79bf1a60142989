package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

func ownDescriptor(t *testing.T) capability.Descriptor {
	t.Helper()
	return capability.Own()[0]
}

// jobs returns a script that records the job that it is given.
func jobs(got *run.Job) script {
	return func(_ context.Context, job run.Job, _ ports.Bridge) (run.Report, error) {
		*got = job
		return run.Report{Work: 7}, nil
	}
}

func TestJobIsTheRequestMadeComplete(t *testing.T) {
	is := is.New(t)
	var got run.Job
	w := newWorld(t, jobs(&got), nil, tool(t, "one", one)).workspace(t)
	out := do(t, w, run.Request{
		Code: "await app.one()", Inputs: value(t, `{"rows": [1]}`), Previous: value(t, `"res_x"`), Timeout: time.Second,
	})
	is.Equal(got.File, "<snippet>")                                              // the default name
	is.Equal(string(got.Inputs.Bytes()), `{"previous":"res_x","rows":[1]}`)      // previous is an input of ours
	is.Equal(got.Bindings, []run.Binding{{Name: "app.one", ID: "host:app/one"}}) // what the code mentions
	is.Equal(got.Limits.Time, time.Second)                                       // the shorter limit
	is.Equal(out.Backend, "extism")                                              //
	is.Equal(out.Work, uint64(7))                                                //
	do(t, w, run.Request{Timeout: time.Hour})
	is.Equal(got.Limits.Time, limit.Defaults().Run.Time) // a request cannot lengthen it
}

func TestRequestsThatCannotRun(t *testing.T) {
	for _, c := range []struct {
		name string
		req  run.Request
		code fault.Code
		says string
	}{
		{"another backend", run.Request{Backend: "monty"}, fault.BackendUnknown, `"extism"`},
		{"a negative timeout", run.Request{Timeout: -1}, fault.ArgsInvalid, "more than 0"},
		{"too much code", run.Request{Code: strings.Repeat("#", 101)}, fault.ArgsTooLarge, "the limit is 100"},
		{"code that is not text", run.Request{Code: "\xff"}, fault.ArgsInvalid, "UTF-8"},
		{"code with a null character", run.Request{Code: "1\x00"}, fault.ArgsInvalid, "null character"},
		{"inputs that are a list", run.Request{Inputs: value(t, `[1]`)}, fault.ArgsInvalid, "object"},
		{"too many inputs", run.Request{Inputs: value(t, `{"a":"`+strings.Repeat("x", 200)+`"}`)}, fault.ArgsTooLarge, "the limit is 200"},
		{"an input with a reserved name", run.Request{Inputs: value(t, `{"save_result":1}`)}, fault.ArgsInvalid, "save_result"},
		{"an input called previous", run.Request{Inputs: value(t, `{"previous":1}`)}, fault.ArgsInvalid, "previous"},
		{"an input that hides a namespace", run.Request{Inputs: value(t, `{"app":1}`)}, fault.ArgsInvalid, "host:app/one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			var got run.Job
			w := newWorld(t, jobs(&got), func(caps *limit.Caps) { caps.Run.Code, caps.Run.Inputs = 100, 200 }, tool(t, "one", one))
			_, err := w.workspace(t).Run(t.Context(), c.req)
			is.Equal(fault.CodeOf(err), c.code)
			is.True(strings.Contains(err.Error(), c.says)) // names the limit or the way out
		})
	}
}

func TestSandboxErrorIsAnError(t *testing.T) {
	is := is.New(t)
	broken := errors.New("no memory left on the host")
	w := newWorld(t, func(context.Context, run.Job, ports.Bridge) (run.Report, error) { return run.Report{}, broken }, nil)
	_, err := w.workspace(t).Run(t.Context(), run.Request{})
	is.True(errors.Is(err, broken))
}

func TestClosedRuntimeMakesNoWorkspace(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, relay(), nil)
	is.NoErr(w.runtime.Close())
	_, err := w.runtime.NewWorkspace()
	is.True(err != nil)         // nothing outlives the runtime
	is.NoErr(w.runtime.Close()) // closing again does no harm
}
