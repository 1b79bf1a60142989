// Package membytes keeps payloads in the memory of this process.
//
// A JSON value is kept as it is, because values do not change; bytes are copied
// once when they are put and never again. What is kept is gone when the process
// is, which is the privacy promise of the results store: nothing is written to
// a disk. It knows no limits; the ledger has allowed what reaches it.
package membytes

import (
	"bytes"
	"fmt"
	"io/fs"
	"sync"

	"toolplane/domain/handle"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Store holds payloads by handle. Make it with New; it may be used
// concurrently.
type Store struct {
	mu   sync.RWMutex
	kept map[handle.Handle]run.Payload // nil once closed
}

var _ ports.Blobs = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	return &Store{kept: make(map[handle.Handle]run.Payload)}
}

// Put keeps a payload. A handle in use is an error that is fs.ErrExist, a
// closed store one that is fs.ErrClosed.
func (s *Store) Put(h handle.Handle, p run.Payload) error {
	if p.IsZero() {
		return fmt.Errorf("%v: there is nothing to keep: %w", h, fs.ErrInvalid)
	}
	if _, isValue := p.Value(); !isValue {
		p = run.Bytes(bytes.Clone(p.Data()))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		return fs.ErrClosed
	}
	if _, used := s.kept[h]; used {
		return fmt.Errorf("%v: %w", h, fs.ErrExist)
	}
	s.kept[h] = p
	return nil
}

// Get returns what was put under the handle, or an error that is
// fs.ErrNotExist. The payload shares the store's memory and must not be
// modified.
func (s *Store) Get(h handle.Handle) (run.Payload, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.kept[h]
	if !ok {
		return run.Payload{}, fmt.Errorf("%v: %w", h, fs.ErrNotExist)
	}
	return p, nil
}

// Delete forgets what was put under the handle, if anything was.
func (s *Store) Delete(h handle.Handle) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.kept, h)
	return nil
}

// Close forgets everything.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = nil
	return nil
}
