package extismbox

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

const (
	// atOnce is how long a host call may take and still be answered without the
	// guest having to come back for it.
	atOnce = 20 * time.Microsecond

	// heed is how long a call may go on after its context has ended. Nothing can
	// end one that does not heed it, so then it is left behind.
	heed = 250 * time.Millisecond
)

// calls is the host calls of one execution that the guest has not collected.
type calls struct {
	most   int   // calls that may be open, or go on, at once
	room   int64 // bytes that their arguments may hold, and bytes that uncollected answers may
	last   uint32
	open   map[uint32]*hostCall
	blobs  map[uint32][]run.Blob // of answers that the guest has, by call
	unread int64                 // bytes of those blobs that the guest has not fetched
	crew   crew

	goOn    atomic.Int64  // calls that wait for their turn or go on, given up or not
	carried atomic.Int64  // bytes of their arguments
	news    chan struct{} // holds a token when ready has become longer

	mu    sync.Mutex
	ready []uint32 // answered and not collected, in order
	held  int64    // bytes of their answers
}

// hostCall is one call through the bridge.
type hostCall struct {
	id      uint32
	name    string
	carries int64 // bytes of its arguments, as the guest gave them
	cancel  context.CancelFunc
	begun   atomic.Int64 // when it was its turn, in nanoseconds of the execution; 0 before
	settled atomic.Bool  // it is decided what came of it
	state   atomic.Int32
	done    bool        // collected or given up: nobody will ask for it; guarded by calls.mu
	late    *time.Timer // leaves the call behind; guarded by calls.mu

	// Written before state becomes answered, read after.
	answer run.Answer
	err    error
	size   int64
}

// States of a call. Whoever changes running to something else decides whether
// the guest gets the answer at once.
const (
	running  = iota
	pending  // the guest was told to come back
	answered // the answer is there
)

func (c *calls) begin(limits limit.Run, engine *Engine) {
	c.most = limits.Calls
	c.room = limits.Memory
	c.news = make(chan struct{}, 1)
	c.crew.begin(limits.InFlight, engine.spare)
}

// admit counts a call in that brings arguments of so many bytes, until its task has
// ended: a guest that gives calls up, or never waits for one, gets no more memory of
// the host than one that does.
func (c *calls) admit(size int64) error {
	switch n := int(c.goOn.Load()); {
	case len(c.open) >= c.most:
		return fault.New(fault.CallsTooMany, "%d host calls are waiting to be collected, as many as one run may make: await them", len(c.open))
	case n >= c.most:
		return fault.New(fault.CallsTooMany, "%d host calls go on, given up ones included, as many as one run may make: await them", n)
	case size > c.room-c.carried.Load():
		return fault.New(fault.ArgsTooLarge, "the arguments of the calls that go on would hold more than %d bytes with this one: await earlier calls first, or save the data and pass its handle", c.room)
	}
	c.goOn.Add(1)
	c.carried.Add(size)
	return nil
}

// dismiss counts a call out again.
func (c *calls) dismiss(size int64) {
	c.carried.Add(-size)
	c.goOn.Add(-1)
}

// submit starts a call that was admitted and gives it a moment to be answered. It
// returns nil and the call's id if it was not.
func (x *execution) submit(name string, args canon.Value, size int64) (*hostCall, uint32) {
	c := &x.calls
	c.last++
	ctx, cancel := context.WithCancel(x.ctx)
	h := &hostCall{id: c.last, name: name, carries: size, cancel: cancel}
	begun := c.crew.do(func() { x.carryOut(ctx, h, args) })
	if h.answeredAtOnce(begun) || !h.state.CompareAndSwap(running, pending) {
		return h, h.id
	}
	c.mu.Lock()
	if !h.settled.Load() {
		h.late = time.AfterFunc(x.patience(h), func() { x.leaveBehind(h) })
	}
	c.mu.Unlock()
	if c.open == nil {
		c.open = map[uint32]*hostCall{}
	}
	c.open[h.id] = h
	return nil, h.id
}

