package extismbox

import (
	"context"
	"errors"
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// carryOut makes a call and waits for what comes of it.
func (x *execution) carryOut(ctx context.Context, h *hostCall, args canon.Value) {
	h.begun.Store(int64(time.Since(x.begun)))
	var answer run.Answer
	err := errGoexit
	defer func() {
		x.calls.dismiss(h.carries)
		if !x.settle(h, answer, err) {
			x.calls.crew.rejoin()
		}
	}()
	if ctx.Err() != nil { // given up while it waited for its turn
		err = ctx.Err()
		return
	}
	err = x.guard(func() (err error) {
		answer, err = x.bridge.Call(ctx, run.Call{Name: h.name, Args: args})
		return err
	})
}

// errGoexit is what came of a call whose capability ended the goroutine, as
// the Fatal of a test does.
var errGoexit = errors.New("the goroutine of a host call was ended by runtime.Goexit")

// patience is how much longer a call may take before it is left behind. Before
// its turn that is all of it.
func (x *execution) patience(h *hostCall) time.Duration {
	most := x.job.Limits.CallTime + heed
	if begun := time.Duration(h.begun.Load()); begun > 0 {
		most -= time.Since(x.begun) - begun
	}
	return most
}

// leaveBehind answers a call in the place of a capability that does not heed
// the end of its context.
func (x *execution) leaveBehind(h *hostCall) {
	if more := x.patience(h); more > 0 {
		x.calls.mu.Lock()
		defer x.calls.mu.Unlock()
		h.late.Reset(more)
		return
	}
	late := fault.New(fault.CallTimeout, "%.120s took longer than the limit on one call, %v; ask it for less", h.name, x.job.Limits.CallTime)
	if !x.settle(h, run.Answer{}, late) {
		return
	}
	x.calls.crew.leaveBehind()
	if x.ctx.Err() == nil {
		x.slot.engine.logger.Warn("a call does not heed the end of its context and is left behind", "capability", h.name)
	}
}

// settle records what came of a call, and reports whether that counts: what
// comes later does not.
func (x *execution) settle(h *hostCall, answer run.Answer, err error) bool {
	if h.settled.Swap(true) {
		return false
	}
	h.cancel()
	h.answer, h.err, h.size = answer, err, answer.Size()
	if h.state.CompareAndSwap(running, answered) {
		return true
	}
	c := &x.calls
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.late != nil {
		h.late.Stop()
	}
	if h.done {
		return true
	}
	if c.held += h.size; c.held > c.room {
		c.held -= h.size
		h.answer, h.size = run.Answer{}, 0
		h.err = fault.New(fault.ToolFailed,
			"the answers that wait to be collected hold more than %d bytes: await earlier calls before making more", c.room)
	}
	h.state.Store(answered)
	c.ready = append(c.ready, h.id)
	select {
	case c.news <- struct{}{}:
	default:
	}
	return true
}
