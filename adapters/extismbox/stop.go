package extismbox

import (
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"toolplane/domain/fault"
	"toolplane/domain/run"
)

const (
	// timeoutGrace and cancelGrace are the time from the first soft stop to the
	// hard one: for what a snippet still has to tidy up, and for an operation
	// of the interpreter that cannot be interrupted in the middle.
	timeoutGrace = 200 * time.Millisecond
	cancelGrace  = 100 * time.Millisecond

	// softInterval is the time between two soft stops, for a snippet that
	// swallows them.
	softInterval = 10 * time.Millisecond

	// yieldInterval is the time after which a guest lets others run, while all
	// processors run guests: Go itself would wait 10 ms, timers included.
	yieldInterval = 500 * time.Microsecond
)

// errStopped is the panic of the hard stop.
var errStopped = errors.New("stopped")

// stops is what ends an execution early.
type stops struct {
	deadline time.Time
	cause    *fault.Fault // why it is being stopped; nil while it may go on
	next     time.Time    // of the next soft stop
	hard     time.Time    // of the hard stop
	shielded bool         // the guest reports its error: no more soft stops

	cancelled atomic.Bool
	detach    func() bool
	given     <-chan struct{} // closed when the client cancels
}

func (s *stops) begin(ctx context.Context, deadline time.Time) {
	s.deadline = deadline
	s.given = ctx.Done()
	s.detach = context.AfterFunc(ctx, func() { s.cancelled.Store(true) })
}

func (s *stops) end() { s.detach() }

// reason returns why the execution must stop at the given time, nil if it need
// not.
func (s *stops) reason(job *run.Job, now time.Time) *fault.Fault {
	switch {
	case s.cause != nil:
		return s.cause
	case s.cancelled.Load():
		return cancelled()
	case !now.Before(s.deadline):
		return fault.New(fault.RunTimeout, "the run took longer than its limit of %v: do less in one run, or give it more time", job.Limits.Time)
	default:
		return nil
	}
}

// wake returns the time at which a blocking host call must look again.
func (s *stops) wake() time.Time {
	switch {
	case s.cause == nil:
		return s.deadline
	case s.shielded || s.hard.Before(s.next):
		return s.hard
	default:
		return s.next
	}
}

// stop begins to stop the execution: host calls end, soft stops follow.
func (x *execution) stop(cause *fault.Fault, grace time.Duration) {
	if x.stops.cause != nil {
		return
	}
	x.stops.cause = cause
	x.stops.hard = time.Now().Add(grace)
	x.cancel()
}

// check is called at every tick and at the end of every host call, on the
// guest's own goroutine: the guest's memory can be written to.
func (x *execution) check() {
	now := time.Now()
	if now.Sub(x.yielded) > yieldInterval {
		x.yield(now)
	}
	s := &x.stops
	if s.cause == nil {
		if now.Before(s.deadline) && !s.cancelled.Load() {
			return
		}
		grace := timeoutGrace
		if s.cancelled.Load() {
			grace = cancelGrace
		}
		x.stop(s.reason(x.job, now), grace)
	}
	if !now.Before(s.hard) {
		panic(errStopped)
	}
	if !s.shielded && !now.Before(s.next) {
		s.next = now.Add(softInterval)
		x.signal()
	}
}

// due reports whether check has something to do.
func (x *execution) due() bool {
	s := &x.stops
	return s.cause == nil && s.cancelled.Load() || !time.Now().Before(s.wake())
}

func (x *execution) yield(now time.Time) {
	x.yielded = now
	if int(x.slot.engine.active.Load()) >= runtime.GOMAXPROCS(0) {
		runtime.Gosched()
		x.yielded = time.Now()
	}
}

// signal has the interpreter find a SIGINT at the next instruction. While the
// guest initialises itself nobody knows where.
func (x *execution) signal() {
	at := x.slot.engine.signals
	if at == (signals{}) {
		return
	}
	word := func(address uint32) []byte { return x.view(uint64(address), 4) }
	binary.LittleEndian.PutUint32(word(at.interrupt), 1)
	binary.LittleEndian.PutUint32(word(at.isTripped), 1)
	breaker := word(at.evalBreaker)
	binary.LittleEndian.PutUint32(breaker, binary.LittleEndian.Uint32(breaker)|at.pending)
}

// sleep waits for a time, until something arrives on wake (nil for nothing) or
// until the execution has to stop. It reports whether the time has passed.
func (x *execution) sleep(d time.Duration, wake <-chan struct{}) (passed bool) {
	end := time.Now().Add(d)
	until := end
	if w := x.stops.wake(); w.Before(end) {
		until = w
	}
	given := x.stops.given
	if x.stops.cause != nil {
		given = nil // it is being stopped already
	}
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-wake:
		return false
	case <-given:
		x.stops.cancelled.Store(true)
	}
	return !time.Now().Before(end)
}