// answeredAtOnce waits for a call that takes next to no time. One that has not
// begun may need this processor.
func (h *hostCall) answeredAtOnce(begun bool) bool {
	for begin := time.Now(); time.Since(begin) < atOnce; {
		if !begun {
			runtime.Gosched()
		}
		if h.state.Load() == answered {
			return true
		}
	}
	return false
}

// await blocks until a call is answered or the time has passed (less than 0: as
// long as the run lasts). It returns the ids of all calls that are answered and
// not collected.
func (x *execution) await(d time.Duration) []uint32 {
	end := time.Now().Add(d)
	for {
		if ids := x.calls.answeredIDs(); len(ids) > 0 {
			return ids
		}
		if d == 0 {
			runtime.Gosched() // whoever asks again and again lets the calls go on
			return x.calls.answeredIDs()
		}
		left := time.Hour
		if d >= 0 {
			left = time.Until(end)
		}
		if x.sleep(left, x.calls.news) && d >= 0 {
			return x.calls.answeredIDs()
		}
		if x.due() {
			return nil
		}
	}
}

func (c *calls) answeredIDs() []uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]uint32(nil), c.ready...)
}

// collect returns an answered call and forgets it.
func (x *execution) collect(head []byte) (*hostCall, error) {
	c := &x.calls
	h, err := c.find(head)
	if err != nil {
		return nil, err
	}
	if h.state.Load() != answered {
		return nil, fault.New(fault.ArgsInvalid, "host call %d is not answered yet", h.id)
	}
	c.forget(h)
	return h, nil
}

// abandon ends a call that the guest does not wait for any more.
func (x *execution) abandon(head []byte) error {
	h, err := x.calls.find(head)
	if err != nil {
		return err
	}
	h.cancel()
	x.calls.forget(h)
	return nil
}

// find returns the open call with the id that the guest gave as text.
func (c *calls) find(head []byte) (*hostCall, error) {
	const most = len("4294967295")
	if id, err := strconv.ParseUint(string(head[:min(len(head), most+1)]), 10, 32); err == nil {
		if h := c.open[uint32(id)]; h != nil {
			return h, nil
		}
	}
	return nil, fault.New(fault.ArgsInvalid, "there is no such host call")
}

func (c *calls) forget(h *hostCall) {
	delete(c.open, h.id)
	c.mu.Lock()
	defer c.mu.Unlock()
	h.done = true
	for i, id := range c.ready {
		if id == h.id {
			c.ready = append(c.ready[:i], c.ready[i+1:]...)
			c.held -= h.size
			return
		}
	}
}

// keepBlobs holds an answer's blobs until the guest fetches them. It refuses
// those of a guest that leaves too many lying.
func (c *calls) keepBlobs(id uint32, blobs []run.Blob) error {
	size := int64(0)
	for _, b := range blobs {
		size += int64(len(b.Data))
	}
	if c.unread+size > c.room {
		return fault.New(fault.ToolFailed, "the byte strings of earlier answers that were not fetched hold more than %d bytes with this one", c.room)
	}
	c.unread += size
	if c.blobs == nil {
		c.blobs = map[uint32][]run.Blob{}
	}
	c.blobs[id] = append([]run.Blob(nil), blobs...)
	return nil
}

// takeBlob returns a blob by "id index" and forgets it.
func (c *calls) takeBlob(head []byte) ([]byte, error) {
	var id uint32
	var index int
	if len(head) < 32 {
		if _, err := fmt.Sscanf(string(head), "%d %d", &id, &index); err == nil && index >= 0 && index < len(c.blobs[id]) {
			data := c.blobs[id][index].Data
			c.blobs[id][index].Data = nil
			c.unread -= int64(len(data))
			return data, nil
		}
	}
	return nil, fault.New(fault.ArgsInvalid, "there is no such blob")
}
