package test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"toolplane/app"
	"toolplane/cmd/compose"
	"toolplane/ports"
)

// cacheDir is where the runtimes of this package's tests keep what takes two
// seconds to make.
var cacheDir string

func TestMain(m *testing.M) { os.Exit(withCacheDir(m.Run)) }

func withCacheDir(run func() int) int {
	dir, err := os.MkdirTemp("", "toolplane-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	cacheDir = filepath.Join(dir, "cache")
	return run()
}

// newRuntime returns a real runtime with the sources given.
func newRuntime(t *testing.T, opts compose.Options, sources ...ports.Source) *app.Runtime {
	t.Helper()
	is := is.New(t)
	opts.CacheDir = cacheDir
	r, err := compose.NewRuntime(opts)
	is.NoErr(err)
	t.Cleanup(func() { is.NoErr(r.Close()) })
	is.NoErr(r.Connect(t.Context(), sources...))
	return r
}

// newWorkspace returns a workspace of a real runtime with the sources given.
func newWorkspace(t *testing.T, sources ...ports.Source) *app.Workspace {
	t.Helper()
	w, err := newRuntime(t, compose.Options{}, sources...).NewWorkspace()
	is.New(t).NoErr(err)
	return w
}
