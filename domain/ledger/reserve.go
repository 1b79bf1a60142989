package ledger

import (
	"strings"
	"time"
	"unicode"

	"toolplane/domain/fault"
	"toolplane/domain/handle"
)

// Caps on the metadata of one entry, in bytes of UTF-8.
const (
	MaxLabel     = 1024
	MaxFilename  = 255
	MaxMediaType = 255
)

// Reservation is room set aside for one entry. It ends with Commit or Release.
type Reservation struct {
	ledger *Ledger
	about  About
	bytes  int64
	done   bool
}

// Reserve sets room aside for contents of the given size in bytes. Its faults
// name the cap in the way and what to do: the code is full or too_large of the
// ledger's kind, disabled when nothing may be kept, args.invalid for metadata
// that is too long.
func (l *Ledger) Reserve(now time.Time, bytes int64, about About) (*Reservation, error) {
	if bytes < 0 {
		return nil, fault.New(fault.InternalError, "an entry of %d bytes cannot be reserved", bytes)
	}
	if err := l.Fits(bytes, about); err != nil {
		return nil, err
	}
	if len(l.entries)+l.open >= l.caps.Entries {
		return nil, l.noEntryLeft(l.advance(now))
	}
	size := bytes + about.size()
	if size > l.caps.Total-l.bytes {
		return nil, l.noBytesLeft(l.advance(now), size)
	}
	l.open++
	l.bytes += size
	return &Reservation{ledger: l, about: about, bytes: bytes}, nil
}

// Fits returns nil when contents of the given size in bytes may be kept if there is
// room for them, and else the fault that Reserve gives.
func (l *Ledger) Fits(bytes int64, about About) error {
	if !l.caps.Enabled {
		return l.disabled()
	}
	if err := about.validate(); err != nil {
		return err
	}
	// Compared by subtraction: bytes comes from outside and may be near the
	// largest integer.
	if bytes > l.caps.Entry-about.size() {
		return l.tooLarge(bytes, about)
	}
	return nil
}

// MaxEntry is the cap on the bytes of one entry with its label.
func (l *Ledger) MaxEntry() int64 { return l.caps.Entry }

// Commit makes the reservation an entry under a handle that was not used
// before. The entry lives from now on for the store's time to live.
func (r *Reservation) Commit(now time.Time, h handle.Handle) (Entry, error) {
	l := r.ledger
	switch _, used := l.entries[h]; {
	case r.done:
		return Entry{}, fault.New(fault.InternalError, "a reservation was committed after its end")
	case h.Kind() != l.kind:
		return Entry{}, fault.New(fault.InternalError, "a reservation was committed under a handle of another kind")
	case used:
		return Entry{}, fault.New(fault.InternalError, "a reservation was committed under a handle in use")
	}
	now = l.advance(now)
	entry := Entry{About: r.about, Handle: h, Bytes: r.bytes, Saved: now, Expires: now.Add(l.caps.TTL)}
	r.done = true
	l.open--
	l.entries[h] = entry
	l.order = append(l.order, h)
	return entry, nil
}

// Release gives the room back. After Commit or Release it does nothing, so it
// can be deferred.
func (r *Reservation) Release() {
	if r.done {
		return
	}
	r.done = true
	r.ledger.open--
	r.ledger.bytes -= r.bytes + r.about.size()
}

func (a About) validate() error {
	for _, text := range []struct {
		name, value string
		most        int
	}{{"label", a.Label, MaxLabel}, {"filename", a.Filename, MaxFilename}, {"media type", a.MediaType, MaxMediaType}} {
		if len(text.value) > text.most {
			return fault.New(fault.ArgsInvalid, "the %s takes %d bytes, more than the %d that it may take: give a shorter one",
				text.name, len(text.value), text.most)
		}
	}
	if strings.ContainsAny(a.Filename, `/\`) || strings.ContainsFunc(a.Filename, unicode.IsControl) || a.Filename == "." || a.Filename == ".." {
		return fault.New(fault.ArgsInvalid, "%.80q cannot be a filename: give a plain name without a directory and control characters, such as report.csv", a.Filename)
	}
	if a.MediaType != "" && !isMediaType(a.MediaType) {
		return fault.New(fault.ArgsInvalid, "%.80q is no media type: give one such as text/csv or application/json; charset=utf-8", a.MediaType)
	}
	return nil
}

// isMediaType reports whether text is a type, a subtype and perhaps parameters
// (RFC 9110, 8.3.1). It ends up in headers, so all of it is printable ASCII.
func isMediaType(text string) bool {
	essence, parameters, _ := strings.Cut(text, ";")
	kind, subtype, _ := strings.Cut(strings.TrimRight(essence, " "), "/")
	return isToken(kind) && isToken(subtype) && !strings.ContainsFunc(parameters, func(r rune) bool { return r < ' ' || r > '~' })
}

// isToken reports whether text is a token (RFC 9110, 5.6.2).
func isToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func (l *Ledger) tooLarge(bytes int64, about About) *fault.Fault {
	code, wayOut := fault.ResultTooLarge, "save a smaller projection"
	if l.kind == handle.Artifact {
		code, wayOut = fault.ArtifactTooLarge, "compress it or save it in parts"
	}
	if about.size() == 0 {
		return fault.New(code, "this %s takes %d bytes, more than the %d that one may take: %s", l.kind, bytes, l.caps.Entry, wayOut)
	}
	return fault.New(code, "this %s takes %d bytes and its label %d, more than the %d that one may take: %s",
		l.kind, bytes, about.size(), l.caps.Entry, wayOut)
}

func (l *Ledger) noEntryLeft(now time.Time) *fault.Fault {
	return fault.New(l.full(), "%ss store is full: it holds %d of at most %d entries%s; re-use an existing handle, or save several things as one",
		l.kind, len(l.entries)+l.open, l.caps.Entries, l.relief(now))
}

func (l *Ledger) noBytesLeft(now time.Time, size int64) *fault.Fault {
	wayOut := "save a smaller projection, or re-use an existing handle"
	if l.kind == handle.Artifact {
		wayOut = "save something smaller, or re-use an existing handle"
	}
	return fault.New(l.full(), "%ss store is full: %d of at most %d bytes are taken and this %s takes %d%s; %s",
		l.kind, l.bytes, l.caps.Total, l.kind, size, l.relief(now), wayOut)
}

func (l *Ledger) full() fault.Code {
	if l.kind == handle.Artifact {
		return fault.ArtifactFull
	}
	return fault.ResultFull
}

// relief says when the oldest entry makes room, if one does.
func (l *Ledger) relief(now time.Time) string {
	if len(l.order) == 0 {
		return ""
	}
	left := max(l.entries[l.order[0]].Expires.Sub(now), 0)
	return ", and the oldest expires in " + left.Round(time.Second).String()
}
