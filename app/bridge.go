package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// bridge is one run's door to the host. It counts and limits what the run does
// and records what the outcome tells of it.
type bridge struct {
	workspace *Workspace
	catalog   *catalog
	limits    limit.Run
	printer   printer
	slots     chan struct{} // one for each call in flight

	mu             sync.Mutex // guards what follows
	calls          int
	results        []run.Pointer
	artifacts      []run.Pointer
	notes          []run.Note
	stdout, stderr *run.Recorder
}

var _ ports.Bridge = (*bridge)(nil)

func newBridge(w *Workspace, limits limit.Run, output run.Output) *bridge {
	return &bridge{
		workspace: w, catalog: w.runtime.catalog.Load(), limits: limits, printer: printer{output: output},
		slots:  make(chan struct{}, limits.InFlight),
		stdout: run.NewRecorder(limits.OutputKept), stderr: run.NewRecorder(limits.OutputKept),
	}
}

// Call carries out one call within the run's quotas.
func (b *bridge) Call(ctx context.Context, call run.Call) (run.Answer, error) {
	if err := b.count(); err != nil {
		return run.Answer{}, err
	}
	answer, err := b.dispatch(ctx, call)
	if err != nil {
		return b.content(answer), b.explain(ctx, call, err)
	}
	if size := answer.Size(); size > b.limits.Answer {
		return run.Answer{}, fault.New(fault.ToolFailed, "%.120s answered %d bytes, the limit is %d; ask it for less, such as one page or fewer fields", call.Name, size, b.limits.Answer)
	}
	b.note(answer.Notes)
	return answer, nil
}

// heed is how long a capability may go on after its time is over before the
// call does not count as one in flight any more. Nothing can end it.
const heed = 250 * time.Millisecond

// timed limits the time of one call, if the run itself does not end earlier. end
// gives back the call's slot.
func (b *bridge) timed(ctx context.Context) (timed context.Context, end func()) {
	giveBack := func() { <-b.slots }
	if runEnds, ok := ctx.Deadline(); ok && time.Until(runEnds) <= b.limits.CallTime {
		return ctx, giveBack
	}
	once := sync.OnceFunc(giveBack)
	timed, cancel := context.WithTimeout(ctx, b.limits.CallTime)
	stop := context.AfterFunc(timed, func() { time.AfterFunc(heed, once) })
	return timed, func() { stop(); cancel(); once() }
}

// content returns what a failed tool said besides its message, if it is not too
// large.
func (b *bridge) content(answer run.Answer) run.Answer {
	if int64(answer.Value.Len()) > b.limits.Answer {
		return run.Answer{}
	}
	return run.Answer{Value: answer.Value}
}

func (b *bridge) count() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls >= b.limits.Calls {
		return fault.New(fault.CallsTooMany, "the run made all of its %d calls; ask for more in each call, or go on in another run", b.limits.Calls)
	}
	b.calls++
	return nil
}

func (b *bridge) note(notes []run.Note) {
	if len(notes) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, notes...)
}

// dispatch finds who answers the call and asks them.
func (b *bridge) dispatch(ctx context.Context, call run.Call) (run.Answer, error) {
	d, err := b.catalog.index.Lookup(call.Name)
	if err != nil {
		return run.Answer{}, err
	}
	if call.Payload.IsZero() {
		if err := b.workspace.runtime.checks.validate(d, call.Args); err != nil {
			return run.Answer{}, err
		}
	}
	if d.ID.Kind() == capability.Toolplane {
		return b.builtin(d, call)
	}
	return b.ask(ctx, d.ID, call)
}

// ask has a source answer, in a place among the calls in flight and within the time
// of one call. What is answered here needs no place: a save has the whole snippet
// wait.
func (b *bridge) ask(ctx context.Context, id capability.ID, call run.Call) (run.Answer, error) {
	select {
	case b.slots <- struct{}{}:
	case <-ctx.Done():
		return run.Answer{}, ctx.Err()
	}
	timed, end := b.timed(ctx)
	defer end()
	answer, err := guarded(timed, b.catalog.owner[id], id, call.Args)
	if _, said := errors.AsType[*fault.Fault](err); err != nil && !said && ctx.Err() == nil && timed.Err() != nil {
		err = fault.Wrap(err, fault.CallTimeout, "%.120s took longer than the limit on one call, %v; ask it for less", call.Name, b.limits.CallTime)
	}
	return answer, err
}

// guarded calls a source. A panic is an error, whose text is for the log.
func guarded(ctx context.Context, source ports.Source, id capability.ID, args canon.Value) (answer run.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in %s: %v\n%s", id, p, debug.Stack())
		}
	}()
	return source.Call(ctx, id, args)
}

// explain turns an error into the fault that the snippet sees. The run's own
// end passes through, so that the sandbox knows it.
func (b *bridge) explain(ctx context.Context, call run.Call, err error) error {
	if _, ok := errors.AsType[*fault.Fault](err); ok {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return b.workspace.runtime.hide(err, "capability", call.Name)
}

// hide logs an error that is nobody's business but ours and returns a fault
// that names the entry in the log.
func (r *Runtime) hide(err error, args ...any) *fault.Fault {
	var random [6]byte
	id := "unknown"
	if r.deps.Entropy.Fill(random[:]) == nil {
		id = hex.EncodeToString(random[:])
	}
	r.deps.Logger.Error("internal error", append([]any{slog.String("id", id), slog.Any("error", err)}, args...)...)
	return fault.Wrap(err, fault.InternalError, "internal error %s; the host's log says more", id)
}

// Print records what the snippet prints and passes it on.
func (b *bridge) Print(stream run.Stream, text []byte) error {
	if err := b.record(stream, text); err != nil {
		return err
	}
	return b.printer.print(stream, text)
}

func (b *bridge) record(stream run.Stream, text []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if total := b.stdout.Size() + b.stderr.Size() + int64(len(text)); total > b.limits.OutputTotal {
		return fault.New(fault.OutputTooLarge, "the run printed more than its limit of %d bytes; print less, and save or return data instead", b.limits.OutputTotal)
	}
	recorder := b.stdout
	if stream == run.Stderr {
		recorder = b.stderr
	}
	recorder.Write(text)
	return nil
}

// outcome tells what the run did. It is called once the sandbox is done.
func (b *bridge) outcome() run.Outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	stderr := b.stderr.Text().Fit(b.limits.OutputKept / 2)
	return run.Outcome{
		Stdout: b.stdout.Text().Fit(b.limits.OutputKept - stderr.Kept()), Stderr: stderr,
		Results: b.results, Artifacts: b.artifacts, Notes: b.notes, Calls: b.calls,
	}
}

// saved records what the outcome points to.
func (b *bridge) saved(p run.Pointer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.Handle.Kind() == handle.Artifact {
		b.artifacts = append(b.artifacts, p)
		return
	}
	b.results = append(b.results, p)
}
