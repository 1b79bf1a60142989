package app

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// Run carries out one request in a fresh sandbox. See ports.Runner.
func (w *Workspace) Run(ctx context.Context, req run.Request) (run.Outcome, error) {
	job, left, err := w.job(req)
	if err != nil {
		return run.Outcome{}, err
	}
	clock := w.runtime.deps.Clock
	started := clock.Now()
	b := newBridge(w, job.Limits, req.Output)
	report, err := w.runtime.deps.Sandbox.Run(ctx, job, b)
	if flushErr := b.printer.flush(ctx); err == nil && flushErr != nil {
		err = w.runtime.hide(flushErr)
	}
	if err != nil {
		return run.Outcome{}, err
	}
	out := b.outcome()
	out.Value, out.Failure, out.Work = report.Value, report.Failure, report.Work
	out.Notes = append(report.Notes, out.Notes...)
	if left > 0 && out.Failure != nil && !out.Failure.Stopped() {
		out.Notes = append(out.Notes, run.Note{Text: fmt.Sprintf(
			"%d names of tools did not exist in this run, which can have %d that it does not write out; call_tool(id, {...}) calls every tool", left, capability.MaxUnwritten)})
	}
	out.Duration = clock.Now().Sub(started)
	out.Backend = w.runtime.backend
	return out, nil
}

// job completes and checks a request. left is how many names of capabilities the
// snippet may miss.
func (w *Workspace) job(req run.Request) (job run.Job, left int, err error) {
	r := w.runtime
	limits := r.caps.Run
	if err := r.CheckBackend(req.Backend); err != nil {
		return run.Job{}, 0, err
	}
	switch {
	case req.Timeout < 0:
		return run.Job{}, 0, fault.New(fault.ArgsInvalid, "the timeout is %v; give more than 0", req.Timeout)
	case int64(len(req.Code)) > limits.Code:
		return run.Job{}, 0, fault.New(fault.ArgsTooLarge, "the code has %d bytes, the limit is %d; pass data as inputs instead of literals", len(req.Code), limits.Code)
	case !utf8.ValidString(req.Code):
		return run.Job{}, 0, fault.New(fault.ArgsInvalid, "the code is not UTF-8 text; save the file as UTF-8")
	case strings.ContainsRune(req.Code, 0):
		return run.Job{}, 0, fault.New(fault.ArgsInvalid, "the code holds a null character; Python source cannot")
	}
	if req.Timeout > 0 {
		limits.Time = min(limits.Time, req.Timeout)
	}
	index := r.catalog.Load().index
	names, err := inputNames(req.Inputs)
	if err != nil {
		return run.Job{}, 0, err
	}
	if err := index.CheckInputs(names); err != nil {
		return run.Job{}, 0, err
	}
	inputs, err := gatherInputs(req, limits)
	if err != nil {
		return run.Job{}, 0, err
	}
	file := req.File
	if file == "" {
		file = "<snippet>"
	}
	mentions, left := index.Mentioned(req.Code, names...)
	return run.Job{
		Code: req.Code, File: file, Inputs: inputs, Bindings: bindings(mentions), Limits: limits,
	}, left, nil
}

// CheckBackend reports a sandbox that this runtime does not have; "" stands for
// the one that it has.
func (r *Runtime) CheckBackend(name string) error {
	if name != "" && name != r.backend {
		return fault.New(fault.BackendUnknown, "unknown backend %.60q; the one that exists is %q", name, r.backend)
	}
	return nil
}

// inputNames returns the names that a client gives its inputs.
func inputNames(inputs canon.Value) ([]string, error) {
	if kind := inputs.Kind(); !inputs.IsNull() && kind != canon.KindObject {
		return nil, fault.New(fault.ArgsInvalid, "the inputs are one %v; give an object of names and values", kind)
	}
	var names []string
	for name := range inputs.Members() {
		names = append(names, name)
	}
	return names, nil
}

// gatherInputs joins the client's inputs and `previous` into one object.
func gatherInputs(req run.Request, limits limit.Run) (canon.Value, error) {
	if size := int64(req.Inputs.Len() + req.Previous.Len()); size > limits.Inputs {
		return canon.Value{}, fault.New(fault.ArgsTooLarge, "the inputs have %d bytes, the limit is %d; pass fewer, or save them as a result and pass the handle", size, limits.Inputs)
	}
	// An encoder keeps its first error until Value.
	enc := canon.NewEncoder(canon.Options{})
	_ = enc.BeginObject()
	_ = enc.Key("previous")
	_ = enc.Embed(req.Previous)
	for name, value := range req.Inputs.Members() {
		_ = enc.Key(name)
		_ = enc.Embed(value)
	}
	_ = enc.EndObject()
	return enc.Value()
}

func bindings(mentions []capability.Mention) []run.Binding {
	list := make([]run.Binding, len(mentions))
	for i, m := range mentions {
		list[i] = run.Binding{Name: m.Name, ID: m.ID.String()}
	}
	return list
}
