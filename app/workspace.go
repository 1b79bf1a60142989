package app

import (
	"errors"

	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/ports"
)

// Workspace is everything that belongs to one client. Runs of one workspace
// load what its other runs saved; nothing crosses to another workspace, even
// of the same runtime. It may be used concurrently.
type Workspace struct {
	runtime   *Runtime
	results   *shelf
	artifacts *shelf
}

var _ ports.Runner = (*Workspace)(nil)

// NewWorkspace returns an empty workspace. The caller closes it, or the runtime
// does.
func (r *Runtime) NewWorkspace() (*Workspace, error) {
	results, err := r.newShelf(handle.Result, r.caps.Results)
	if err != nil {
		return nil, err
	}
	artifacts, err := r.newShelf(handle.Artifact, r.caps.Artifacts)
	if err != nil {
		return nil, errors.Join(err, results.close())
	}
	w := &Workspace{runtime: r, results: results, artifacts: artifacts}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errors.Join(fault.New(fault.ArgsInvalid, "the runtime is closed"), w.free())
	}
	r.workspaces[w] = struct{}{}
	return w, nil
}

// Close forgets everything that the workspace keeps. It may be called more than
// once.
func (w *Workspace) Close() error {
	w.runtime.mu.Lock()
	delete(w.runtime.workspaces, w)
	w.runtime.mu.Unlock()
	return w.free()
}

func (w *Workspace) free() error {
	return errors.Join(w.results.close(), w.artifacts.close())
}
