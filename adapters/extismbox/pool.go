package extismbox

import (
	"errors"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// idleTime is how long nothing must have run before memory is given back.
const idleTime = 3 * time.Second

// pool keeps slots ready. Used ones are made pristine by goroutines of its
// own, off the way of the runs.
type pool struct {
	engine *Engine
	keep   int
	idle   *time.Timer
	over   chan struct{} // closed when the pool is
	done   sync.WaitGroup

	mu        sync.Mutex
	changed   *sync.Cond
	ready     []*Slot
	used      []*Slot
	recycling int // slots that will be ready: used ones, and those being made
	waiting   int // runs that count on one of them
	taken     int // slots taken so far
	wanted    int // new slots to be made
	closed    bool
}

// newPool starts an empty pool. keep is the number of ready slots that it holds
// on to.
func newPool(e *Engine, keep int) *pool {
	if keep <= 0 {
		keep = 2 * runtime.GOMAXPROCS(0)
	}
	p := &pool{engine: e, keep: keep, idle: time.NewTimer(idleTime), over: make(chan struct{})}
	p.changed = sync.NewCond(&p.mu)
	p.done.Go(p.rest)
	for range runtime.GOMAXPROCS(0) {
		p.done.Go(p.recycle)
	}
	return p
}

// acquire returns a primed slot: a ready one, or one about to be ready, which
// takes less time than a new one.
func (p *pool) acquire() (*Slot, error) {
	p.mu.Lock()
	for len(p.ready) == 0 && p.recycling > p.waiting {
		p.waiting++
		p.changed.Wait()
		p.waiting--
	}
	var s *Slot
	if n := len(p.ready); n > 0 {
		s, p.ready = p.ready[n-1], p.ready[:n-1]
	}
	p.taken++
	p.idle.Reset(idleTime)
	p.refill()
	p.mu.Unlock()
	if s != nil {
		return s, nil
	}
	return p.engine.primedSlot()
}

// refill has a slot made for the next run when none is left, unless this is the
// only run there will be, as far as one can tell. The caller holds the lock.
func (p *pool) refill() {
	if p.taken > 1 && len(p.ready) == 0 && p.recycling == p.waiting {
		p.wanted++
		p.recycling++
		p.changed.Broadcast()
	}
}

// prepare has a slot made, unless there is one.
func (p *pool) prepare() error {
	s, err := p.acquire()
	if err != nil {
		return err
	}
	p.add(s)
	return nil
}

// add takes a slot that is ready.
func (p *pool) add(s *Slot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready = append(p.ready, s)
	p.changed.Broadcast()
}

func (e *Engine) primedSlot() (*Slot, error) {
	s, err := e.newSlot()
	if err != nil {
		return nil, err
	}
	if err := s.prime(); err != nil {
		return nil, errors.Join(err, s.discard())
	}
	return s, nil
}

// release takes a used slot back.
func (p *pool) release(s *Slot) {
	p.mu.Lock()
	p.used = append(p.used, s)
	p.recycling++
	p.mu.Unlock()
	p.changed.Broadcast()
}

// releaseNow is release, done when it returns, with the error if there was one.
func (p *pool) releaseNow(s *Slot) error {
	if err := s.recycle(); err != nil {
		return errors.Join(err, s.discard())
	}
	p.add(s)
	return nil
}

// recycle is one of the pool's goroutines.
func (p *pool) recycle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.used) == 0 && p.wanted == 0 && !p.closed {
			p.changed.Wait()
		}
		var s *Slot
		switch {
		case len(p.used) > 0:
			s, p.used = p.used[0], p.used[1:]
		case p.closed:
			return
		default:
			p.wanted--
		}
		surplus := p.closed || len(p.ready) >= p.keep
		p.mu.Unlock()
		s = p.renew(s, surplus)
		p.mu.Lock()
		if s != nil {
			p.ready = append(p.ready, s)
			// Only as many as can run at once keep their stacks: the last ones go first.
			if at := len(p.ready) - 1 - runtime.GOMAXPROCS(0); at >= 0 {
				p.ready[at].exports.forgetStacks()
			}
		}
		p.recycling--
		p.changed.Broadcast()
	}
}

// renew makes a used slot pristine, or a new one where there is none. It returns
// nil when that failed or the slot is surplus.
func (p *pool) renew(s *Slot, surplus bool) *Slot {
	log := p.engine.logger
	if s == nil {
		s, err := p.engine.primedSlot()
		if err != nil {
			log.Error("a slot could not be made", slog.Any("error", err))
		}
		return s
	}
	if !surplus {
		err := s.recycle()
		if err == nil {
			return s
		}
		log.Error("a slot could not be used again", slog.Any("error", err))
	}
	if err := s.discard(); err != nil {
		log.Error("a slot could not be freed", slog.Any("error", err))
	}
	return nil
}

// rest is the goroutine that gives memory back when nothing runs any more.
func (p *pool) rest() {
	defer p.idle.Stop()
	for {
		select {
		case <-p.over:
			return
		case <-p.idle.C:
			p.shrink()
		}
	}
}

// shrink keeps one slot and as little memory as possible.
func (p *pool) shrink() {
	p.mu.Lock()
	var surplus []*Slot
	if n := len(p.ready); n > 1 {
		surplus = append(surplus, p.ready[:n-1]...)
		p.ready = append(p.ready[:0], p.ready[n-1])
	}
	for _, s := range p.ready {
		s.exports.forgetStacks()
	}
	p.mu.Unlock()
	for _, s := range surplus {
		if err := s.discard(); err != nil {
			p.engine.logger.Error("a slot could not be freed", slog.Any("error", err))
		}
	}
	p.engine.image.Rest()
	debug.FreeOSMemory()
}

// close frees all slots. None may be in use.
func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	close(p.over)
	p.changed.Broadcast()
	p.done.Wait()
	var err error
	for _, s := range p.ready {
		err = errors.Join(err, s.discard())
	}
	p.ready = nil
	return err
}
