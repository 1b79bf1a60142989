package extismbox

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"toolplane/domain/run"
)

// Bounds on the code that is kept for snippets that run again and again, and
// on those that are remembered to have run once.
const (
	mostCodes      = 256
	mostCodeBytes  = 8 << 20 // of all that is kept
	maxCode        = 512 << 10
	maxCodeSource  = 128 << 10
	precompileTime = time.Second
)

// codeKey stands for a snippet's text and the name of its file.
type codeKey [sha256.Size]byte

func keyOf(job *run.Job) codeKey {
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s", len(job.File), job.File)
	h.Write([]byte(job.Code))
	return codeKey(h.Sum(nil))
}

// codes keeps the code of snippets that have run before: compiling takes most of
// the time of many a run. What a guest that runs a snippet says it is compiled
// to could be anything, so a guest that runs none compiles it, once for all.
type codes struct {
	life     context.Context // ends when no more are wanted
	end      context.CancelFunc
	learning chan struct{} // holds a token while a guest compiles: one at a time

	mu    sync.Mutex
	known map[codeKey]*compiled
	bytes int
	clock uint64 // goes on with every run
}

// compiled is what is known of one snippet.
type compiled struct {
	code []byte // flags and code, as the guest's load takes them; nil if there is none
	last uint64 // when it ran
	runs int
	done bool // a guest has compiled it, or is at it
}

func newCodes() *codes {
	c := &codes{known: map[codeKey]*compiled{}, learning: make(chan struct{}, 1)}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// close waits for a guest that compiles, after it has told it to stop.
func (c *codes) close() {
	if c != nil {
		c.end()
		c.learning <- struct{}{}
	}
}

// find returns the code for a job, nil if there is none.
func (c *codes) find(job *run.Job) []byte {
	if len(job.Code) > maxCodeSource {
		return nil
	}
	key := keyOf(job)
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.known[key]
	if k == nil {
		k = new(compiled)
		c.known[key] = k
	}
	c.clock++
	k.last = c.clock
	k.runs++
	c.forget()
	return k.code
}

// wants reports whether a job's snippet is to be compiled ahead now, and counts
// on that: it has run twice and no other is being compiled.
func (c *codes) wants(job *run.Job) bool {
	if len(job.Code) > maxCodeSource {
		return false
	}
	key := keyOf(job)
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.known[key]
	if k == nil || k.done || k.runs < 2 {
		return false
	}
	select {
	case c.learning <- struct{}{}:
		k.done = true
		return true
	default:
		return false
	}
}

// keep takes the code of a snippet.
func (c *codes) keep(key codeKey, code []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.known[key]; k != nil && k.code == nil {
		k.code = code
		c.bytes += len(code)
		c.forget()
	}
}

// forget makes room: what has not run for longest goes. The caller holds the
// mutex.
func (c *codes) forget() {
	for len(c.known) > mostCodes || c.bytes > mostCodeBytes {
		var oldest codeKey
		last := c.clock + 1
		for key, k := range c.known {
			if k.last < last {
				oldest, last = key, k.last
			}
		}
		c.bytes -= len(c.known[oldest].code)
		delete(c.known, oldest)
	}
}

// learn has a job's snippet compiled by a guest that runs none, with no more
// memory than the job has. A guest that cannot do that says nothing, and then
// those that run the snippet do it, as before.
func (e *Engine) learn(job *run.Job) {
	defer func() { <-e.codes.learning }()
	slot, err := e.pool.acquire()
	if err != nil {
		e.logger.Error("a snippet could not be compiled ahead", slog.Any("error", err))
		return
	}
	ahead := preparation(min(precompileTime, job.Limits.Time))
	ahead.Code, ahead.File = job.Code, job.File
	ahead.Limits.Memory = min(ahead.Limits.Memory, job.Limits.Memory)
	x := newExecution(e.codes.life, slot, &ahead, rehearsal{})
	x.inbound = []byte(job.Code)
	slot.main.SetLimit(uint64(ahead.Limits.Memory))
	if err := slot.call(x, precompileExport, nil); err == nil && x.stops.cause == nil && len(x.reply.compiled) > 0 {
		e.codes.keep(keyOf(job), x.reply.compiled)
	}
	x.end()
	e.pool.release(slot)
}
