package mcpserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/domain/canon"
	"toolplane/domain/run"
)

// execute is the tool execute_code.
func (s *Server) execute(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args := readArguments(ctx, req, "code", "inputs", "timeout_seconds", "backend")
	request := run.Request{Code: args.text("code", true), Backend: args.text("backend", false)}
	request.Inputs, _ = args.value("inputs", false, canon.KindObject)
	var note string
	request.Timeout, note = args.timeout("timeout_seconds", s.opts.RunTime)
	if args.err != nil {
		return s.toolError(ctx, args.err)
	}
	stop := s.progress(ctx, req, request.Timeout)
	outcome, err := s.deps.Runner.Run(ctx, request)
	stop()
	if err != nil {
		return s.toolError(ctx, err)
	}
	if note != "" {
		outcome.Notes = append(outcome.Notes, run.Note{Text: note})
	}
	shown := s.show(ctx, outcome)
	return toolResult(shown.structured, shown.text, !outcome.OK())
}

// progress tells the client every second that its run goes on, if it asked for
// that, until stop is called.
func (s *Server) progress(ctx context.Context, req mcp.CallToolRequest, timeout time.Duration) (stop func()) {
	if req.Params.Meta == nil || req.Params.Meta.ProgressToken == nil {
		return func() {}
	}
	limit := s.opts.RunTime
	if timeout > 0 {
		limit = timeout
	}
	done := make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for seconds := 1; ; seconds++ {
			select {
			case <-done:
				return
			case <-ctx.Done():
				return
			case <-ticker.C:
				// A client that does not take it misses only this.
				_ = s.mcp.SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress), map[string]any{
					"progressToken": req.Params.Meta.ProgressToken,
					"progress":      seconds,
					"total":         limit.Seconds(),
					"message":       fmt.Sprintf("running for %d s of at most %s", seconds, inWords(limit)),
				})
			}
		}
	})
	return func() {
		close(done)
		telling.Wait()
	}
}
