package extismbox

import (
	"errors"
	"log/slog"
	"runtime"
	"sync"
)

// pool keeps slots ready. Used ones are made pristine by goroutines of its
// own, off the way of the runs.
type pool struct {
	engine *Engine
	keep   int
	done   sync.WaitGroup

	mu        sync.Mutex
	changed   *sync.Cond
	ready     []*Slot
	used      []*Slot
	recycling int // used slots, and those being made pristine
	waiting   int // runs that count on one of them
	closed    bool
}

// newPool starts an empty pool. keep is the number of ready slots that it holds
// on to.
func newPool(e *Engine, keep int) *pool {
	if keep <= 0 {
		keep = 2 * runtime.GOMAXPROCS(0)
	}
	p := &pool{engine: e, keep: keep}
	p.changed = sync.NewCond(&p.mu)
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
	if n := len(p.ready); n > 0 {
		s := p.ready[n-1]
		p.ready = p.ready[:n-1]
		p.mu.Unlock()
		return s, nil
	}
	p.mu.Unlock()
	return p.engine.primedSlot()
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
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready = append(p.ready, s)
	return nil
}

// recycle is one of the pool's goroutines.
func (p *pool) recycle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		for len(p.used) == 0 && !p.closed {
			p.changed.Wait()
		}
		if len(p.used) == 0 {
			return
		}
		s := p.used[0]
		p.used = p.used[1:]
		surplus := p.closed || len(p.ready) >= p.keep
		p.mu.Unlock()
		ok := p.renew(s, surplus)
		p.mu.Lock()
		if ok {
			p.ready = append(p.ready, s)
		}
		p.recycling--
		p.changed.Broadcast()
	}
}

// renew makes a used slot pristine and reports whether that worked; a slot that
// is surplus or beyond repair is discarded.
func (p *pool) renew(s *Slot, surplus bool) bool {
	if !surplus {
		err := s.recycle()
		if err == nil {
			return true
		}
		p.engine.logger.Error("a slot could not be used again", slog.Any("error", err))
	}
	if err := s.discard(); err != nil {
		p.engine.logger.Error("a slot could not be freed", slog.Any("error", err))
	}
	return false
}

// close frees all slots. None may be in use.
func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.changed.Broadcast()
	p.done.Wait()
	var err error
	for _, s := range p.ready {
		err = errors.Join(err, s.discard())
	}
	p.ready = nil
	return err
}
