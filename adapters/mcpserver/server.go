// Package mcpserver is the MCP face of toolplane: three tools and the resources
// that belong to them, for one client.
//
// execute_code hands snippets to a ports.Runner, the two others ask a
// ports.Catalog, and the resources read a ports.Vault. What the model sees is
// bounded here: large values are saved and shown as a preview, long output is cut
// between characters, and no answer comes near the size at which clients break.
// Everything that goes wrong is answered, in words that say the way out. The
// package knows no transport but its own stdio.
package mcpserver

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"toolplane/adapters/mcpserver/stdio"
	"toolplane/domain/limit"
	"toolplane/ports"
)

// Deps is what a Server works with. All but Logger is required.
type Deps struct {
	Runner  ports.Runner
	Catalog ports.Catalog
	Vault   ports.Vault
	Logger  *slog.Logger // nil logs nothing
}

// Options say what a Server shows. Zero sizes and times stand for the defaults of
// domain/limit.
type Options struct {
	Version           string        // of this program
	ResultsOn         bool          // whether the results store is on
	ArtifactsOn       bool          // whether the artifacts store is on
	ListLive          bool          // whether resources/list and completion show what is saved: for a single client only
	RunTime           time.Duration // the limit on a run
	InlineValueBytes  int           // a value of more bytes is stored and shown as a preview, which has no more
	InlineOutputBytes int           // what is shown of stdout and of stderr, each
	Connection        stdio.Options // bounds of the connection that Serve makes
}

func (o Options) complete() Options {
	if o.Version == "" {
		o.Version = "unknown"
	}
	if o.RunTime <= 0 {
		o.RunTime = limit.Defaults().Run.Time
	}
	if o.InlineValueBytes <= 0 {
		o.InlineValueBytes = int(limit.DefaultFacade().InlineValue)
	}
	if o.InlineOutputBytes <= 0 {
		o.InlineOutputBytes = int(limit.DefaultFacade().InlineOutput)
	}
	if o.Connection.Linger <= 0 {
		o.Connection.Linger = o.RunTime + 5*time.Second
	}
	return o
}

// Server is the MCP server of one client. It may be used concurrently.
type Server struct {
	deps     Deps
	opts     Options
	log      *slog.Logger
	mcp      *server.MCPServer
	surface  surface
	failures atomic.Int64 // numbers what only the log tells
}

// New returns a server for what deps offer.
func New(deps Deps, opts Options) *Server {
	s := &Server{deps: deps, opts: opts.complete(), log: deps.Logger}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.opts.Connection.Logger = s.log
	s.surface = newSurface(s.opts)
	hooks := &server.Hooks{}
	hooks.AddOnError(s.sayWhatThereIs)
	hooks.AddOnError(s.sayWhatDoesNotFit)
	features := []server.ServerOption{
		server.WithTitle("toolplane"),
		server.WithDescription("Runs Python in a sandbox that calls the user's tools as functions."),
		server.WithInstructions(s.surface.text("instructions.md")),
		server.WithToolCapabilities(false),
		server.WithResourceCapabilities(false, false),
		server.WithHooks(hooks),
	}
	if s.opts.ListLive {
		hooks.AddAfterListResources(s.listLive)
		features = append(features, server.WithCompletions(), server.WithResourceCompletionProvider(completer{s}))
	}
	s.mcp = server.NewMCPServer("toolplane", s.opts.Version, features...)
	s.addTools()
	s.addResources()
	return s
}

// Serve answers the client at the other end of in and out until in ends, ctx
// ends, or the client is gone. Requests under way get their answers first,
// within bounds; see stdio.Serve.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return stdio.Serve(ctx, s.mcp, in, out, s.opts.Connection)
}
