// Package fakebox is a ports.Sandbox without an interpreter, for tests of what
// uses sandboxes.
//
// What a run does is a Go function, its Behaviour; Script is one that reads the
// job's code as a small language. Around it the sandbox keeps the promises of
// the port that concern stopping: deadline, cancellation, refused printing,
// traps (a panic of the behaviour) and Close. It passes the same contract suite
// as the real one.
package fakebox

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Behaviour is what a run does. It must end soon after ctx does; what it then
// reports does not count. A panic is a trap of the interpreter.
type Behaviour func(ctx context.Context, job run.Job, bridge ports.Bridge) (run.Report, error)

// Sandbox carries out behaviours. It may be shared.
type Sandbox struct {
	behaviour Behaviour
	life      context.Context // ends when the sandbox closes
	end       context.CancelFunc

	mu     sync.Mutex
	closed bool
	runs   sync.WaitGroup
}

var _ ports.Sandbox = (*Sandbox)(nil)

var errClosed = errors.New("the sandbox is closed")

// New returns a sandbox in which every run behaves in the same way.
func New(behaviour Behaviour) *Sandbox {
	s := &Sandbox{behaviour: behaviour}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// Run carries out a job; see ports.Sandbox.
func (s *Sandbox) Run(ctx context.Context, job run.Job, bridge ports.Bridge) (run.Report, error) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return run.Report{}, errClosed
	}
	s.runs.Add(1)
	s.mu.Unlock()
	defer s.runs.Done()
	if err := job.Limits.Validate(); err != nil {
		return run.Report{}, err
	}

	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(s.life, func() { stop(context.Canceled) })()
	ctx, cancel := context.WithTimeoutCause(ctx, job.Limits.Time, fault.New(fault.RunTimeout,
		"the run took longer than its limit of %v", job.Limits.Time))
	defer cancel()

	report, err := s.behave(ctx, job, newGuarded(bridge, job.Limits, stop))
	if ctx.Err() == nil {
		return report, err
	}
	f, ok := errors.AsType[*fault.Fault](context.Cause(ctx))
	if !ok {
		f = fault.New(fault.RunCancelled, "the run was cancelled before it ended")
	}
	return run.Report{Failure: run.Stop(f), Notes: report.Notes}, nil
}

// behave runs the behaviour and reports its panic as a trap.
func (s *Sandbox) behave(ctx context.Context, job run.Job, bridge ports.Bridge) (report run.Report, err error) {
	defer func() {
		if p := recover(); p != nil {
			report = run.Report{Failure: run.Stop(fault.New(fault.RunCrashed, "the interpreter crashed (%v)", p))}
		}
	}()
	return s.behaviour(ctx, job, bridge)
}

// Close stops the runs that go on and waits for them.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.runs.Wait()
	return nil
}

// guarded is a bridge as a sandbox shows it to a snippet.
type guarded struct {
	bridge ports.Bridge
	limits limit.Run
	slots  chan struct{} // one for each call in flight
	stop   context.CancelCauseFunc
}

func newGuarded(bridge ports.Bridge, limits limit.Run, stop context.CancelCauseFunc) *guarded {
	return &guarded{bridge: bridge, limits: limits, slots: make(chan struct{}, limits.InFlight), stop: stop}
}

// heed is how long a call may go on after its time before it is left behind.
const heed = 250 * time.Millisecond

// Call hides what is no fault.
func (g *guarded) Call(ctx context.Context, call run.Call) (run.Answer, error) {
	if n, most := int64(call.Args.Len()), g.limits.Args; n > most {
		return run.Answer{}, fault.New(fault.ArgsTooLarge, "the arguments are %d bytes, more than the limit of %d", n, most)
	}
	answer, err := g.patiently(ctx, call)
	if _, ok := errors.AsType[*fault.Fault](err); err != nil && !ok {
		err = fault.Wrap(err, fault.InternalError, "internal error")
	}
	return answer, err
}

// patiently makes a call, but does not wait for ever for one that goes on after
// its time or after ctx has ended.
func (g *guarded) patiently(ctx context.Context, call run.Call) (run.Answer, error) {
	type result struct {
		answer run.Answer
		err    error
	}
	if call.Payload.IsZero() { // a save has the snippet wait, and so takes no place
		select {
		case g.slots <- struct{}{}:
			defer func() { <-g.slots }()
		case <-ctx.Done():
			return run.Answer{}, ctx.Err()
		}
	}
	done := make(chan result, 1)
	go func() {
		r := result{err: errors.New("the goroutine of a call was ended")}
		defer func() { done <- r }()
		r.answer, r.err = g.survived(ctx, call)
	}()
	late := time.NewTimer(g.limits.CallTime + heed)
	defer late.Stop()
	defer context.AfterFunc(ctx, func() { late.Reset(heed) })()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-late.C:
		return run.Answer{}, fault.New(fault.CallTimeout, "%s took longer than the limit on one call, %v", call.Name, g.limits.CallTime)
	}
}

// survived turns a panic into an error.
func (g *guarded) survived(ctx context.Context, call run.Call) (answer run.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return g.bridge.Call(ctx, call)
}

// Print stops the run when the bridge refuses.
func (g *guarded) Print(stream run.Stream, text []byte) error {
	err := g.bridge.Print(stream, text)
	if err != nil {
		g.stop(err)
	}
	return err
}
