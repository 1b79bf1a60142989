// Package statedir keeps files that are as good as program code: derived
// modules, memory images, compiled code.
//
// A Dir belongs to this user alone: it is a real directory of mode 0700, or it
// is refused. Files appear whole, by renaming a temporary one, and go by unlink;
// they are never changed in place, since programs have them mapped. Each file
// ends in a seal, its size and a checksum, so that a damaged or cut one reads
// as if it were not there. The seal finds accidents, not enemies: whoever can
// write here is the user.
package statedir

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Dir is an open state directory. Its methods may be called concurrently.
type Dir struct {
	path string
	root *os.Root
}

// temporary begins the names of files that are not complete; abandoned is how
// old one of them must be to have been left behind by a crash.
const (
	temporary = ".new-"
	abandoned = time.Hour
)

// Open opens the directory at path, which it makes if need be. It refuses one
// that others may enter, that another user owns or that is a symbolic link.
func Open(path string) (*Dir, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if err := private(path, info); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = fmt.Errorf("the cache directory %s was exchanged while it was opened", path)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	d := &Dir{path: path, root: root}
	d.sweep()
	return d, nil
}

// private reports why a directory cannot be trusted.
func private(path string, info fs.FileInfo) error {
	const wayOut = "it holds code that is run; give another directory or none"
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("the cache directory %s is a symbolic link: %s", path, wayOut)
	case !info.IsDir():
		return fmt.Errorf("the cache directory %s is not a directory: %s", path, wayOut)
	case !ownedByUser(info):
		return fmt.Errorf("the cache directory %s belongs to another user: %s", path, wayOut)
	case !closedToOthers(info):
		return fmt.Errorf("the cache directory %s has mode %v and must have 0700: %s", path, info.Mode().Perm(), wayOut)
	default:
		return nil
	}
}

// Path returns the directory's absolute path, for software that keeps files of
// its own in it.
func (d *Dir) Path() string { return d.path }

// Close closes the directory; files that are open stay usable.
func (d *Dir) Close() error { return d.root.Close() }

// sweep removes what crashes left behind.
func (d *Dir) sweep() {
	d.remove(func(path string, age time.Duration) bool {
		return strings.HasPrefix(path, temporary) && age > abandoned
	})
}

// Prune removes all files that are older than age, for instance those that
// earlier versions of this program have left. Who has one open keeps it.
func (d *Dir) Prune(age time.Duration) {
	d.remove(func(_ string, old time.Duration) bool { return old > age })
}

// remove removes the files that old picks by path and age, also below, and the
// directories that are empty then. It is not important enough to fail.
func (d *Dir) remove(old func(path string, age time.Duration) bool) {
	var dirs []string
	_ = fs.WalkDir(d.root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return nil
		}
		info, err := e.Info()
		switch {
		case err != nil || !old(path, time.Since(info.ModTime())):
		case e.IsDir():
			dirs = append(dirs, path)
		case e.Type().IsRegular():
			_ = d.root.Remove(path)
		}
		return nil
	})
	for _, path := range slices.Backward(dirs) {
		_ = d.root.Remove(path) // fails where something is left in it
	}
}

// Write puts a file of the given name and content in place, read-only. fill
// writes the content to the empty file it is given; size is the content's
// length.
func (d *Dir) Write(name string, size int64, fill func(*os.File) error) (err error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return err
	}
	temp := temporary + hex.EncodeToString(random[:])
	f, err := d.root.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err == nil {
			err = d.root.Rename(temp, name)
		}
		if err != nil {
			err = errors.Join(err, d.root.Remove(temp))
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	sum, err := checksum(f, size)
	if err != nil {
		return err
	}
	if _, err := f.WriteAt(sealOf(size, sum), size); err != nil {
		return err
	}
	return f.Chmod(fileMode)
}

// WriteBytes is Write for content at hand.
func (d *Dir) WriteBytes(name string, content []byte) error {
	return d.Write(name, int64(len(content)), func(f *os.File) error {
		_, err := f.WriteAt(content, 0)
		return err
	})
}

// Open opens a file and returns the length of its content, which begins at
// offset 0. A file that is missing, cut or damaged is fs.ErrNotExist; such a
// file is also removed.
func (d *Dir) Open(name string) (_ *os.File, size int64, _ error) {
	f, err := d.root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	if size, err = verify(f); err != nil {
		return nil, 0, errors.Join(fs.ErrNotExist, err, f.Close(), d.root.Remove(name))
	}
	return f, size, nil
}

// Remove removes a file; one that is missing is no error.
func (d *Dir) Remove(name string) error {
	if err := d.root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// ReadBytes returns a file's content. It fails as Open does.
func (d *Dir) ReadBytes(name string) ([]byte, error) {
	f, size, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	content := make([]byte, size)
	_, err = io.ReadFull(f, content)
	return content, errors.Join(err, f.Close())
}
