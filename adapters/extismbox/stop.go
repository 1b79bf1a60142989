package extismbox

import (
	"encoding/binary"
	"errors"
	"runtime"
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

	// softInterval is the time between two soft stops, droppedInterval that after
	// one that the snippet has caught and let go, and mostSwallowed how many of
	// them it may get and go on before the hard stop comes early: one for each of
	// the blocks that tidy up around where it was.
	softInterval    = 10 * time.Millisecond
	droppedInterval = 500 * time.Microsecond
	mostSwallowed   = 3

	// yieldInterval is the time after which a guest lets others run, while all
	// processors run guests: Go itself would wait 10 ms, timers included.
	yieldInterval = 500 * time.Microsecond
)

// errStopped is the panic of the hard stop.
var errStopped = errors.New("stopped")

// stops is what ends an execution early.
type stops struct {
	deadline  time.Time
	cause     *fault.Fault // why it is being stopped; nil while it may go on
	next      time.Time    // of the next soft stop
	hard      time.Time    // of the hard stop
	shielded  bool         // the guest reports its error: no more soft stops
	signalled bool         // there was a soft stop
	swallowed int          // soft stops that the guest has got

	given <-chan struct{} // closed when the client gives up
}

// givenUp reports whether the client has cancelled the run.
func (s *stops) givenUp() bool {
	select {
	case <-s.given:
		return true
	default:
		return false
	}
}

// reason returns why the execution must stop at the given time, nil if it need
// not.
func (s *stops) reason(job *run.Job, now time.Time) *fault.Fault {
	switch {
	case s.cause != nil:
		return s.cause
	case s.givenUp():
		return cancelled()
	case !now.Before(s.deadline):
		return fault.New(fault.RunTimeout, "the run took longer than its limit of %v: do less in one run, or give it more time", job.Limits.Time)
	default:
		return nil
	}
}

// hasten brings the next soft stop forward: the snippet is done with the last one,
// and goes on.
func (s *stops) hasten(now time.Time) {
	if soon := now.Add(droppedInterval); soon.Before(s.next) {
		s.next = soon
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
func (x *execution) stop(cause *fault.Fault) {
	if x.stops.cause != nil {
		return
	}
	grace := cancelGrace
	if cause.Code() == fault.RunTimeout {
		grace = timeoutGrace
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
		if now.Before(s.deadline) && !s.givenUp() {
			return
		}
		x.stop(s.reason(x.job, now))
	}
	if !now.Before(s.hard) {
		panic(errStopped)
	}
	if !s.shielded && !now.Before(s.next) {
		s.next = now.Add(softInterval)
		x.signal()
		if s.swallowed > mostSwallowed {
			panic(errStopped)
		}
	}
}

// due reports whether check has something to do.
func (x *execution) due() bool {
	s := &x.stops
	return s.cause == nil && s.givenUp() || !time.Now().Before(s.wake())
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
	tripped := word(at.isTripped)
	if x.stops.signalled && binary.LittleEndian.Uint32(tripped) == 0 {
		x.stops.swallowed++
	}
	x.stops.signalled = true
	binary.LittleEndian.PutUint32(word(at.interrupt), 1)
	binary.LittleEndian.PutUint32(tripped, 1)
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
	}
	return !time.Now().Before(end)
}
