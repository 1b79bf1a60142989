package ports

import (
	"context"

	"toolplane/domain/handle"
	"toolplane/domain/run"
)

// Vault reads what one client's snippets have saved, without running one.
//
// Read returns what is kept under a handle; an unknown or expired handle and a
// store that is off are the faults that a snippet would get. Live returns what
// is kept at present, results before artifacts, oldest first. Keep saves a
// value as a result, as save_result does, or, where the results store is off,
// full or too small for it, its JSON as an artifact of the media type
// application/json; when that is refused too, its fault is the results store's.
// Bytes it saves as an artifact. All methods may be called concurrently.
type Vault interface {
	Read(ctx context.Context, kind handle.Kind, text string) (run.Kept, error)
	Live(ctx context.Context) ([]run.Pointer, error)
	Keep(ctx context.Context, value run.Payload, label string) (run.Pointer, error)
}
