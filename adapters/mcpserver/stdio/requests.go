package stdio

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// request is one request under way.
type request struct {
	id     []byte // canonical JSON
	method string
	size   int64
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// stream tells whether the request ends only when somebody ends it.
func (r *request) stream() bool { return r.method == string(mcp.MethodSubscriptionsListen) }

// errCancelled is why the context of a cancelled request ends.
var errCancelled = errors.New("the client has cancelled the request")

// requests are those under way, from the moment they are read.
type requests struct {
	most      int
	mostBytes int64

	mu    sync.Mutex // guards what follows
	open  map[string]*request
	calls int   // tool calls that hold memory, cancelled ones included
	bytes int64 // of their messages
}

func newRequests(most int, mostBytes int64) *requests {
	return &requests{most: most, mostBytes: mostBytes, open: map[string]*request{}}
}

// add takes a request in, unless one with the same id is under way.
func (rs *requests) add(r *request) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.open[string(r.id)] != nil {
		return false
	}
	rs.open[string(r.id)] = r
	return true
}

// admit gives a tool call its place, or says why there is none.
func (rs *requests) admit(r *request) error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	switch {
	case rs.calls >= rs.most:
		return fmt.Errorf("%d tool calls are under way, which is the limit; wait for answers and call again", rs.calls)
	case rs.calls > 0 && rs.bytes+r.size > rs.mostBytes:
		return fmt.Errorf("the tool calls under way hold %d bytes of messages, the limit is %d; wait for answers and call again", rs.bytes, rs.mostBytes)
	}
	rs.calls++
	rs.bytes += r.size
	return nil
}

// leave gives the place of a tool call back.
func (rs *requests) leave(r *request) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.calls--
	rs.bytes -= r.size
}

// finish takes a request out and tells whether it is to be answered.
func (rs *requests) finish(r *request) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.open[string(r.id)] != r {
		return false
	}
	delete(rs.open, string(r.id))
	return true
}

// cancel ends the request of an id, which then gets no answer.
func (rs *requests) cancel(id []byte) {
	rs.mu.Lock()
	r := rs.open[string(id)]
	if r != nil && r.method == string(mcp.MethodInitialize) {
		r = nil // the protocol forbids it
	}
	if r != nil {
		delete(rs.open, string(id))
	}
	rs.mu.Unlock()
	if r != nil {
		r.cancel(errCancelled)
	}
}

// endStreams ends what nobody would wait for.
func (rs *requests) endStreams() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.open {
		if r.stream() {
			r.cancel(errShutdown)
		}
	}
}

// abandon takes all requests out and returns them.
func (rs *requests) abandon() []*request {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var left []*request
	for id, r := range rs.open {
		left = append(left, r)
		delete(rs.open, id)
	}
	return left
}
