//go:build wireinject

package compose

import (
	"github.com/google/wire"

	"toolplane/adapters/argcheck"
	"toolplane/adapters/extismbox"
	"toolplane/adapters/system"
	"toolplane/app"
	"toolplane/ports"
)

// everything but the sandbox.
var everything = wire.NewSet(
	newLogger, newBlobs, newAppOptions, newValidator, newClock, newEntropy,
	wire.Bind(new(ports.Validator), new(argcheck.Checker)),
	wire.Bind(new(ports.Clock), new(system.Clock)),
	wire.Bind(new(ports.Entropy), new(system.Entropy)),
	wire.Struct(new(app.Deps), "*"),
	app.NewRuntime,
)

// NewRuntime returns a runtime that runs snippets in CPython on WebAssembly. The
// caller connects sources to it, makes a workspace for each client, and closes
// it. Nothing expensive happens before the first run.
func NewRuntime(opts Options) (*app.Runtime, error) {
	panic(wire.Build(everything, newSandbox, wire.Bind(new(ports.Sandbox), new(*extismbox.Sandbox))))
}

// NewRuntimeWith is NewRuntime with another sandbox, which the runtime closes.
func NewRuntimeWith(box ports.Sandbox, opts Options) (*app.Runtime, error) {
	panic(wire.Build(everything))
}
