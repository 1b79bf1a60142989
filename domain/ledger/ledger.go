// Package ledger is the one retention rule for results and artifacts: what may
// be kept, for how long, and when it is gone.
//
// A save is two steps. Reserve decides, before anything is allocated, whether
// an entry of a given size may be kept and sets its room aside; Commit turns
// the reservation into an entry under a handle, Release gives the room back. An
// entry lives until its time to live is over and no shorter: nothing is evicted
// to make room. An expired entry is not found any more, and what it takes
// counts until Expire has handed it over, so that the caller can delete its
// contents first.
//
// The ledger is pure state. Time is passed in; a time before one already seen
// counts as that one, so no entry comes back to life. It is not safe for
// concurrent use: the caller's lock covers it and its reservations.
package ledger

import (
	"time"

	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
)

// About is what a snippet says of an entry. It is metadata: never a key, and
// counted in bytes like the contents.
type About struct {
	Label     string
	Filename  string // artifacts only
	MediaType string // artifacts only
}

// size returns the UTF-8 bytes of all texts together.
func (a About) size() int64 {
	return int64(len(a.Label) + len(a.Filename) + len(a.MediaType))
}

// Entry is something that is kept.
type Entry struct {
	About
	Handle  handle.Handle
	Bytes   int64     // of the contents, without About
	Saved   time.Time // when it was committed
	Expires time.Time // from then on it is not found
}

// size returns the bytes that count towards the caps.
func (e Entry) size() int64 { return e.Bytes + e.About.size() }

// Usage is what a ledger holds at a moment.
type Usage struct {
	Entries  int   // entries that are kept, the expired ones until Expire included
	Reserved int   // reservations that are neither committed nor released
	Bytes    int64 // bytes of both together
}

// Ledger keeps account of the entries of one kind. Make it with New.
type Ledger struct {
	kind    handle.Kind
	caps    limit.Store
	entries map[handle.Handle]Entry
	order   []handle.Handle // oldest first, which is the order of expiry too
	open    int             // reservations
	bytes   int64           // of entries and reservations
	latest  time.Time       // the latest time seen
}

// New returns an empty ledger for handles of the given kind.
func New(kind handle.Kind, caps limit.Store) *Ledger {
	return &Ledger{kind: kind, caps: caps, entries: make(map[handle.Handle]Entry)}
}

// Find returns the live entry of a handle. Its fault is "unknown or expired"
// for every handle that names nothing alive, and says so when the store is
// disabled.
func (l *Ledger) Find(now time.Time, h handle.Handle) (Entry, error) {
	if !l.caps.Enabled {
		return Entry{}, l.disabled()
	}
	entry, ok := l.entries[h]
	if !ok || l.expired(entry, l.advance(now)) {
		return Entry{}, handle.Unknown(l.kind, h.Reveal())
	}
	return entry, nil
}

// Expire forgets the entries whose time is over and returns their handles,
// oldest first. The caller deletes their contents before it reserves again, and
// goes on trying where it cannot: they count no more.
func (l *Ledger) Expire(now time.Time) []handle.Handle {
	now = l.advance(now)
	n := 0
	for ; n < len(l.order) && l.expired(l.entries[l.order[n]], now); n++ {
		h := l.order[n]
		l.bytes -= l.entries[h].size()
		delete(l.entries, h)
	}
	gone := l.order[:n:n]
	l.order = l.order[n:]
	return gone
}

// Live returns the entries that can be found at the given time, oldest first.
func (l *Ledger) Live(now time.Time) []Entry {
	now = l.advance(now)
	live := make([]Entry, 0, len(l.order))
	for _, h := range l.order {
		if entry := l.entries[h]; !l.expired(entry, now) {
			live = append(live, entry)
		}
	}
	return live
}

// Usage returns what the ledger holds.
func (l *Ledger) Usage() Usage {
	return Usage{Entries: len(l.entries), Reserved: l.open, Bytes: l.bytes}
}

// Enabled returns nil when the store keeps anything at all, and else the fault
// that Reserve and Find give.
func (l *Ledger) Enabled() error {
	if !l.caps.Enabled {
		return l.disabled()
	}
	return nil
}

func (l *Ledger) disabled() *fault.Fault {
	if l.kind == handle.Artifact {
		return fault.New(fault.ArtifactDisabled, "artifacts store is disabled")
	}
	return fault.New(fault.ResultDisabled, "results store is disabled")
}

func (l *Ledger) expired(entry Entry, now time.Time) bool {
	return !now.Before(entry.Expires)
}

// advance returns the given time, or the latest one seen if that is later.
func (l *Ledger) advance(now time.Time) time.Time {
	if now.After(l.latest) {
		l.latest = now
	}
	return l.latest
}
