package ports

import (
	"context"

	"toolplane/domain/discover"
)

// Catalog tells a client what its snippets can call.
//
// Search ranks the visible capabilities by a query; one without words lists all of
// them. Describe renders the named ones, hidden ones included, which helpers such
// as save_result name too; a name that
// nothing has is an entry of the answer that says so and suggests near ones,
// not an error. Manifest is the whole namespace as Markdown, for a resource.
// Errors are faults about the arguments. All methods may be called
// concurrently; what they return reflects the sources as they are now. Text
// from outside in it is truncated and escaped.
type Catalog interface {
	Search(ctx context.Context, query discover.Query) (discover.Page, error)
	Describe(ctx context.Context, names []string, detail discover.Detail) ([]discover.Description, error)
	Manifest(ctx context.Context) (string, error)
}
