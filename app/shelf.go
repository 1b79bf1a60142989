package app

import (
	"errors"
	"io/fs"
	"log/slog"
	"sync"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/ledger"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// shelf keeps one workspace's results or artifacts: the ledger says what may be
// kept, the blobs hold it. Contents are written outside the lock, between
// reserving and committing, so a slow disk holds up nobody else.
type shelf struct {
	kind    handle.Kind
	clock   ports.Clock
	entropy ports.Entropy
	blobs   ports.Blobs
	log     *slog.Logger

	mu      sync.Mutex // guards what follows
	ledger  *ledger.Ledger
	expired []handle.Handle // handed over by the ledger and not deleted yet
}

func (r *Runtime) newShelf(kind handle.Kind, caps limit.Store) (*shelf, error) {
	blobs, err := r.deps.NewBlobs(kind)
	if err != nil {
		return nil, err
	}
	return &shelf{
		kind: kind, clock: r.deps.Clock, entropy: r.deps.Entropy,
		blobs: blobs, log: r.deps.Logger, ledger: ledger.New(kind, caps),
	}, nil
}

// save keeps a payload under a new handle.
func (s *shelf) save(p run.Payload, about ledger.About) (run.Pointer, error) {
	var random [handle.Size]byte
	if err := s.entropy.Fill(random[:]); err != nil {
		return run.Pointer{}, err
	}
	h := handle.Mint(s.kind, random)
	reservation, err := s.reserve(p.Len(), about)
	if err != nil {
		return run.Pointer{}, err
	}
	if err := s.blobs.Put(h, p); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		reservation.Release()
		return run.Pointer{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	entry, err := reservation.Commit(s.clock.Now(), h)
	if err != nil {
		reservation.Release()
		return run.Pointer{}, errors.Join(err, s.blobs.Delete(h))
	}
	return pointer(entry), nil
}

// read returns the value that is to be saved, of a payload that may be its JSON. It
// takes no more memory for it than one entry may have.
func (s *shelf) read(p run.Payload, about ledger.About) (canon.Value, error) {
	if err := s.ledger.Fits(0, about); err != nil {
		return canon.Value{}, err
	}
	if value, ok := p.Value(); ok {
		return value, nil
	}
	most := s.ledger.MaxEntry()
	value, _, err := canon.ParseWith(p.Data(), canon.Options{MaxBytes: most})
	if fault.CodeOf(err) == fault.OutputTooLarge {
		err = s.ledger.Fits(max(p.Len(), most+1), about)
	}
	return value, err
}

// reserve sweeps what has expired and sets room aside.
func (s *shelf) reserve(size int64, about ledger.About) (*ledger.Reservation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	return s.ledger.Reserve(s.clock.Now(), size, about)
}

// sweep deletes the contents of expired entries. What cannot be deleted is
// nothing to whoever happens to save or load now: it is logged, and the next
// sweep tries again. The caller holds the mutex.
func (s *shelf) sweep() {
	var left []handle.Handle
	var first error
	for _, h := range append(s.expired, s.ledger.Expire(s.clock.Now())...) {
		if err := s.blobs.Delete(h); err != nil {
			left = append(left, h)
			if first == nil {
				first = err
			}
		}
	}
	s.expired = left
	if first != nil {
		s.log.Warn("expired contents cannot be deleted", "kind", s.kind.String(), "entries", len(left), "error", first)
	}
}

// load returns what is kept under a handle.
func (s *shelf) load(text string) (run.Kept, error) {
	if err := s.ledger.Enabled(); err != nil {
		return run.Kept{}, err
	}
	h, err := handle.Parse(s.kind, text)
	if err != nil {
		return run.Kept{}, err
	}
	entry, err := s.find(h)
	if err != nil {
		return run.Kept{}, err
	}
	p, err := s.blobs.Get(h)
	if errors.Is(err, fs.ErrNotExist) { // expired since
		return run.Kept{}, handle.Unknown(s.kind, text)
	}
	return run.Kept{Pointer: pointer(entry), Payload: p}, err
}

func (s *shelf) find(h handle.Handle) (ledger.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	return s.ledger.Find(s.clock.Now(), h)
}

// live returns what is kept at present, oldest first.
func (s *shelf) live() []run.Pointer {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := s.ledger.Live(s.clock.Now())
	pointers := make([]run.Pointer, len(entries))
	for i, e := range entries {
		pointers[i] = pointer(e)
	}
	return pointers
}

func (s *shelf) close() error { return s.blobs.Close() }

func pointer(e ledger.Entry) run.Pointer {
	return run.Pointer{
		Handle: e.Handle, Label: e.Label, Bytes: e.Bytes, Filename: e.Filename, MediaType: e.MediaType,
	}
}
