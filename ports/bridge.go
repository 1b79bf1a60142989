package ports

import (
	"context"

	"toolplane/domain/run"
)

// Bridge is the only door from a sandbox to the host. There is one for each
// run, made by the application, which applies quotas and policy in it.
//
// Call blocks until the capability has answered and may be called concurrently;
// the caller ends it through ctx, which a capability may fail to heed. An error is a fault that the snippet may
// catch; with one of class Tool the answer's value is what else the tool said.
// The payload's bytes are used during the call only.
//
// Print takes what the snippet printed, in order, from one goroutine at a time;
// it does not keep text. An error is the fault that stops the run.
type Bridge interface {
	Call(ctx context.Context, call run.Call) (run.Answer, error)
	Print(stream run.Stream, text []byte) error
}
