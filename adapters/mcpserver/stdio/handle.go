package stdio

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/domain/canon"
)

// take starts what a line asks for. It returns at once unless the client does
// not take its answers.
func (c *connection) take(ctx context.Context, l line) {
	m, bad := parse(l, c.opts.MaxLine)
	switch {
	case bad != nil:
		c.log.Warn("a line is not a message", "bytes", l.size, "code", bad.code)
		c.reply(ctx, failure(bad.id, bad.code, bad.text, nil))
	case m.batch:
		c.batch(ctx, m.whole)
	case m.method == "":
		c.log.Debug("an answer to nothing that was asked")
	case m.id == nil:
		c.notification(m)
	default:
		c.request(ctx, m, l.size)
	}
}

// maxBatch is how many messages of one batch are taken.
const maxBatch = 1024

// batch takes each message of a batch as if it had come on a line of its own:
// what holds memory is its own text, and its answer does not wait for others.
func (c *connection) batch(ctx context.Context, whole canon.Value) {
	taken := 0
	for element := range whole.Elements() {
		if ctx.Err() != nil {
			return
		}
		switch m, _ := envelope(element); {
		case m.batch:
			c.reply(ctx, failure(nil, codeInvalid, "a batch in a batch; send its messages", nil))
		case taken < maxBatch:
			taken++
			c.take(ctx, line{text: bytes.Clone(element.Bytes()), size: int64(element.Len())})
		case m.id != nil:
			c.reply(ctx, failure(bytes.Clone(m.id), codeBusy, fmt.Sprintf("the batch has more than %d messages, which is the limit; send this one again", maxBatch), nil))
		}
	}
}

// notification handles a message that gets no answer.
func (c *connection) notification(m message) {
	if m.method == string(mcp.MethodNotificationCancelled) {
		if id, ok := m.params.Member("requestId"); ok {
			c.requests.cancel(id.Bytes())
		}
		return
	}
	_ = c.call(c.ctx, &exchange{}, m)
}

// request starts a request. Its place among those under way is taken before
// the next line is read, so that a cancellation finds it.
func (c *connection) request(ctx context.Context, m message, size int64) {
	r := &request{id: m.id, method: m.method, size: size}
	r.ctx, r.cancel = context.WithCancelCause(c.ctx)
	if !c.requests.add(r) {
		r.cancel(nil)
		c.reply(ctx, failure(m.id, codeInvalid, "a request with this id is under way; give each request an id of its own", nil))
		return
	}
	switch m.method {
	case string(mcp.MethodToolsCall):
		if err := c.requests.admit(r); err != nil {
			c.requests.finish(r)
			r.cancel(nil)
			c.reply(ctx, failure(m.id, codeBusy, err.Error(), nil))
			return
		}
		c.start(r, m, c.running, func() { c.requests.leave(r) })
	case string(mcp.MethodResourcesRead):
		c.withPlace(ctx, func(leave func()) { c.start(r, m, c.reading, leave) })
	case string(mcp.MethodInitialize): // what comes next may rely on it
		answer := c.answer(r, m)
		c.requests.finish(r)
		r.cancel(nil)
		c.reply(ctx, answer)
	default:
		c.withPlace(ctx, func(leave func()) { c.start(r, m, nil, leave) })
	}
}

// start answers a request on a goroutine of its own, once there is room for it;
// room nil has always some.
func (c *connection) start(r *request, m message, room chan struct{}, leave func()) {
	c.working.Go(func() {
		defer leave()
		defer r.cancel(nil)
		var answer []byte
		if room != nil {
			select {
			case room <- struct{}{}:
				answer = c.answer(r, m)
				<-room
			case <-r.ctx.Done():
				answer = failure(r.id, codeInternal, context.Cause(r.ctx).Error(), nil)
			}
		} else {
			answer = c.answer(r, m)
		}
		if c.requests.finish(r) {
			c.writer.send(answer)
		}
	})
}

// reply sends an answer that needs no work.
func (c *connection) reply(ctx context.Context, answer []byte) {
	c.withPlace(ctx, func(leave func()) {
		c.working.Go(func() {
			defer leave()
			c.writer.send(answer)
		})
	})
}

// withPlace runs start when fewer than quick answers wait to be taken. If the
// server ends before, there is nobody to answer.
func (c *connection) withPlace(ctx context.Context, start func(leave func())) {
	select {
	case c.quick <- struct{}{}:
		start(func() { <-c.quick })
	case <-c.writer.done:
	case <-ctx.Done():
	}
}

// answer carries a request out and returns its answer, whatever happens.
func (c *connection) answer(r *request, m message) []byte {
	x := &exchange{arguments: m.arguments}
	response := c.call(r.ctx, x, m)
	text, err := encode(r.id, response, x.refusal)
	switch {
	case err != nil:
		number := c.failures.Add(1)
		c.log.Error("an answer is not JSON", "id", number, "method", r.method, "err", err)
		return failure(r.id, codeInternal, hidden(number), nil)
	case len(text) > c.opts.MaxReply:
		return failure(r.id, codeInternal, fmt.Sprintf("the answer has %d bytes, the limit is %d", len(text), c.opts.MaxReply), nil)
	}
	return text
}

// call hands a message to mcp-go. A panic is an answer too.
func (c *connection) call(ctx context.Context, x *exchange, m message) (response mcp.JSONRPCMessage) {
	defer func() {
		if r := recover(); r != nil {
			number := c.failures.Add(1)
			c.log.Error("a handler panicked", "id", number, "method", m.method, "panic", kindOf(r), "stack", string(debug.Stack()))
			response = mcp.JSONRPCError{Error: mcp.NewJSONRPCErrorDetails(codeInternal, hidden(number), nil)}
		}
	}()
	text, err := m.forServer()
	if err != nil {
		return mcp.JSONRPCError{Error: mcp.NewJSONRPCErrorDetails(codeInvalid, "not a message: "+err.Error(), nil)}
	}
	return c.mcp.HandleMessage(context.WithValue(ctx, exchangeKey{}, x), text)
}

// kindOf says what a panic was about, as far as the log may know: the runtime's
// own words, and of anything else the type, since its text may quote what a
// client has sent.
func kindOf(panicked any) string {
	if err, ok := panicked.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", panicked)
}

func hidden(number int64) string {
	return fmt.Sprintf("internal error %d; the server's log says more", number)
}

// exchange is what a handler and this package tell each other past mcp-go.
type exchange struct {
	arguments canon.Value
	refusal   *refusal
}

type exchangeKey struct{}

// Arguments returns the arguments of the tool call that ctx belongs to, as they
// were sent; null where there were none. ok is false outside of this package's
// calls.
func Arguments(ctx context.Context) (arguments canon.Value, ok bool) {
	x, ok := ctx.Value(exchangeKey{}).(*exchange)
	if !ok {
		return canon.Value{}, false
	}
	return x.arguments, true
}

// refusal is an error with a code of its own.
type refusal struct {
	code    int
	message string
	data    any
}

func (r *refusal) Error() string { return r.message }

// Refuse returns the error with which a handler, or a hook, answers the request
// that ctx belongs to by a code that mcp-go would not choose. It does not
// outlive the call.
func Refuse(ctx context.Context, code int, message string, data any) error {
	r := &refusal{code: code, message: message, data: data}
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		x.refusal = r
	}
	return r
}
