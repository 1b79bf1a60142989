package tempfiles_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"

	"toolplane/adapters/tempfiles"
	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
	"toolplane/ports"
	"toolplane/test/contract"
)

// tenant is the variable that makes the test binary a process which keeps an
// artifact in the directory that the variable names, until its input ends.
const tenant = "TEMPFILES_TENANT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(tenant); dir != "" {
		if err := live(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func live(dir string) error {
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	if err := s.Put(mint(1), run.Bytes([]byte("kept"))); err != nil {
		return err
	}
	fmt.Println("living")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return s.Close()
}

func mint(n byte) handle.Handle { return handle.Mint(handle.Artifact, [handle.Size]byte{n}) }

// private returns the directories that are ours in dir.
func private(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "toolplane-artifacts-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestBlobsContract(t *testing.T) {
	for _, kind := range []handle.Kind{handle.Result, handle.Artifact} {
		t.Run(kind.String(), func(t *testing.T) {
			contract.Blobs(t, kind, func(t *testing.T) ports.Blobs {
				return tempfiles.New(tempfiles.Options{Dir: t.TempDir()}).NewStore(kind)
			})
		})
	}
}

func TestNothingIsMadeBeforeItIsNeeded(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	_, err := s.Get(mint(1))
	is.True(errors.Is(err, fs.ErrNotExist))
	is.Equal(private(t, dir), nil)
	is.NoErr(s.Close())
}

func TestFilesArePrivateAndTellNothing(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	defer s.Close()
	is.NoErr(s.Put(mint(1), run.Bytes([]byte("secret"))))
	ours := private(t, dir)
	is.Equal(len(ours), 1)
	info, err := os.Stat(ours[0])
	is.NoErr(err)
	entries, err := os.ReadDir(ours[0])
	is.NoErr(err)
	is.Equal(len(entries), 2) // the payload and the lock
	for _, e := range entries {
		is.True(!strings.Contains(e.Name(), strings.TrimPrefix(mint(1).Reveal(), "art_"))) // no handle
		file, err := e.Info()
		is.NoErr(err)
		if runtime.GOOS != "windows" {
			is.Equal(file.Mode().Perm(), fs.FileMode(0o600))
			is.Equal(info.Mode().Perm(), fs.FileMode(0o700))
		}
	}
}

func TestDeletedBytesAreGoneFromTheDisk(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	defer s.Close()
	is.NoErr(s.Put(mint(1), run.Bytes([]byte("x"))))
	is.NoErr(s.Delete(mint(1)))
	entries, err := os.ReadDir(private(t, dir)[0])
	is.NoErr(err)
	is.Equal(len(entries), 1) // the lock alone
}

func TestFailedDeleteCanBeRepeated(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	defer s.Close()
	is.NoErr(s.Put(mint(1), run.Bytes([]byte("x"))))
	entries, err := os.ReadDir(private(t, dir)[0])
	is.NoErr(err)
	for _, e := range entries {
		if e.Name() != "lock" { // a directory that is not empty cannot be removed
			file := filepath.Join(private(t, dir)[0], e.Name())
			is.NoErr(os.Remove(file))
			is.NoErr(os.MkdirAll(filepath.Join(file, "in the way"), 0o700))
			is.True(s.Delete(mint(1)) != nil)
			is.NoErr(os.Remove(filepath.Join(file, "in the way")))
		}
	}
	is.NoErr(s.Delete(mint(1)))
	entries, err = os.ReadDir(private(t, dir)[0])
	is.NoErr(err)
	is.Equal(len(entries), 1) // the lock alone
}

func TestDirectoryGoesWithTheLastStore(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	space := tempfiles.New(tempfiles.Options{Dir: dir})
	first, second := space.NewStore(handle.Artifact), space.NewStore(handle.Artifact)
	is.NoErr(first.Put(mint(1), run.Bytes([]byte("1"))))
	is.NoErr(second.Put(mint(1), run.Bytes([]byte("2")))) // handles of two stores do not meet
	is.Equal(len(private(t, dir)), 1)                     // they share one directory
	is.NoErr(first.Close())
	is.NoErr(first.Close())
	got, err := second.Get(mint(1))
	is.NoErr(err)
	is.Equal(string(got.Data()), "2") // what the other one keeps is there
	is.NoErr(second.Close())
	is.Equal(private(t, dir), nil)
	third := space.NewStore(handle.Artifact)
	is.NoErr(third.Put(mint(1), run.Bytes([]byte("3")))) // and a new one can begin
	is.NoErr(third.Close())
	is.Equal(private(t, dir), nil)
}

func TestHandleInUseIsNotOverwritten(t *testing.T) {
	is := is.New(t)
	s := tempfiles.New(tempfiles.Options{Dir: t.TempDir()}).NewStore(handle.Artifact)
	defer s.Close()
	is.NoErr(s.Put(mint(1), run.Bytes([]byte("first"))))
	is.True(errors.Is(s.Put(mint(1), run.Bytes([]byte("second"))), fs.ErrExist))
	got, err := s.Get(mint(1))
	is.NoErr(err)
	is.Equal(string(got.Data()), "first")
}

func TestClosedStoreTakesNothing(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	is.NoErr(s.Close())
	is.True(errors.Is(s.Put(mint(1), run.Bytes(nil)), fs.ErrClosed))
	is.NoErr(s.Delete(mint(1)))
	is.Equal(private(t, dir), nil)
}

func TestFileThatSomebodyElseRemovedIsNotThere(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	is.NoErr(s.Put(mint(1), run.Bytes([]byte("x"))))
	entries, err := os.ReadDir(private(t, dir)[0])
	is.NoErr(err)
	for _, e := range entries {
		if e.Name() != "lock" {
			is.NoErr(os.Remove(filepath.Join(private(t, dir)[0], e.Name())))
		}
	}
	_, err = s.Get(mint(1))
	is.True(errors.Is(err, fs.ErrNotExist))
	is.NoErr(s.Delete(mint(1)))
	is.NoErr(s.Close())
}

func TestDamagedFileIsAnErrorNotAnAnswer(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	defer s.Close()
	value, err := canon.Parse([]byte(`[1,2,3]`))
	is.NoErr(err)
	is.NoErr(s.Put(mint(1), run.JSON(value)))
	for _, damage := range []string{"[1", "[1,2,,3"} {
		entries, err := os.ReadDir(private(t, dir)[0])
		is.NoErr(err)
		for _, e := range entries {
			if e.Name() != "lock" {
				is.NoErr(os.WriteFile(filepath.Join(private(t, dir)[0], e.Name()), []byte(damage), 0o600))
			}
		}
		got, err := s.Get(mint(1))
		is.True(err != nil)
		is.True(got.IsZero())
	}
}

func TestMissingTemporaryDirectoryIsAnError(t *testing.T) {
	is := is.New(t)
	var log bytes.Buffer
	dir := filepath.Join(t.TempDir(), "none")
	s := tempfiles.New(tempfiles.Options{Dir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))}).NewStore(handle.Artifact)
	err := s.Put(mint(1), run.Bytes(nil))
	is.True(errors.Is(err, fs.ErrNotExist))
	is.Equal(fault.CodeOf(err), fault.ArtifactDisabled)
	is.True(strings.Contains(err.Error(), "TMPDIR"))     // what can be done
	is.True(!strings.Contains(err.Error(), dir))         // the host's business
	is.True(strings.Contains(log.String(), "left-over")) // and the sweep said so
	is.NoErr(s.Close())
}

func BenchmarkSaveAndLoad64MiB(b *testing.B) {
	s := tempfiles.New(tempfiles.Options{Dir: b.TempDir()}).NewStore(handle.Artifact)
	defer s.Close()
	payload := run.Bytes(bytes.Repeat([]byte("0123456789abcdef"), 4<<20))
	b.Run("save", func(b *testing.B) {
		b.SetBytes(payload.Len())
		for b.Loop() {
			if err := errors.Join(s.Put(mint(1), payload), s.Delete(mint(1))); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		b.SetBytes(payload.Len())
		if err := s.Put(mint(2), payload); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := s.Get(mint(2)); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Delete(mint(2)); err != nil {
			b.Fatal(err)
		}
	})
}

func ExampleSpace() {
	space := tempfiles.New(tempfiles.Options{})
	s := space.NewStore(handle.Artifact)
	defer s.Close()                                         // removes the files
	h := handle.Mint(handle.Artifact, [handle.Size]byte{1}) // from a cryptographic source in earnest
	if err := s.Put(h, run.Bytes([]byte("a,b\n1,2\n"))); err != nil {
		fmt.Println(err)
	}
	payload, err := s.Get(h)
	fmt.Println(payload.Len(), err)
	// Output: 8 <nil>
}
