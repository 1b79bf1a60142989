package app

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// printer passes on what a run prints from a goroutine of its own: a client that is
// slow to take it, or does not at all, holds up neither the snippet nor its limits.
// What waits is bounded by the run's limit on output, and in maxTurns pieces.
type printer struct {
	output run.Output // nil for a client that does not look

	mu      sync.Mutex // guards what follows
	waiting []printed
	passing chan struct{} // closed when all is passed on; nil when it is
	over    bool          // nobody takes any more
	err     error         // of an output that panicked
}

// maxTurns bounds how often what waits goes from one stream to the other.
const maxTurns = 1 << 16

type printed struct {
	stream run.Stream
	text   []byte
}

// print takes a copy of text. It returns the error that ended the output.
func (p *printer) print(stream run.Stream, text []byte) error {
	if p.output == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.err
	}
	switch n := len(p.waiting); {
	case n > 0 && p.waiting[n-1].stream == stream:
		p.waiting[n-1].text = append(p.waiting[n-1].text, text...)
	case n == maxTurns:
		return fault.New(fault.OutputTooLarge, "the run printed to its two streams in turn %d times ahead of whoever reads; print less often", n)
	default:
		p.waiting = append(p.waiting, printed{stream, bytes.Clone(text)})
	}
	if p.passing == nil {
		p.passing = make(chan struct{})
		go p.pass(p.passing)
	}
	return nil
}

func (p *printer) pass(done chan<- struct{}) {
	defer close(done)
	defer func() {
		if v := recover(); v != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.err, p.passing = fmt.Errorf("panic in the output of a run: %v\n%s", v, debug.Stack()), nil
		}
	}()
	for next, ok := p.next(); ok; next, ok = p.next() {
		p.output(next.stream, next.text)
	}
}

func (p *printer) next() (next printed, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) == 0 || p.over {
		p.passing = nil
		return printed{}, false
	}
	next, p.waiting = p.waiting[0], p.waiting[1:]
	return next, true
}

// flush waits until the client has taken everything, and once ctx has ended for a
// moment only. Nothing but a call that does not return goes on afterwards.
func (p *printer) flush(ctx context.Context) error {
	p.mu.Lock()
	passing := p.passing
	p.mu.Unlock()
	if passing != nil {
		select {
		case <-passing:
		case <-ctx.Done():
			moment := time.NewTimer(heed)
			defer moment.Stop()
			select {
			case <-passing:
			case <-moment.C:
			}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over, p.waiting = true, nil
	return p.err
}
