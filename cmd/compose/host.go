package compose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"toolplane/adapters/mcpserver"
	"toolplane/adapters/shell"
	"toolplane/adapters/system"
	"toolplane/adapters/tomlconfig"
	"toolplane/app"
	"toolplane/domain/limit"
	"toolplane/ports"
)

// host is what the command line drives: it opens a configured runtime with one
// workspace, since a command serves one client.
type host struct {
	env     func(string) string
	log     *slog.Logger
	version string
	read    map[string]configuration // by what --config says
}

// configuration is what was read, which happens once: a pipe has nothing to
// read for the second time.
type configuration struct {
	config   tomlconfig.Config
	warnings []tomlconfig.Warning
	err      error
}

// opened is a configured runtime with its workspace.
type opened struct {
	config    tomlconfig.Config
	runtime   *app.Runtime
	workspace *app.Workspace
}

func (h host) open(opts shell.Options) (opened, error) {
	config, warnings, err := h.config(opts)
	if err != nil {
		return opened{}, err
	}
	for _, w := range warnings {
		opts.Progress(w.String())
	}
	dir, err := system.CacheDir(h.env)
	if err != nil {
		return opened{}, err
	}
	runtime, err := NewRuntime(Options{Caps: config.Caps, CacheDir: dir, Progress: opts.Progress, Logger: h.log, Paranoid: opts.Paranoid})
	if err != nil {
		return opened{}, err
	}
	if err := runtime.CheckBackend(config.Backend); err != nil {
		return opened{}, errors.Join(fmt.Errorf("%s: default_backend: %w", config.Path, err), runtime.Close())
	}
	workspace, err := runtime.NewWorkspace()
	if err != nil {
		return opened{}, errors.Join(err, runtime.Close())
	}
	return opened{config: config, runtime: runtime, workspace: workspace}, nil
}

func (h host) config(opts shell.Options) (tomlconfig.Config, []tomlconfig.Warning, error) {
	c, ok := h.read[opts.Config]
	if !ok {
		c.config, c.warnings, c.err = tomlconfig.Load(tomlconfig.Options{Explicit: opts.Config, Getenv: h.env})
		h.read[opts.Config] = c
	}
	return c.config, c.warnings, c.err
}

// Limits returns what bounds a run.
func (h host) Limits(opts shell.Options) (limit.Run, error) {
	config, _, err := h.config(opts) // Open gives the warnings
	return config.Caps.Run, err
}

// Open opens a runner for the commands that run snippets.
func (h host) Open(_ context.Context, opts shell.Options) (ports.Runner, func() error, error) {
	o, err := h.open(opts)
	if err != nil {
		return nil, nil, err
	}
	return o.workspace, o.runtime.Close, nil
}

// ServeMCP serves one client of MCP over a pair of streams. It prepares the
// interpreter meanwhile, so that the client's first run need not.
func (h host) ServeMCP(ctx context.Context, opts shell.Options, announce func([]limit.Line), in io.Reader, out io.Writer) (err error) {
	o, err := h.open(opts)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := o.runtime.Close(); err == nil {
			err = closeErr
		}
	}()
	announce(h.policy(o.config))
	prepared := make(chan struct{})
	preparing, stop := context.WithCancel(ctx)
	defer func() { stop(); <-prepared }()
	go func() {
		defer close(prepared)
		if err := o.runtime.Prepare(preparing); err != nil && preparing.Err() == nil {
			h.log.Error("the sandbox cannot be prepared", "error", err)
		}
	}()
	return serve(ctx, o.workspace, mcpserver.Options{
		ResultsOn: o.config.Caps.Results.Enabled, ArtifactsOn: o.config.Caps.Artifacts.Enabled,
		RunTime:          o.config.Caps.Run.Time,
		InlineValueBytes: int(o.config.Facade.InlineValue), InlineOutputBytes: int(o.config.Facade.InlineOutput),
		Version: h.version,
	}, h.log, in, out)
}

// policy is what is in force, for the operator.
func (h host) policy(config tomlconfig.Config) []limit.Line {
	path := config.Path
	if path == "" {
		path = "none, defaults hold"
	}
	lines := []limit.Line{{Name: "config", Text: path}}
	return append(lines, config.Caps.Describe()...)
}

// Trust marks a configuration in a directory as one that may be used.
func (h host) Trust(path string) error {
	dir, err := tomlconfig.UserDir()
	if err != nil {
		return err
	}
	return tomlconfig.Trust(dir, path)
}
