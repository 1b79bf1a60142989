package stdio

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// writer is the one goroutine that writes, a whole line at a time.
type writer struct {
	out           io.Writer
	notifications <-chan mcp.JSONRPCNotification
	queue         chan []byte
	last          chan struct{} // closed when nothing more is sent
	givenUp       chan struct{} // closed when a write that blocks is waited for no more
	once          sync.Once     // for closing it
	done          chan struct{} // closed when it has ended
	err           error         // why, once done is closed
}

func startWriter(out io.Writer, notifications <-chan mcp.JSONRPCNotification) *writer {
	w := &writer{
		out: out, notifications: notifications,
		queue: make(chan []byte), last: make(chan struct{}), givenUp: make(chan struct{}), done: make(chan struct{}),
	}
	go w.run()
	return w
}

// send hands a line over; it is dropped once the output has broken
// or is given up.
func (w *writer) send(line []byte) {
	select {
	case w.queue <- line:
	case <-w.done:
	case <-w.givenUp:
	}
}

// giveUp drops what waits to be written and what comes.
func (w *writer) giveUp() { w.once.Do(func() { close(w.givenUp) }) }

// close ends the writer. A write that blocks is given up after the patience.
func (w *writer) close(patience time.Duration) error {
	close(w.last)
	bound := time.NewTimer(patience)
	defer bound.Stop()
	select {
	case <-w.done:
		return w.err
	case <-bound.C:
		w.giveUp()
		return fmt.Errorf("writing to the client: it takes nothing any more")
	}
}

func (w *writer) run() {
	defer close(w.done)
	for {
		var err error
		select {
		case n := <-w.notifications:
			err = w.notify(n)
		case line := <-w.queue:
			// What a handler has told its client on the way comes first.
			if err = w.notifyAll(); err == nil {
				_, err = w.out.Write(line)
			}
		case <-w.last:
			return
		}
		if err != nil {
			w.err = fmt.Errorf("writing to the client: %w", err)
			return
		}
	}
}

func (w *writer) notifyAll() error {
	for {
		select {
		case n := <-w.notifications:
			if err := w.notify(n); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// notify writes a notification; one that is no JSON is nothing anyone can take.
func (w *writer) notify(n mcp.JSONRPCNotification) error {
	text, err := json.Marshal(n)
	if err != nil {
		return nil //nolint:nilerr // dropped
	}
	_, err = w.out.Write(append(text, '\n'))
	return err
}
