package ports

import (
	"context"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/run"
)

// Source offers capabilities: the functions of a program, the tools of an
// upstream server, the binaries of this machine. Runtimes may share one.
//
// Capabilities lists what the source offers now.
//
// Call calls one of them by its id with an object of arguments. Faults go to
// the snippet as they are, one of class Tool together with the answer's value;
// any other error is taken for a defect and hidden. A source stops working when
// ctx ends; a call that does not is left behind. Both may be called concurrently.
type Source interface {
	Capabilities(ctx context.Context) ([]capability.Descriptor, error)
	Call(ctx context.Context, id capability.ID, args canon.Value) (run.Answer, error)
}
