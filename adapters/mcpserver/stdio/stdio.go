// Package stdio serves one client of an mcp-go server over a pair of streams,
// one JSON-RPC message a line, or a batch of them.
//
// It takes the place of mcp-go's own stdio server and promises what that one
// does not: a request gets exactly one answer, whatever its handler does, and
// none once its client has cancelled it; a cancellation counts from the moment
// its request was read; nothing a handler does delays a ping; what is too long
// is refused by its id and never held; the end of the input lets running
// requests finish; one goroutine writes, whole lines only. Several servers may
// live in one process.
package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

// Options bound a connection. Zero fields stand for the defaults.
type Options struct {
	MaxLine      int           // bytes of one message; 16 MiB
	MaxReply     int           // bytes of one answer; 9 MiB, since a common client takes no message of 10 MiB
	Parallel     int           // tool calls that run at once, more wait; 32
	Pending      int           // tool calls that run or wait, more are refused; 1,024
	PendingBytes int64         // bytes of their messages; 128 MiB
	Linger       time.Duration // how long requests may go on after the input has ended; 35 s
	Drain        time.Duration // how long they may go on after the end of ctx; 5 s
	Logger       *slog.Logger  // nil logs nothing
}

// reads is how many resources are read at once; each may hold megabytes.
const reads = 4

// quick is how many other requests may be under way before reading waits for
// the client to take its answers.
const quick = 256

// grace is how long cancelled requests may take to end.
const grace = time.Second

// errShutdown is why the contexts of requests end when the server does.
var errShutdown = errors.New("the server is shutting down")

// errGone is why they end when nobody reads the answers.
var errGone = errors.New("the client has gone")

// Serve answers what it reads from in on out until in ends, ctx ends or out
// breaks, and returns when every request has its answer. After the end of in,
// requests may go on for Options.Linger, after the end of ctx for
// Options.Drain; then they are cancelled, and those that do not heed that
// within a second are answered in their place and left behind. The error is
// nil unless in or out broke.
//
// When ctx ends, a read of in that blocks is interrupted where in is a pipe, a
// socket or has SetReadDeadline; otherwise one goroutine stays with it until it
// returns. A pipe or socket is set not to block as long as Serve lasts.
func Serve(ctx context.Context, mcp *server.MCPServer, in io.Reader, out io.Writer, opts Options) error {
	opts = opts.complete()
	in, restore := pollable(in, out)
	defer restore()
	session := newSession()
	requestCtx, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	if err := mcp.RegisterSession(requestCtx, session); err != nil {
		return fmt.Errorf("starting a session: %w", err)
	}
	defer mcp.UnregisterSession(requestCtx, session.SessionID())
	c := &connection{
		mcp: mcp, opts: opts, log: opts.Logger,
		ctx: mcp.WithContext(requestCtx, session), end: end,
		requests: newRequests(opts.Pending, opts.PendingBytes),
		writer:   startWriter(out, session.notifications),
		running:  make(chan struct{}, opts.Parallel),
		reading:  make(chan struct{}, reads),
		quick:    make(chan struct{}, quick),
	}
	return c.serve(ctx, in)
}

func (o Options) complete() Options {
	orElse := func(value *int, fallback int) {
		if *value <= 0 {
			*value = fallback
		}
	}
	orElse(&o.MaxLine, 16<<20)
	orElse(&o.MaxReply, 9<<20)
	orElse(&o.Parallel, 32)
	orElse(&o.Pending, 1024)
	if o.PendingBytes <= 0 {
		o.PendingBytes = 128 << 20
	}
	if o.Linger <= 0 {
		o.Linger = 35 * time.Second
	}
	if o.Drain <= 0 {
		o.Drain = 5 * time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// connection is one client.
type connection struct {
	mcp      *server.MCPServer
	opts     Options
	log      *slog.Logger
	ctx      context.Context // of every request
	end      context.CancelCauseFunc
	requests *requests
	writer   *writer
	working  sync.WaitGroup // requests and answers under way
	failures atomic.Int64   // numbers what only the log tells

	running, reading, quick chan struct{} // places that are taken
}

// serve reads until there is a reason to stop, then sees to it that every
// request gets its answer.
func (c *connection) serve(ctx context.Context, in io.Reader) error {
	stop := make(chan struct{})
	lines := readLines(in, c.opts.MaxLine, stop)
	defer close(stop)
	var broken error
	patience := c.opts.Linger
	for open := true; open; {
		select {
		case <-ctx.Done():
			patience, open = c.opts.Drain, false
			if d, ok := in.(interface{ SetReadDeadline(time.Time) error }); ok {
				_ = d.SetReadDeadline(time.Now()) // where it is not supported, the read goes on
			}
		case <-c.writer.done:
			open = false
		case l := <-lines:
			if l.size > 0 {
				c.take(ctx, l)
			}
			if open = l.err == nil; !open && !l.ended() {
				broken = fmt.Errorf("reading from the client: %w", l.err)
			}
		}
	}
	c.finish(ctx, patience)
	if err := c.writer.close(grace); err != nil {
		return err
	}
	return broken
}

// finish waits for the requests under way, at first as long as patience lasts
// or until ctx ends, which shortens it.
func (c *connection) finish(ctx context.Context, patience time.Duration) {
	c.requests.endStreams()
	idle := make(chan struct{})
	go func() {
		c.working.Wait()
		close(idle)
	}()
	ended := ctx.Done()
	if ctx.Err() != nil {
		ended = nil
	}
	bound := time.NewTimer(patience)
	defer bound.Stop()
	for waiting := true; waiting; {
		select {
		case <-idle:
			return
		case <-c.writer.done:
			c.end(errGone)
			waiting = false
		case <-ended:
			ended = nil
			bound.Reset(c.opts.Drain)
		case <-bound.C:
			c.end(errShutdown)
			waiting = false
		}
	}
	bound.Reset(grace)
	select {
	case <-idle:
	case <-bound.C:
		stuck := time.AfterFunc(grace, c.writer.giveUp)
		defer stuck.Stop()
		for _, r := range c.requests.abandon() {
			c.log.Warn("a request does not end; it is left behind", "method", r.method)
			c.writer.send(failure(r.id, codeInternal, errShutdown.Error(), nil))
		}
	}
}
