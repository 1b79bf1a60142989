package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	"toolplane/app"
	"toolplane/cmd/compose"
	"toolplane/domain/run"
	"toolplane/test/bench"
)

// toolplanePeer is a runtime in this process, with one workspace.
type toolplanePeer struct {
	runtime   *app.Runtime
	workspace *app.Workspace
}

func startToolplane(ctx context.Context, cacheDir string) (*toolplanePeer, error) {
	source, err := bench.Source()
	if err != nil {
		return nil, err
	}
	r, err := compose.NewRuntime(compose.Options{CacheDir: cacheDir})
	if err != nil {
		return nil, err
	}
	p := &toolplanePeer{runtime: r}
	if err = r.Connect(ctx, source); err == nil {
		if p.workspace, err = r.NewWorkspace(); err == nil {
			err = r.Prepare(ctx)
		}
	}
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return p, nil
}

func (p *toolplanePeer) measure(ctx context.Context, w bench.Workload, n int, within time.Duration) (sample, error) {
	var last run.Outcome
	s, err := collect(ctx, n, within, func() (any, func() error, error) {
		outcome, err := p.workspace.Run(ctx, run.Request{Code: w.NewPythonFor(bench.Prefix)})
		if err == nil && !outcome.OK() {
			err = fmt.Errorf("%s: %s", outcome.Failure.Type, outcome.Failure.Message)
		}
		last = outcome
		return nil, nothing, err
	})
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(last.Value.Bytes(), &s.value)
}

func (p *toolplanePeer) close() error { return p.runtime.Close() }

// toolplaneRate measures on as many processors as there are workers, so that
// the work off the path of a run counts as well.
func toolplaneRate(cacheDir string) func(context.Context, int, time.Duration) (float64, error) {
	return func(ctx context.Context, workers int, within time.Duration) (float64, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		p, err := startToolplane(ctx, cacheDir)
		if err != nil {
			return 0, err
		}
		defer p.close()
		if _, err := p.measure(ctx, bench.Fresh, 20, within); err != nil {
			return 0, err
		}
		return together(workers, func(int) (sample, error) {
			return p.measure(ctx, bench.Fresh, 1<<30, within)
		})
	}
}
