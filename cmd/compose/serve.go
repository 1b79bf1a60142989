package compose

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"toolplane/adapters/mcpserver"
	"toolplane/adapters/shell"
	"toolplane/app"
)

// ServeMCP serves one MCP client of an embedding program's runtime: it reads
// requests from in and writes answers to out until in or ctx ends. The client
// gets a workspace of its own, which ends with it. Several clients may be served
// at once.
func ServeMCP(ctx context.Context, runtime *app.Runtime, in io.Reader, out io.Writer) error {
	workspace, err := runtime.NewWorkspace()
	if err != nil {
		return err
	}
	caps := runtime.Caps()
	return errors.Join(serve(ctx, workspace, mcpserver.Options{
		ResultsOn: caps.Results.Enabled, ArtifactsOn: caps.Artifacts.Enabled, RunTime: caps.Run.Time,
		Version: shell.Build{}.Complete().Program,
	}, nil, in, out), workspace.Close())
}

// serve serves a workspace to the one client that it belongs to.
func serve(ctx context.Context, w *app.Workspace, opts mcpserver.Options, log *slog.Logger, in io.Reader, out io.Writer) error {
	opts.ListLive = true
	return mcpserver.New(mcpserver.Deps{Runner: w, Catalog: w, Vault: w, Logger: log}, opts).Serve(ctx, in, out)
}
