package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolplane/adapters/mcpserver/stdio"
	"toolplane/domain/fault"
)

// The tools.
const (
	executeCode  = "execute_code"
	searchTools  = "search_capabilities"
	describeTool = "get_capability_schemas"
)

func (s *Server) addTools() {
	s.mcp.AddTools(
		server.ServerTool{Tool: s.surface.tool(executeCode, "Run Python", false), Handler: s.execute},
		server.ServerTool{Tool: s.surface.tool(searchTools, "Search capabilities", true), Handler: s.search},
		server.ServerTool{Tool: s.surface.tool(describeTool, "Show schemas", true), Handler: s.describe},
	)
}

// toolResult answers a tool call with what a program reads and what a model
// reads.
func toolResult(structured any, text string, failed bool) (*mcp.CallToolResult, error) {
	encoded, err := json.Marshal(structured)
	if err != nil {
		return nil, fmt.Errorf("encoding an outcome: %w", err)
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{mcp.NewTextContent(text)},
		StructuredContent: json.RawMessage(encoded), // numbers keep their digits
		IsError:           failed,
	}, nil
}

// toolError answers a tool call that could not be carried out, so that the
// model reads why.
func (s *Server) toolError(ctx context.Context, err error) (*mcp.CallToolResult, error) {
	code, text := s.explain(ctx, err)
	return mcp.NewToolResultError(fmt.Sprintf("%s [%s]", text, code)), nil
}

// explain turns any error into what a client may know of it. This is the one
// place that does.
func (s *Server) explain(ctx context.Context, err error) (fault.Code, string) {
	if f, ok := errors.AsType[*fault.Fault](err); ok && f.Class() != fault.Internal {
		return f.Code(), cut(f.Error(), maxMessage)
	}
	if ctx.Err() != nil {
		return fault.RunCancelled, "cancelled: " + context.Cause(ctx).Error()
	}
	number := s.failures.Add(1)
	s.log.Error("a request failed", "id", fmt.Sprintf("f%d", number), "err", err)
	return fault.InternalError, fmt.Sprintf("internal error f%d; the server's log says more", number)
}

// sayWhatThereIs replaces mcp-go's words for a tool or a resource that does not
// exist.
func (s *Server) sayWhatThereIs(ctx context.Context, _ any, _ mcp.MCPMethod, message any, err error) {
	switch {
	case errors.Is(err, server.ErrToolNotFound):
		req, _ := message.(*mcp.CallToolRequest)
		_ = stdio.Refuse(ctx, mcp.INVALID_PARAMS, fmt.Sprintf(
			"unknown tool %.60q; the tools are %s, %s and %s. The user's tools are functions: call them in a snippet of %[2]s",
			req.Params.Name, executeCode, searchTools, describeTool), nil)
	case errors.Is(err, server.ErrResourceNotFound):
		req, _ := message.(*mcp.ReadResourceRequest)
		_ = s.noResource(ctx, req.Params.URI, s.whyNoResource(req.Params.URI))
	}
}
