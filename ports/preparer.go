package ports

import "context"

// Preparer is a Sandbox that can be made ready ahead of its first run. Prepare
// returns when it is ready or ctx ends, which does not end the preparation. It
// may be called concurrently and more than once.
type Preparer interface {
	Prepare(ctx context.Context) error
}
