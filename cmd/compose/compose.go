// Package compose wires the parts of toolplane together.
//
// It is the one place that knows them all: Main is the program, and a Go
// program that embeds toolplane gets a Runtime from NewRuntime, or from
// NewRuntimeWith and any sandbox. wire writes the injectors of wire.go into
// wire_gen.go, which is committed.
package compose

import (
	"log/slog"

	"toolplane/adapters/argcheck"
	"toolplane/adapters/extismbox"
	"toolplane/adapters/membytes"
	"toolplane/adapters/system"
	"toolplane/adapters/tempfiles"
	"toolplane/app"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/ports"
)

// Options say how a Runtime works. The zero Options are useful.
type Options struct {
	// Caps are the limits; the zero Caps stand for limit.Defaults.
	Caps limit.Caps

	// CacheDir is where compiled code and the interpreter's image are kept, a
	// directory that is this user's alone. "" keeps them in memory, and then
	// each new Runtime takes about two seconds to prepare.
	CacheDir string

	// Progress shows one step of a preparation that takes a while; nil shows
	// nothing.
	Progress func(step string)

	// Logger gets what only the operator should see; nil logs nothing.
	Logger *slog.Logger

	// Paranoid compares a sandbox's whole memory with its image after every run.
	Paranoid bool
}

func newLogger(opts Options) *slog.Logger {
	if opts.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return opts.Logger
}

func newSandbox(opts Options, log *slog.Logger) (*extismbox.Sandbox, error) {
	return extismbox.New(extismbox.Options{
		Dir: opts.CacheDir, Progress: opts.Progress, Logger: log, Paranoid: opts.Paranoid,
	})
}

// newBlobs keeps results in memory and artifacts in a private directory on
// disk.
func newBlobs(log *slog.Logger) app.NewBlobs {
	space := tempfiles.New(tempfiles.Options{Logger: log})
	return func(kind handle.Kind) (ports.Blobs, error) {
		if kind == handle.Artifact {
			return space.NewStore(kind), nil
		}
		return membytes.New(), nil
	}
}

func newAppOptions(opts Options) app.Options { return app.Options{Caps: opts.Caps} }

func newValidator() argcheck.Checker { return argcheck.Checker{} }

func newClock() system.Clock { return system.Clock{} }

func newEntropy() system.Entropy { return system.Entropy{} }
