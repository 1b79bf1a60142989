// Package app is the application: it runs snippets and decides what they may do.
//
// A Runtime holds what clients share: the sandbox, the sources and the index of
// what they offer. A Workspace is everything that belongs to one client: its
// results, its artifacts, its grants. Each run gets a bridge of its own, the
// only door from the sandbox to the host, where quotas, policy and validation
// apply. Nothing here knows a technology: all of it arrives as ports.
package app

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"toolplane/domain/capability"
	"toolplane/domain/discover"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/ports"
)

// NewBlobs makes the store for one workspace's results or artifacts.
type NewBlobs func(kind handle.Kind) (ports.Blobs, error)

// Deps is what a Runtime works with; all of it is required.
type Deps struct {
	Sandbox   ports.Sandbox
	Validator ports.Validator
	Clock     ports.Clock
	Entropy   ports.Entropy
	NewBlobs  NewBlobs
	Logger    *slog.Logger
}

// Options says how a Runtime works. The zero Options stand for the default
// caps.
type Options struct {
	Caps    limit.Caps // the zero Caps stand for limit.Defaults
	Backend string     // the sandbox's name in outcomes; "" means "extism"
}

// Runtime is what clients share. It may be used concurrently.
type Runtime struct {
	deps    Deps
	caps    limit.Caps
	backend string
	checks  checks
	catalog atomic.Pointer[catalog]

	mu         sync.Mutex // guards what follows
	sources    []ports.Source
	workspaces map[*Workspace]struct{}
	closed     bool
}

// catalog is what the sources offered at one time.
type catalog struct {
	index  *capability.Index
	owner  map[capability.ID]ports.Source
	finder func() *discover.Index // made when first asked for
}

func newCatalog(index *capability.Index, owner map[capability.ID]ports.Source) *catalog {
	finder := sync.OnceValue(func() *discover.Index { return discover.NewIndex(index) })
	return &catalog{index: index, owner: owner, finder: finder}
}

// NewRuntime returns a runtime without sources. The caller closes it; that
// closes the sandbox too.
func NewRuntime(deps Deps, opts Options) (*Runtime, error) {
	if opts.Caps == (limit.Caps{}) {
		opts.Caps = limit.Defaults()
	}
	if err := opts.Caps.Validate(); err != nil {
		return nil, err
	}
	if opts.Backend == "" {
		opts.Backend = "extism"
	}
	r := &Runtime{
		deps: deps, caps: opts.Caps, backend: opts.Backend,
		checks:     checks{validator: deps.Validator, log: deps.Logger},
		workspaces: map[*Workspace]struct{}{},
	}
	if err := r.Refresh(context.Background()); err != nil {
		return nil, err
	}
	return r, nil
}

// Connect adds sources and makes what they offer callable. Of two capabilities
// with one id the first counts; the index reports the other.
func (r *Runtime) Connect(ctx context.Context, sources ...ports.Source) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rebuild(ctx, append(r.sources[:len(r.sources):len(r.sources)], sources...))
}

// Refresh asks all sources again what they offer.
func (r *Runtime) Refresh(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rebuild(ctx, r.sources)
}

// rebuild makes the catalog of the given sources and keeps both. The caller
// holds the mutex.
func (r *Runtime) rebuild(ctx context.Context, sources []ports.Source) error {
	all := capability.Own()
	owner := map[capability.ID]ports.Source{}
	for _, source := range sources {
		offered, err := source.Capabilities(ctx)
		if err != nil {
			return err
		}
		for _, d := range offered {
			if d.ID.Kind() == capability.Toolplane {
				return fault.New(fault.ArgsInvalid, "a source cannot offer %s: the kind toolplane is this program's own", d.ID)
			}
			if _, taken := owner[d.ID]; !taken {
				owner[d.ID] = source
			}
		}
		all = append(all, offered...)
	}
	r.sources = sources
	r.catalog.Store(newCatalog(capability.NewIndex(all), owner))
	return nil
}

// Caps returns the limits that hold for every workspace.
func (r *Runtime) Caps() limit.Caps { return r.caps }

// Prepare makes the sandbox ready ahead of the first run, if it is one that can
// be. It is worth calling where a first run should be as fast as the others.
func (r *Runtime) Prepare(ctx context.Context) error {
	if p, ok := r.deps.Sandbox.(ports.Preparer); ok {
		return p.Prepare(ctx)
	}
	return nil
}

// Close ends all runs and frees every workspace and the sandbox. It may be
// called more than once.
func (r *Runtime) Close() error {
	r.mu.Lock()
	open := r.workspaces
	r.workspaces, r.closed = map[*Workspace]struct{}{}, true
	r.mu.Unlock()
	first := r.deps.Sandbox.Close()
	for w := range open {
		if err := w.free(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
