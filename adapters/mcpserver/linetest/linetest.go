// Package linetest is a bare MCP client for tests: JSON lines out, JSON lines
// in, nothing understood on the way.
//
// It keeps every answer and every notification, and reports whatever the server
// writes that is not one JSON-RPC message a line.
package linetest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what must come.
const patience = 2 * time.Minute

// Serve is what the client is connected to.
type Serve func(ctx context.Context, in io.Reader, out io.Writer) error

// Message is one line of the server.
type Message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *Error          `json:"error"`
	Size    int             `json:"-"` // bytes of the line
}

// Error is the error of an answer.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Client is one client. Its methods may be called concurrently.
type Client struct {
	t    testing.TB
	in   io.WriteCloser
	end  context.CancelFunc
	done chan struct{} // closed when serve and the reader have returned
	err  error         // of serve, once done is closed

	writing sync.Mutex

	mu      sync.Mutex // guards what follows
	changed chan struct{}
	answers map[string][]Message
	notices []Message
	stray   []string
	next    int
}

// Start connects a client to a server, which ends with the test at the latest.
func Start(t testing.TB, serve Serve) *Client {
	t.Helper()
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	c := &Client{
		t: t, in: inWrite, end: end, done: make(chan struct{}),
		changed: make(chan struct{}), answers: map[string][]Message{},
	}
	var both sync.WaitGroup
	both.Go(func() {
		c.err = serve(ctx, inRead, outWrite)
		_ = outWrite.Close()
	})
	both.Go(func() { c.read(outRead) })
	go func() {
		both.Wait()
		close(c.done)
	}()
	t.Cleanup(func() {
		_ = inWrite.Close()
		c.end()
		<-c.done
		for _, line := range c.Stray() {
			t.Errorf("the server wrote what is no message: %.200q", line)
		}
	})
	return c
}

func (c *Client) read(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			c.keep(line)
		}
		if err != nil {
			return
		}
	}
}

func (c *Client) keep(line []byte) {
	var m Message
	err := json.Unmarshal(line, &m)
	m.Size = len(line)
	c.mu.Lock()
	defer c.mu.Unlock()
	answer, notice := m.ID != nil && (m.Result != nil) != (m.Error != nil) && m.Method == "", m.ID == nil && m.Method != ""
	switch {
	case err != nil || m.JSONRPC != "2.0" || answer == notice || !bytes.HasSuffix(line, []byte("\n")):
		c.stray = append(c.stray, string(line))
	case answer:
		c.answers[string(m.ID)] = append(c.answers[string(m.ID)], m)
	default:
		c.notices = append(c.notices, m)
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// Send writes lines as they are.
func (c *Client) Send(lines string) {
	c.t.Helper()
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := io.WriteString(c.in, lines); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		c.t.Errorf("sending: %v", err)
	}
}

// Request returns the line of a request.
func Request(id, method string, params any) string {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\n", id, method, text)
}

// Cancel returns the line that cancels a request.
func Cancel(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`+"\n", id)
}

// Tool returns the parameters of a tool call.
func Tool(name string, arguments any) map[string]any {
	return map[string]any{"name": name, "arguments": arguments}
}

// ID returns an id that was not used before, a string.
func (c *Client) ID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return fmt.Sprintf("%q", fmt.Sprint("c", c.next))
}

// Call sends a request and waits for its answer.
func (c *Client) Call(method string, params any) Message {
	c.t.Helper()
	id := c.ID()
	c.Send(Request(id, method, params))
	return c.Await(id)
}

// Initialize opens the session.
func (c *Client) Initialize() Message {
	c.t.Helper()
	answer := c.Call("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "linetest", "version": "1"},
	})
	c.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	return answer
}

// Await waits for the answer to a request.
func (c *Client) Await(id string) Message {
	c.t.Helper()
	bound := time.NewTimer(patience)
	defer bound.Stop()
	for {
		c.mu.Lock()
		answers, changed := c.answers[id], c.changed
		c.mu.Unlock()
		if len(answers) > 0 {
			return answers[0]
		}
		select {
		case <-changed:
		case <-c.done:
			if len(c.Answers(id)) == 0 {
				c.t.Fatalf("the server ended without an answer to request %s", id)
			}
		case <-bound.C:
			c.t.Fatalf("request %s has no answer", id)
		}
	}
}

// Answers returns the answers that have come for an id.
func (c *Client) Answers(id string) []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answers[id]
}

// Notices returns the notifications that have come.
func (c *Client) Notices() []Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.notices
}

// Stray returns the lines that are no messages.
func (c *Client) Stray() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stray
}

// CloseInput ends what the server reads.
func (c *Client) CloseInput() { _ = c.in.Close() }

// End ends the server's context, as a signal does.
func (c *Client) End() { c.end() }

// Wait waits for the server and returns its error.
func (c *Client) Wait() error {
	c.t.Helper()
	bound := time.NewTimer(patience)
	defer bound.Stop()
	select {
	case <-c.done:
	case <-bound.C:
		c.t.Fatal("the server does not end")
	}
	return c.err
}
