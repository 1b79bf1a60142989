package ledger_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/ledger"
	"toolplane/domain/limit"
)

// machine is a plain model beside the ledger: every entry that was ever
// committed, and what is reserved.
type machine struct {
	caps    limit.Store
	ledger  *ledger.Ledger
	now     time.Time
	next    int
	open    map[*ledger.Reservation]int64
	saved   []ledger.Entry         // ever
	swept   map[handle.Handle]bool // handed over by Expire
	pending []*ledger.Reservation
}

func entrySize(e ledger.Entry) int64 {
	return e.Bytes + int64(len(e.Label)+len(e.Filename)+len(e.MediaType))
}

// used is what the model holds: entries and bytes, reservations included.
func (m *machine) used() (entries int, bytes int64) {
	for _, size := range m.open {
		entries, bytes = entries+1, bytes+size
	}
	for _, e := range m.saved {
		if !m.swept[e.Handle] {
			entries, bytes = entries+1, bytes+entrySize(e)
		}
	}
	return entries, bytes
}

func (m *machine) reserve(t *rapid.T) {
	bytes := rapid.Int64Range(0, m.caps.Entry+3).Draw(t, "bytes")
	about := ledger.About{
		Label:    rapid.StringN(-1, 4, -1).Draw(t, "label"),
		Filename: rapid.SampledFrom([]string{"", "a.txt"}).Draw(t, "filename"),
	}
	size := bytes + int64(len(about.Label)+len(about.Filename))
	entries, taken := m.used()
	r, err := m.ledger.Reserve(m.now, bytes, about)
	var want fault.Code
	switch {
	case size > m.caps.Entry:
		want = fault.ResultTooLarge
	case entries >= m.caps.Entries, taken+size > m.caps.Total:
		want = fault.ResultFull
	}
	if got := fault.CodeOf(err); got != want {
		t.Fatalf("reserving %d bytes with %d entries and %d bytes taken: got %q, want %q", size, entries, taken, got, want)
	}
	if err == nil {
		m.open[r] = size
		m.pending = append(m.pending, r)
	}
}

func (m *machine) pop(t *rapid.T) *ledger.Reservation {
	if len(m.pending) == 0 {
		t.Skip("nothing is reserved")
	}
	i := rapid.IntRange(0, len(m.pending)-1).Draw(t, "reservation")
	r := m.pending[i]
	m.pending = append(m.pending[:i:i], m.pending[i+1:]...)
	delete(m.open, r)
	return r
}

func (m *machine) commit(t *rapid.T) {
	r := m.pop(t)
	m.next++
	entry, err := r.Commit(m.now, mint(handle.Result, m.next))
	if err != nil {
		t.Fatalf("a reservation could not be committed: %v", err)
	}
	m.saved = append(m.saved, entry)
}

func (m *machine) release(t *rapid.T) { m.pop(t).Release() }

func (m *machine) wait(t *rapid.T) {
	m.now = m.now.Add(time.Duration(rapid.IntRange(0, 12).Draw(t, "minutes")) * time.Minute)
}

func (m *machine) expire(t *rapid.T) {
	for _, h := range m.ledger.Expire(m.now) {
		if m.swept[h] {
			t.Fatal("a handle was handed over twice")
		}
		m.swept[h] = true
	}
	for _, e := range m.saved {
		if over := !m.now.Before(e.Expires); over != m.swept[e.Handle] {
			t.Fatalf("saved %v, expires %v, now %v: handed over is %v", e.Saved, e.Expires, m.now, m.swept[e.Handle])
		}
	}
}

// check holds after every step.
func (m *machine) check(t *rapid.T) {
	usage := m.ledger.Usage()
	entries, bytes := m.used()
	if usage.Entries+usage.Reserved != entries || usage.Bytes != bytes || usage.Reserved != len(m.open) {
		t.Fatalf("usage is %+v, the model has %d and %d bytes", usage, entries, bytes)
	}
	if entries > m.caps.Entries || usage.Bytes > m.caps.Total {
		t.Fatalf("a cap is exceeded: %+v of %+v", usage, m.caps)
	}
	live := 0
	for _, e := range m.saved {
		got, err := m.ledger.Find(m.now, e.Handle)
		if alive := m.now.Before(e.Expires); alive != (err == nil) {
			t.Fatalf("saved %v, expires %v, now %v: found is %v", e.Saved, e.Expires, m.now, err == nil)
		} else if alive {
			live++
			if got != e {
				t.Fatalf("found %+v, saved %+v", got, e)
			}
		}
	}
	if got := m.ledger.Live(m.now); len(got) != live {
		t.Fatalf("%d entries are listed, %d are alive", len(got), live)
	}
}

func TestNoInterleavingBreaksTheRetentionRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := limit.Store{
			Enabled: true,
			Entries: rapid.IntRange(1, 5).Draw(t, "entries"),
			Total:   rapid.Int64Range(1, 60).Draw(t, "total"),
			Entry:   rapid.Int64Range(1, 40).Draw(t, "entry"),
			TTL:     30 * time.Minute,
		}
		m := &machine{
			caps: caps, ledger: ledger.New(handle.Result, caps), now: start,
			open: make(map[*ledger.Reservation]int64), swept: make(map[handle.Handle]bool),
		}
		t.Repeat(map[string]func(*rapid.T){
			"reserve": m.reserve, "commit": m.commit, "release": m.release,
			"wait": m.wait, "expire": m.expire, "": m.check,
		})
	})
}
