package extismbox

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"runtime/debug"
	"time"

	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// execution is one call into a guest, from beginning to end. Everything but the
// calls that it started runs on the guest's own goroutine.
type execution struct {
	slot    *Slot
	job     *run.Job
	bridge  ports.Bridge
	ctx     context.Context // of host calls; ends at the first stop
	cancel  context.CancelFunc
	inbound []byte // the message that the guest fetches next
	code    []byte // of the snippet, where it is known
	reply   reply
	calls   calls
	stops   stops
	silent  bool   // the bridge has refused to print
	work    uint64 // ticks: each is tickPeriod iterations of loops
	begun   time.Time
	yielded time.Time
}

func newExecution(ctx context.Context, s *Slot, job *run.Job, bridge ports.Bridge) *execution {
	x := &execution{slot: s, job: job, bridge: bridge}
	now := time.Now()
	x.stops = stops{deadline: now.Add(job.Limits.Time), given: ctx.Done()}
	x.begun, x.yielded = now, now
	x.ctx, x.cancel = context.WithDeadline(ctx, x.stops.deadline)
	x.calls.begin(job.Limits, s.engine)
	return x
}

// end ends every call that the guest started and waits for them, but not for
// ever.
func (x *execution) end() {
	x.cancel()
	if n := x.calls.crew.end(); n > 0 {
		x.slot.engine.logger.Warn("calls do not heed the end of their context and are left behind", "calls", n)
	}
}

// errRange is the panic of a guest that hands out a range outside its memory.
var errRange = errors.New("a range outside the memory")

// view returns the guest's memory at a range that the guest gave. The
// arguments are as wazero passes them: only their low 32 bits count.
func (x *execution) view(p, n uint64) []byte {
	v, ok := x.slot.main.View(uint32(p), uint32(n))
	if !ok {
		panic(errRange)
	}
	return v
}

// print passes on what the snippet printed, until the bridge refuses.
func (x *execution) print(stream run.Stream, text []byte) {
	if len(text) == 0 || x.silent {
		return
	}
	err := x.guard(func() error { return x.bridge.Print(stream, text) })
	if err != nil {
		x.silent = true
		x.stop(x.faultOf(err))
	}
}

// guard turns a panic of the bridge into an error.
func (x *execution) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &bridgePanic{value: p, stack: debug.Stack()}
		}
	}()
	return f()
}

// bridgePanic is a panic in a host call.
type bridgePanic struct {
	value any
	stack []byte
}

func (p *bridgePanic) Error() string { return "panic in a host call" }

// faultOf classifies an error of the bridge: one that is no fault says more
// than a snippet may know, and goes to the log under an id. A call that ended
// because the run must stop begins the stop.
func (x *execution) faultOf(err error) *fault.Fault {
	if f, ok := errors.AsType[*fault.Fault](err); ok {
		return f
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		if f := x.stops.reason(x.job, time.Now()); f != nil {
			x.stop(f)
			return f
		}
		return fault.New(fault.CallTimeout, "the call was ended before it was answered")
	}
	id := defectID()
	attrs := []any{slog.String("id", id), slog.Any("error", err)}
	if p, ok := errors.AsType[*bridgePanic](err); ok {
		attrs = append(attrs, slog.Any("panic", p.value), slog.String("stack", string(p.stack)))
	}
	x.slot.engine.logger.Error("a host call failed", attrs...)
	return fault.Wrap(err, fault.InternalError, "internal error %s: details are in the host's log", id)
}

// defectID returns a name under which the log tells what a message hides.
func defectID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // it never fails
	return "E" + hex.EncodeToString(b[:])
}

// preparation is the job of a call that runs no snippet.
func preparation(most time.Duration) run.Job {
	limits := limit.Defaults().Run
	limits.Time = most
	return run.Job{Limits: limits}
}
