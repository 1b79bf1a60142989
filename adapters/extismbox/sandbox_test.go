package extismbox_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/adapters/extismbox/memory"
	"toolplane/ports"
	"toolplane/test/contract"
)

// stateDir is where the tests of this package keep what is expensive to make.
var stateDir string

func TestMain(m *testing.M) { os.Exit(withStateDir(m.Run)) }

func withStateDir(run func() int) int {
	dir, err := os.MkdirTemp("", "extismbox-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	stateDir = filepath.Join(dir, "state")
	return run()
}

// open returns a sandbox that shares what was made before, and closes it when
// the test ends.
func open(t *testing.T, options extismbox.Options) *extismbox.Sandbox {
	t.Helper()
	is := is.New(t)
	options.Dir = stateDir
	s, err := extismbox.New(options)
	is.NoErr(err) // a sandbox
	t.Cleanup(func() { is.NoErr(s.Close()) })
	return s
}

func TestExtismIsASandbox(t *testing.T) {
	contract.Sandbox(t, contract.Python, func(t *testing.T) ports.Sandbox { return open(t, extismbox.Options{}) })
}

// TestEveryResetIsASandbox compares the whole memory after every reset.
func TestEveryResetIsASandbox(t *testing.T) {
	for _, reset := range memory.Names() {
		t.Run(reset, func(t *testing.T) {
			contract.Sandbox(t, contract.Python, func(t *testing.T) ports.Sandbox {
				return open(t, extismbox.Options{Reset: reset, Paranoid: true})
			})
		})
	}
}
