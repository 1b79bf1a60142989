package app

import (
	"context"

	"toolplane/domain/discover"
	"toolplane/ports"
)

var (
	_ ports.Catalog = (*Runtime)(nil)
	_ ports.Catalog = (*Workspace)(nil)
)

// Search ranks the visible capabilities. See ports.Catalog.
func (r *Runtime) Search(ctx context.Context, query discover.Query) (discover.Page, error) {
	if err := ctx.Err(); err != nil {
		return discover.Page{}, err
	}
	if err := query.Validate(); err != nil {
		return discover.Page{}, err
	}
	return r.catalog.Load().finder().Search(query), nil
}

// Describe renders the named capabilities. See ports.Catalog.
func (r *Runtime) Describe(ctx context.Context, names []string, detail discover.Detail) ([]discover.Description, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.catalog.Load().finder().Describe(names, detail)
}

// Manifest tells the whole namespace. See ports.Catalog.
func (r *Runtime) Manifest(ctx context.Context) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	mode := discover.Mode{Results: r.caps.Results, Artifacts: r.caps.Artifacts}
	return r.catalog.Load().finder().Manifest(mode), nil
}

// Search ranks the capabilities that this client sees. See ports.Catalog.
func (w *Workspace) Search(ctx context.Context, query discover.Query) (discover.Page, error) {
	return w.runtime.Search(ctx, query)
}

// Describe renders capabilities for this client. See ports.Catalog.
func (w *Workspace) Describe(ctx context.Context, names []string, detail discover.Detail) ([]discover.Description, error) {
	return w.runtime.Describe(ctx, names, detail)
}

// Manifest tells this client's namespace. See ports.Catalog.
func (w *Workspace) Manifest(ctx context.Context) (string, error) {
	return w.runtime.Manifest(ctx)
}
