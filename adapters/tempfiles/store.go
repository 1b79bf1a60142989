package tempfiles

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Store holds payloads by handle, each in a file of its own. Space.NewStore
// makes it; it may be used concurrently.
type Store struct {
	space *Space
	kind  handle.Kind

	life sync.RWMutex // held for reading by whoever uses the directory
	dir  *directory   // nil until the first Put; guarded by mu

	mu     sync.RWMutex // guards what follows
	kept   map[handle.Handle]*file
	closed bool
}

// file is one payload. The bytes of a value are its canonical JSON.
type file struct {
	name    string // "" while it is being written
	size    int64
	isValue bool
}

var _ ports.Blobs = (*Store)(nil)

// Put writes a payload to a file. A handle in use is an error that is
// fs.ErrExist, a closed store one that is fs.ErrClosed; a disk without room is a
// fault of code artifact.full, or result.full, and no place for files one of code
// artifact.disabled, or result.disabled.
func (s *Store) Put(h handle.Handle, p run.Payload) error {
	if p.IsZero() {
		return fmt.Errorf("%v: there is nothing to keep: %w", h, fs.ErrInvalid)
	}
	s.life.RLock()
	defer s.life.RUnlock()
	dir, err := s.reserve(h)
	if err != nil {
		return err
	}
	f := &file{size: p.Len()}
	_, f.isValue = p.Value()
	f.name, err = dir.write(p.Data())
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		delete(s.kept, h)
		return s.explain(err, p.Len())
	}
	s.kept[h] = f
	return nil
}

// reserve claims the handle for a payload that is about to be written and
// returns the directory.
func (s *Store) reserve(h handle.Handle) (*directory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fs.ErrClosed
	}
	if _, used := s.kept[h]; used {
		return nil, fmt.Errorf("%v: %w", h, fs.ErrExist)
	}
	if s.dir == nil {
		dir, err := s.space.acquire()
		if err != nil {
			return nil, s.unusable(s.explain(err, 0))
		}
		s.dir = dir
	}
	s.kept[h] = &file{}
	return s.dir, nil
}

// explain turns a full disk into the fault that a snippet understands.
func (s *Store) explain(err error, size int64) error {
	if !isFull(err) {
		return err
	}
	code := fault.ResultFull
	if s.kind == handle.Artifact {
		code = fault.ArtifactFull
	}
	return fault.Wrap(err, code, "the host's disk for temporary files is full: %d bytes do not fit; save less, or wait until older %ss expire", size, s.kind)
}

// unusable says what a snippet may know of a directory that could not be made. Its
// place is the host's business.
func (s *Store) unusable(err error) error {
	var reason syscall.Errno
	if _, ok := errors.AsType[*fault.Fault](err); ok || !errors.As(err, &reason) {
		return err
	}
	code := fault.ResultDisabled
	if s.kind == handle.Artifact {
		code = fault.ArtifactDisabled
	}
	return fault.Wrap(err, code, "%ss cannot be kept: the host's directory for temporary files cannot be used (%v); print or return less instead, and tell the user, who can set TMPDIR", s.kind, reason)
}

// write writes data to a new file of random name.
func (d *directory) write(data []byte) (name string, err error) {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	name = hex.EncodeToString(random[:])
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, d.root.Remove(name))
	}
	return name, nil
}

// Get reads what was put under the handle, or fails with an error that is
// fs.ErrNotExist.
func (s *Store) Get(h handle.Handle) (run.Payload, error) {
	s.life.RLock()
	defer s.life.RUnlock()
	f, open, err := s.open(h)
	if err != nil {
		return run.Payload{}, err
	}
	data := make([]byte, f.size) // the size is the host's own record
	_, err = io.ReadFull(open, data)
	if err = errors.Join(err, open.Close()); err != nil {
		return run.Payload{}, fmt.Errorf("%v: the file is not what was written: %w", h, err)
	}
	if !f.isValue {
		return run.Bytes(data), nil
	}
	value, err := canon.Parse(data)
	if err != nil {
		return run.Payload{}, fmt.Errorf("%v: the file is not what was written: %w", h, err)
	}
	return run.JSON(value), nil
}

// open opens a payload's file; once it is open, Delete cannot take it away.
func (s *Store) open(h handle.Handle) (*file, *os.File, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	f, ok := s.kept[h]
	if !ok || f.name == "" {
		return nil, nil, fmt.Errorf("%v: %w", h, fs.ErrNotExist)
	}
	open, err := s.dir.root.Open(f.name)
	return f, open, err
}

// Delete removes what was put under the handle, if anything was. A file that
// cannot be removed stays, to be deleted again.
func (s *Store) Delete(h handle.Handle) error {
	s.life.RLock()
	defer s.life.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.kept[h]
	if !ok || f.name == "" {
		return nil
	}
	if err := s.dir.delete(f); err != nil {
		return err
	}
	delete(s.kept, h)
	return nil
}

func (d *directory) delete(f *file) error {
	if err := d.root.Remove(f.name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Close removes every file, and the directory if no other store needs it. It
// waits for what is going on.
func (s *Store) Close() error {
	s.life.Lock()
	defer s.life.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	kept, dir := s.kept, s.dir
	s.kept, s.dir, s.closed = nil, nil, true
	if dir == nil {
		return nil
	}
	var errs []error
	for _, f := range kept {
		errs = append(errs, dir.delete(f))
	}
	return errors.Join(append(errs, s.space.release())...)
}
