package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/server"

	"toolplane/adapters/mcpserver/stdio"
)

// bridge lets HTTP clients talk to servers that speak lines: each session is a
// stdio connection of its own. It is as much of Streamable HTTP as a test needs,
// and checks nothing.
type bridge struct {
	t   *testing.T
	mcp *server.MCPServer
	ctx context.Context

	mu       sync.Mutex // guards what follows
	sessions map[string]*bridged
	working  sync.WaitGroup
}

// bridged is one session.
type bridged struct {
	in      *io.PipeWriter
	mu      sync.Mutex // guards what follows, and the order of what is written to in
	waiting map[string]chan []byte
	first   string // the request under way that notifications belong to
}

func newBridge(t *testing.T, mcp *server.MCPServer) *bridge {
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	b := &bridge{t: t, mcp: mcp, ctx: ctx, sessions: map[string]*bridged{}}
	t.Cleanup(func() {
		b.mu.Lock()
		for _, s := range b.sessions {
			_ = s.in.Close()
		}
		b.mu.Unlock()
		cancel()
		b.working.Wait()
	})
	return b
}

// open starts a session.
func (b *bridge) open() (string, *bridged) {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	s := &bridged{in: inWrite, waiting: map[string]chan []byte{}}
	b.working.Go(func() {
		if err := stdio.Serve(b.ctx, b.mcp, inRead, outWrite, stdio.Options{}); err != nil {
			b.t.Errorf("serving: %v", err)
		}
		_ = outWrite.Close()
	})
	b.working.Go(func() { s.deliver(outRead) })
	b.mu.Lock()
	defer b.mu.Unlock()
	id := fmt.Sprint("session-", len(b.sessions)+1)
	b.sessions[id] = s
	return id, s
}

// deliver hands lines to the requests that wait for them.
func (s *bridged) deliver(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var message struct{ ID json.RawMessage }
		_ = json.Unmarshal(line, &message)
		s.mu.Lock()
		id := string(message.ID)
		if message.ID == nil {
			id = s.first
		}
		if waits := s.waiting[id]; waits != nil {
			waits <- line
		}
		if message.ID != nil {
			if waits := s.waiting[id]; waits != nil {
				close(waits)
			}
			delete(s.waiting, id)
		}
		s.mu.Unlock()
	}
}

// send writes a message and returns where its answer comes from, if it gets
// one.
func (s *bridged) send(line []byte, id json.RawMessage) <-chan []byte {
	s.mu.Lock()
	var waits chan []byte
	if id != nil {
		waits = make(chan []byte, 100)
		s.waiting[string(id)], s.first = waits, string(id)
	}
	s.mu.Unlock()
	_, _ = s.in.Write(append(line, '\n'))
	return waits
}

func (b *bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	var message struct {
		ID     json.RawMessage
		Method string
	}
	if err != nil || json.Unmarshal(body, &message) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	session := b.sessions[r.Header.Get("Mcp-Session-Id")]
	b.mu.Unlock()
	switch {
	case message.Method == "initialize":
		var id string
		id, session = b.open()
		w.Header().Set("Mcp-Session-Id", id)
	case session == nil:
		w.WriteHeader(http.StatusNotFound)
		return
	}
	answers := session.send(body, message.ID)
	if answers == nil || message.Method == "" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flusher, _ := w.(http.Flusher)
	for {
		select {
		case line, more := <-answers:
			if !more {
				return
			}
			fmt.Fprintf(w, "event: message\ndata: %s\n", line)
			flusher.Flush()
		case <-r.Context().Done():
			return
		}
	}
}
