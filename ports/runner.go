package ports

import (
	"context"

	"toolplane/domain/run"
)

// Runner runs snippets for one client: what one run saved, a later run of the
// same Runner loads.
//
// A snippet that fails or is stopped is an outcome, not an error. An error is a
// request that cannot be carried out, such as an input whose name is reserved,
// and is a fault. Run may be called concurrently; ctx ends the run.
type Runner interface {
	Run(ctx context.Context, req run.Request) (run.Outcome, error)
}
