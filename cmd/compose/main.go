package compose

import (
	"context"
	"io"
	"log/slog"
	"runtime/debug"

	"toolplane/adapters/extismbox"
	"toolplane/adapters/shell"
)

// gcPercent suits a small heap that turns over fast: every call into a sandbox
// allocates, and at Go's own 100 the collector would run all the time.
const gcPercent = 400

// Main is the program toolplane: it carries out a command line, args without
// the program's name, and returns the exit status. The end of ctx, SIGINT and
// SIGTERM end what goes on.
func Main(ctx context.Context, args []string, env func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	if env("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	ctx, stop := shell.Signals(ctx)
	defer stop()
	build := shell.Build{Python: extismbox.PythonVersion}.Complete()
	h := host{env: env, log: slog.New(slog.NewTextHandler(stderr, nil)), version: build.Program, read: map[string]configuration{}}
	return shell.New(h, build).Main(ctx, args, env, stdin, stdout, stderr)
}
