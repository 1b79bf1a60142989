package extismbox_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/adapters/extismbox/statedir"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// copyState copies the files of the tests' state directory, so that one can be
// damaged.
func copyState(t *testing.T) string {
	t.Helper()
	is := is.New(t)
	is.NoErr(open(t, extismbox.Options{}).Prepare(t.Context())) // it exists
	dir := filepath.Join(t.TempDir(), "state")
	is.NoErr(os.CopyFS(dir, os.DirFS(stateDir)))
	is.NoErr(os.Chmod(dir, 0o700))
	return dir
}

// openIn opens a sandbox on a state directory and runs a snippet. It returns
// what the sandbox had to make.
func openIn(t *testing.T, dir string) (steps []string) {
	t.Helper()
	is := is.New(t)
	box, err := extismbox.New(extismbox.Options{Dir: dir, Progress: func(s string) { steps = append(steps, s) }})
	is.NoErr(err)
	is.Equal(result(t, box, "return 20 + 1", &host{}), "21") // it works
	is.NoErr(box.Close())
	return steps
}

func TestWhatWasMadeIsUsedAgain(t *testing.T) {
	is := is.New(t)
	is.Equal(len(openIn(t, copyState(t))), 0) // nothing to do
}

func TestDamagedFilesAreMadeAgain(t *testing.T) {
	cut := func(path string) error { return os.Truncate(path, 4096) }
	empty := func(path string) error { return os.Truncate(path, 0) }
	change := func(path string) error {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b[len(b)/2] ^= 0x40
		return os.WriteFile(path, b, 0o600)
	}
	for _, c := range []struct {
		name, files string
		damage      func(path string) error
	}{
		{"module cut", "*.wasm", cut},
		{"module changed", "*.wasm", change},
		{"image cut", "*.image", cut},
		{"image emptied", "*.image", empty},
		{"image changed", "*.image", change},
		{"image removed", "*.image", os.Remove},
		{"compiled code cut", engineFiles, cut},
		{"compiled code changed", engineFiles, change},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			dir := copyState(t)
			files, err := filepath.Glob(filepath.Join(dir, c.files))
			is.NoErr(err)
			is.True(len(files) > 0) // there is something to damage
			for _, f := range files {
				is.NoErr(os.Chmod(f, 0o600))
				is.NoErr(c.damage(f))
			}
			openIn(t, dir)
			is.Equal(len(openIn(t, dir)), 0) // and it is whole again
		})
	}
}

// The module that stands for compiled code must never be compiled itself: its
// functions do nothing. If wazero loses the code, that is noticed.
func TestHollowCodeIsNoticed(t *testing.T) {
	is := is.New(t)
	dir := copyState(t)
	entries, err := filepath.Glob(filepath.Join(dir, "*.entry"))
	is.NoErr(err)
	is.True(len(entries) > 0)
	code, err := filepath.Glob(filepath.Join(dir, engineFiles))
	is.NoErr(err)
	state, err := statedir.Open(dir)
	is.NoErr(err)
	for _, e := range entries {
		is.NoErr(state.WriteBytes(filepath.Base(e), []byte("other"))) // says that it is where it is not
	}
	is.NoErr(state.Close())
	for _, file := range code {
		is.NoErr(os.Remove(file))
	}
	is.NoErr(os.WriteFile(filepath.Join(dir, "wazero", "other"), nil, 0o600))
	is.True(len(openIn(t, dir)) > 0) // it runs, and the code was made again
	is.Equal(len(openIn(t, dir)), 0) // once
}

// engineFiles are the files that wazero keeps.
const engineFiles = "wazero/*/*"

func TestFilesInUseCanBeMadeAgain(t *testing.T) {
	is := is.New(t)
	dir := copyState(t)
	box, err := extismbox.New(extismbox.Options{Dir: dir})
	is.NoErr(err)
	is.Equal(result(t, box, "return 1", &host{}), "1")
	for _, kind := range []string{"*.wasm", "*.image"} {
		files, err := filepath.Glob(filepath.Join(dir, kind))
		is.NoErr(err)
		for _, f := range files {
			is.NoErr(os.Remove(f))
		}
	}
	openIn(t, dir)
	is.Equal(result(t, box, "return 2", &host{}), "2") // the old image is still there for who has it
	is.NoErr(box.Close())
}

func TestUnsafeStateDirectoryIsRefused(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	is.NoErr(os.Chmod(dir, 0o755))
	box, err := extismbox.New(extismbox.Options{Dir: dir})
	is.NoErr(err)
	_, err = box.Run(t.Context(), run.Job{Code: "1", Limits: limit.Defaults().Run}, &host{})
	is.True(err != nil)                         // refused
	is.True(strings.Contains(err.Error(), dir)) // by name
	is.NoErr(box.Close())
}

func TestWorksWithoutAStateDirectory(t *testing.T) {
	is := is.New(t)
	box, err := extismbox.New(extismbox.Options{})
	is.NoErr(err)
	is.Equal(result(t, box, "return 1 + 1", &host{}), "2")
	is.NoErr(box.Close())
}

func TestManyPrepareOnce(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := box.Prepare(t.Context()); err != nil {
				t.Errorf("prepare: %v", err)
			}
		})
	}
	all.Wait()
	is.Equal(result(t, box, "return 1 + 1", &host{}), "2")
}

// TestWorksWhereNothingCanBeStored has directories stand where files belong.
func TestWorksWhereNothingCanBeStored(t *testing.T) {
	is := is.New(t)
	dir := copyState(t)
	for _, kind := range []string{"*.wasm", "*.image"} {
		files, err := filepath.Glob(filepath.Join(dir, kind))
		is.NoErr(err)
		for _, f := range files {
			is.NoErr(os.Remove(f))
			is.NoErr(os.MkdirAll(filepath.Join(f, "full"), 0o700))
		}
	}
	is.True(len(openIn(t, dir)) > 0) // everything is made
	is.True(len(openIn(t, dir)) > 0) // each time
}

// TestOpeningEndsWithItsSandbox closes a sandbox while it makes what it needs: what
// is on its way is not made to its end.
func TestOpeningEndsWithItsSandbox(t *testing.T) {
	for _, step := range []string{"compiling", "starting"} {
		t.Run(step, func(t *testing.T) {
			is := is.New(t)
			dir, result := filepath.Join(t.TempDir(), "state"), "*.entry"
			if step == "starting" {
				dir, result = copyState(t), "*.image"
				images, err := filepath.Glob(filepath.Join(dir, result))
				is.NoErr(err)
				for _, image := range images {
					is.NoErr(os.Remove(image))
				}
			}
			reached := make(chan struct{})
			box, err := extismbox.New(extismbox.Options{Dir: dir, Progress: func(s string) {
				if strings.HasPrefix(s, step) {
					close(reached)
				}
			}})
			is.NoErr(err)
			ended := make(chan error, 1)
			go func() { ended <- box.Prepare(t.Context()) }()
			select {
			case <-reached:
			case err := <-ended:
				t.Fatal("there was nothing to make", err)
			}
			is.NoErr(box.Close())
			is.True(<-ended != nil) // it was not made
			made, err := filepath.Glob(filepath.Join(dir, result))
			is.NoErr(err)
			is.Equal(len(made), 0)
			left, err := filepath.Glob(filepath.Join(dir, ".new-*"))
			is.NoErr(err)
			is.Equal(len(left), 0) // nothing half made is left
		})
	}
}
