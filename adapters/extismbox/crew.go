package extismbox

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// lookout is how long a member of a crew looks out for the next call before it
// goes to sleep.
const lookout = 50 * time.Microsecond

// crew carries out the host calls of one execution, so many at once, each on a
// goroutine of its own.
//
// A new goroutine and waking a processor for it take longer than most calls do.
// So members stay until the end, and whoever is done first looks out for the
// next call for a moment, if there is a processor to spare. A crew must begin
// before use.
type crew struct {
	most  int
	spare func() bool
	left  chan struct{} // holds a token when a member has left

	mu      sync.Mutex // guards what follows
	over    bool       // there will be no more calls
	members int
	places  int // members less those that were left behind with their task
	idle    []*member
	queue   []func() // tasks for which there was no place
}

// member is one of a crew.
type member struct {
	next    chan func() // its next task; closed when there will be none
	looking atomic.Bool // it looks out for it, on a processor of its own
}

func (c *crew) begin(most int, spare func() bool) {
	c.most, c.spare = most, spare
	c.left = make(chan struct{}, 1)
}

// do has somebody do a task. It reports whether that is being done already, on
// another processor.
func (c *crew) do(task func()) (begun bool) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 {
		m := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		begun = m.looking.Load()
		m.next <- task
		return begun
	}
	c.queue = append(c.queue, task)
	c.recruit()
	c.mu.Unlock()
	return false
}

// recruit starts a member for a waiting task if there is a place. The caller
// holds the mutex.
func (c *crew) recruit() {
	if c.places >= c.most || len(c.queue) == 0 || c.over {
		return
	}
	task := c.queue[0]
	c.queue = c.queue[1:]
	c.places++
	c.members++
	go c.work(task)
}

func (c *crew) work(task func()) {
	defer c.leave() // deferred: a task may end its goroutine
	for m := (&member{next: make(chan func(), 1)}); task != nil; task = c.await(m) {
		task()
	}
}

func (c *crew) leave() {
	c.mu.Lock()
	c.members--
	c.places--
	c.recruit()
	c.mu.Unlock()
	select {
	case c.left <- struct{}{}:
	default:
	}
}

// leaveBehind gives away the place of a member that does not come back from its
// task; should it do so after all, it has to rejoin.
func (c *crew) leaveBehind() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.places--
	c.recruit()
}

func (c *crew) rejoin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.places++
}

// await waits for a member's next task; nil is the end.
func (c *crew) await(m *member) func() {
	c.mu.Lock()
	if c.over || c.places > c.most {
		c.mu.Unlock()
		return nil
	}
	if len(c.queue) > 0 {
		task := c.queue[0]
		c.queue = c.queue[1:]
		c.mu.Unlock()
		return task
	}
	first := len(c.idle) == 0
	c.idle = append(c.idle, m)
	c.mu.Unlock()
	if first && c.spare() {
		if task, ok := m.lookOut(); ok {
			return task
		}
	}
	return <-m.next
}

// lookOut takes the next task if one comes soon.
func (m *member) lookOut() (task func(), ok bool) {
	// Whoever waits for the last task may wait for this processor too. It goes on
	// there, and the lookout elsewhere.
	runtime.Gosched()
	m.looking.Store(true)
	defer m.looking.Store(false)
	for begin := time.Now(); time.Since(begin) < lookout; {
		select {
		case task := <-m.next:
			return task, true
		default:
		}
	}
	return nil, false
}

// end waits until all have left, which those do soon whose task heeds the end of
// the execution. It returns the number of the others.
func (c *crew) end() int {
	c.mu.Lock()
	c.over = true
	for _, m := range c.idle {
		close(m.next)
	}
	c.idle, c.queue = nil, nil
	n := c.members
	c.mu.Unlock()
	if n == 0 {
		return 0
	}
	patience := time.NewTimer(heed)
	defer patience.Stop()
	for n > 0 {
		select {
		case <-c.left:
			n = c.size()
		case <-patience.C:
			return c.size()
		}
	}
	return 0
}

func (c *crew) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.members
}

// spare reports whether a processor has no guest to run.
func (e *Engine) spare() bool { return int(e.active.Load()) < runtime.GOMAXPROCS(0) }
