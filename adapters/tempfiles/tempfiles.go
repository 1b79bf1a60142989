// Package tempfiles keeps payloads in files of a private directory that lasts no
// longer than the process.
//
// The directory is made when the first payload comes, with mode 0700, and its
// files have mode 0600 and random names that tell nothing of handles; they are
// reached through an os.Root only. It goes when the last store is closed. A crash
// leaves it behind; a lock in it then tells that nobody lives there, and the next
// start removes it. It knows no limits; the ledger has allowed what reaches it.
package tempfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"toolplane/domain/handle"
)

// prefix begins the names of our directories, lockName is the lock in each.
const (
	prefix   = "toolplane-artifacts-"
	lockName = "lock"
)

// Options say where files are kept. The zero Options are useful.
type Options struct {
	// Dir is the directory in which ours is made; "" means os.TempDir.
	Dir string

	// Logger is told what a sweep could not remove; nil logs nothing.
	Logger *slog.Logger
}

// Space makes stores that share one private directory. It may be used
// concurrently.
type Space struct {
	base string

	mu    sync.Mutex // guards what follows
	dir   *directory // nil while no store needs it
	users int
}

// New returns a space, after removing what crashed processes of this user left
// behind. It makes no directory yet.
func New(opts Options) *Space {
	if opts.Dir == "" {
		opts.Dir = os.TempDir()
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	sweep(opts.Dir, opts.Logger)
	return &Space{base: opts.Dir}
}

// NewStore returns an empty store for handles of a kind. The caller closes it.
func (s *Space) NewStore(kind handle.Kind) *Store {
	return &Store{space: s, kind: kind, kept: make(map[handle.Handle]*file)}
}

// acquire gives a store the directory, which it makes if there is none.
func (s *Space) acquire() (*directory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == nil {
		dir, err := makeDirectory(s.base)
		if err != nil {
			return nil, err
		}
		s.dir = dir
	}
	s.users++
	return s.dir, nil
}

// release takes the directory back from a store; the last one takes it along.
func (s *Space) release() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return nil
	}
	dir := s.dir
	s.dir = nil
	return dir.remove()
}

// directory is a private directory that is held by its lock.
type directory struct {
	path string
	root *os.Root
	lock *os.File
}

// makeDirectory makes a directory and locks it. A sweep of another process may
// see the directory before it is locked and take it for abandoned; then another
// one is made.
func makeDirectory(base string) (*directory, error) {
	const attempts = 5
	var err error
	for range attempts {
		var path string
		if path, err = os.MkdirTemp(base, prefix+"*"); err != nil {
			return nil, fmt.Errorf("no private directory for artifacts: %w", err)
		}
		var d *directory
		if d, err = settle(path); err == nil {
			return d, nil
		}
		err = errors.Join(err, undo(path, err))
	}
	return nil, fmt.Errorf("no private directory for artifacts in %s: %w", base, err)
}

// undo removes a directory that could not be settled because of an error. One
// that is locked or gone belongs to a sweep.
func undo(path string, because error) error {
	if errors.Is(because, errLocked) || errors.Is(because, fs.ErrNotExist) {
		return nil
	}
	// One by one: os.RemoveAll opens files, of which there may be too many.
	for _, name := range []string{filepath.Join(path, lockName), path} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// settle locks a directory that was just made.
func settle(path string) (*directory, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	lock, err := makeLock(filepath.Join(path, lockName))
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	mine, err := lock.Stat()
	if err == nil {
		var there fs.FileInfo
		if there, err = root.Lstat(lockName); err == nil && !os.SameFile(mine, there) {
			err = fs.ErrNotExist
		}
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close(), root.Close())
	}
	return &directory{path: path, root: root, lock: lock}, nil
}

// remove removes the directory with what is left in it. Where the system allows
// it the lock is held meanwhile, so that no sweep comes in between.
func (d *directory) remove() error {
	if runtime.GOOS == "windows" {
		return errors.Join(d.root.Close(), d.lock.Close(), os.RemoveAll(d.path))
	}
	return errors.Join(os.RemoveAll(d.path), d.root.Close(), d.lock.Close())
}
