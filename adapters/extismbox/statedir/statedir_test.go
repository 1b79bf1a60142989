package statedir_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox/statedir"
)

func open(t *testing.T, path string) *statedir.Dir {
	t.Helper()
	d, err := statedir.Open(path)
	is.New(t).NoErr(err) // it opens
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestDirectoryIsMadeForTheUserAlone(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "a", "b")
	is.Equal(open(t, path).Path(), path)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		is.NoErr(err)
		is.Equal(info.Mode().Perm(), fs.FileMode(0o700))
	}
}

func TestUnsafeDirectoriesAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{"a file": file}
	if runtime.GOOS != "windows" {
		real := t.TempDir()
		link := filepath.Join(t.TempDir(), "link")
		open := filepath.Join(t.TempDir(), "open")
		if err := errors.Join(os.Chmod(real, 0o700), os.Symlink(real, link), os.Mkdir(open, 0o700), os.Chmod(open, 0o750)); err != nil {
			t.Fatal(err)
		}
		cases["a symbolic link"], cases["one that others enter"] = link, open
	}
	if os.Geteuid() == 0 {
		foreign := filepath.Join(t.TempDir(), "foreign")
		if err := errors.Join(os.Mkdir(foreign, 0o700), os.Chown(foreign, 12345, 12345)); err != nil {
			t.Fatal(err)
		}
		cases["another user's"] = foreign
	}
	for name, path := range cases {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := statedir.Open(path)
			is.True(err != nil)                          // refused
			is.True(strings.Contains(err.Error(), path)) // by name
		})
	}
}

func TestFilesComeBack(t *testing.T) {
	is := is.New(t)
	d := open(t, filepath.Join(t.TempDir(), "d"))
	for _, content := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("0123456789"), 100_000)} {
		is.NoErr(d.WriteBytes("file", content))
		got, err := d.ReadBytes("file")
		is.NoErr(err)
		is.True(bytes.Equal(got, content)) // byte for byte
	}
	f, size, err := d.Open("file")
	is.NoErr(err)
	is.Equal(size, int64(1_000_000)) // the seal is not part of the content
	is.NoErr(f.Close())
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(d.Path(), "file"))
		is.NoErr(err)
		is.Equal(info.Mode().Perm(), fs.FileMode(0o400)) // nobody changes it by accident
	}
	entries, err := os.ReadDir(d.Path())
	is.NoErr(err)
	is.Equal(len(entries), 1) // no temporary file stays
}

func TestMissingFileDoesNotExist(t *testing.T) {
	_, err := open(t, filepath.Join(t.TempDir(), "d")).ReadBytes("file")
	is.New(t).True(errors.Is(err, fs.ErrNotExist))
}

func TestDamagedFilesDoNotExist(t *testing.T) {
	content := bytes.Repeat([]byte("content "), 10_000)
	for name, damage := range map[string]func(b []byte) []byte{
		"cut":               func(b []byte) []byte { return b[:len(b)/2] },
		"cut by a byte":     func(b []byte) []byte { return b[:len(b)-1] },
		"emptied":           func([]byte) []byte { return nil },
		"longer":            func(b []byte) []byte { return append(b, 0) },
		"changed":           func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"changed in front":  func(b []byte) []byte { b[0] ^= 0x80; return b },
		"changed in a seal": func(b []byte) []byte { b[len(b)-3] ^= 1; return b },
		"zeroed":            func(b []byte) []byte { clear(b); return b },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			d := open(t, filepath.Join(t.TempDir(), "d"))
			is.NoErr(d.WriteBytes("file", content))
			path := filepath.Join(d.Path(), "file")
			stored, err := os.ReadFile(path)
			is.NoErr(err)
			is.NoErr(os.Remove(path))
			is.NoErr(os.WriteFile(path, damage(stored), 0o400))
			_, err = d.ReadBytes("file")
			is.True(errors.Is(err, fs.ErrNotExist)) // as if it were not there
			is.NoErr(d.WriteBytes("file", content)) // and it can be made again
			got, err := d.ReadBytes("file")
			is.NoErr(err)
			is.True(bytes.Equal(got, content))
		})
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	is := is.New(t)
	d := open(t, filepath.Join(t.TempDir(), "d"))
	is.NoErr(d.WriteBytes("file", []byte("old")))
	broken := errors.New("broken")
	err := d.Write("file", 3, func(f *os.File) error {
		_, _ = f.WriteString("ne")
		return broken
	})
	is.True(errors.Is(err, broken))
	got, err := d.ReadBytes("file")
	is.NoErr(err)
	is.Equal(string(got), "old") // the old file stays
	entries, err := os.ReadDir(d.Path())
	is.NoErr(err)
	is.Equal(len(entries), 1) // and nothing else
}

func TestLeftoversOfCrashesAreSwept(t *testing.T) {
	is := is.New(t)
	path := filepath.Join(t.TempDir(), "d")
	open(t, path)
	old, recent := filepath.Join(path, ".new-0011"), filepath.Join(path, ".new-0022")
	is.NoErr(os.WriteFile(old, []byte("half"), 0o600))
	is.NoErr(os.WriteFile(recent, []byte("half"), 0o600))
	yesterday := time.Now().Add(-24 * time.Hour)
	is.NoErr(os.Chtimes(old, yesterday, yesterday))
	tree := filepath.Join(path, ".new-tree", "below")
	is.NoErr(os.MkdirAll(tree, 0o700))
	is.NoErr(os.WriteFile(filepath.Join(tree, "half"), nil, 0o600))
	for _, name := range []string{filepath.Join(tree, "half"), tree, filepath.Dir(tree)} {
		is.NoErr(os.Chtimes(name, yesterday, yesterday))
	}
	open(t, path)
	_, err := os.Stat(filepath.Dir(tree))
	is.True(errors.Is(err, fs.ErrNotExist)) // a whole tree
	_, err = os.Stat(old)
	is.True(errors.Is(err, fs.ErrNotExist)) // abandoned
	_, err = os.Stat(recent)
	is.NoErr(err) // somebody may be writing it
}

func TestPruneRemovesWhatIsOld(t *testing.T) {
	is := is.New(t)
	d := open(t, filepath.Join(t.TempDir(), "d"))
	lastYear := time.Now().Add(-365 * 24 * time.Hour)
	for _, name := range []string{"old", "new", "sub/old", "sub/new"} {
		path := filepath.Join(d.Path(), name)
		is.NoErr(os.MkdirAll(filepath.Dir(path), 0o700))
		is.NoErr(os.WriteFile(path, nil, 0o600))
		if filepath.Base(name) == "old" {
			is.NoErr(os.Chtimes(path, lastYear, lastYear))
		}
	}
	d.Prune(30 * 24 * time.Hour)
	for _, name := range []string{"old", "new", "sub/old", "sub/new"} {
		_, err := os.Stat(filepath.Join(d.Path(), name))
		is.Equal(errors.Is(err, fs.ErrNotExist), filepath.Base(name) == "old") // old files go, others stay
	}
}
