package ledger_test

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/ledger"
	"toolplane/domain/limit"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// mint returns the nth handle of a kind.
func mint(kind handle.Kind, n int) handle.Handle {
	var random [handle.Size]byte
	binary.BigEndian.PutUint64(random[:], uint64(n))
	return handle.Mint(kind, random)
}

func caps() limit.Store {
	return limit.Store{Enabled: true, Entries: 3, Total: 100, Entry: 60, TTL: time.Hour}
}

// keep saves an entry in one go.
func keep(t *testing.T, l *ledger.Ledger, now time.Time, n int, bytes int64, about ledger.About) ledger.Entry {
	t.Helper()
	is := is.New(t)
	r, err := l.Reserve(now, bytes, about)
	is.NoErr(err) // room is there
	entry, err := r.Commit(now, mint(handle.Result, n))
	is.NoErr(err) // a fresh handle of the right kind
	return entry
}

func TestCommittedEntryIsFoundUntilItsTimeIsOver(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, caps())
	saved := keep(t, l, start, 1, 10, ledger.About{Label: "issues"})

	found, err := l.Find(start.Add(time.Hour-1), saved.Handle)
	is.NoErr(err)          // one instant before the end
	is.Equal(found, saved) // as it was saved
	is.Equal(found.Bytes, int64(10))
	is.Equal(found.Label, "issues")
	is.Equal(found.Expires, start.Add(time.Hour))

	_, err = l.Find(start.Add(time.Hour), saved.Handle)
	is.Equal(fault.CodeOf(err), fault.ResultUnknown)                                 // over means gone
	is.Equal(err.Error(), "unknown or expired result handle "+saved.Handle.Reveal()) // names the handle
	_, err = l.Find(start, saved.Handle)
	is.Equal(fault.CodeOf(err), fault.ResultUnknown) // a clock set back brings nothing back
	is.Equal(len(l.Live(start)), 0)
}

func TestExpireHandsOverOldestFirstAndMakesRoom(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, caps())
	first := keep(t, l, start, 1, 30, ledger.About{})
	second := keep(t, l, start.Add(time.Minute), 2, 30, ledger.About{})
	third := keep(t, l, start.Add(2*time.Minute), 3, 30, ledger.About{})

	is.Equal(len(l.Expire(start.Add(time.Hour-1))), 0) // too early
	late := start.Add(time.Hour + time.Minute)
	_, err := l.Reserve(late, 1, ledger.About{})
	is.Equal(fault.CodeOf(err), fault.ResultFull) // what has expired counts until it is handed over
	is.Equal(l.Expire(late), []handle.Handle{first.Handle, second.Handle})
	is.Equal(l.Expire(late), []handle.Handle{}) // once only
	is.Equal(l.Usage(), ledger.Usage{Entries: 1, Bytes: 30})
	is.Equal(l.Live(late), []ledger.Entry{third})
}

func TestCapsFailLoudlyWithTheLimitAndTheWayOut(t *testing.T) {
	full := func(t *testing.T, l *ledger.Ledger) {
		for n := range 3 {
			keep(t, l, start, n, 10, ledger.About{})
		}
	}
	for _, c := range []struct {
		name  string
		fill  func(*testing.T, *ledger.Ledger)
		bytes int64
		about ledger.About
		code  fault.Code
		says  []string
	}{
		{"entries", full, 1, ledger.About{}, fault.ResultFull, []string{"results store is full", "3 of at most 3", "re-use an existing handle", "expires in 1h0m0s"}},
		{"total", func(t *testing.T, l *ledger.Ledger) {
			keep(t, l, start, 1, 60, ledger.About{})
			keep(t, l, start, 2, 30, ledger.About{})
		}, 11, ledger.About{}, fault.ResultFull, []string{"90 of at most 100", "takes 11", "save a smaller projection", "re-use an existing handle"}},
		{"entry", nil, 61, ledger.About{}, fault.ResultTooLarge, []string{"61 bytes", "60", "save a smaller projection"}},
		{"label counts", nil, 55, ledger.About{Label: "ééé"}, fault.ResultTooLarge, []string{"label 6"}},
		{"filename counts", nil, 58, ledger.About{Filename: "abc"}, fault.ResultTooLarge, []string{"60"}},
		{"media type counts", nil, 58, ledger.About{MediaType: "a/b"}, fault.ResultTooLarge, []string{"60"}},
		{"largest size", nil, math.MaxInt64, ledger.About{Label: "x"}, fault.ResultTooLarge, []string{"60"}},
		{"long label", nil, 1, ledger.About{Label: strings.Repeat("é", 513)}, fault.ArgsInvalid, []string{"label", "1026", "1024", "shorter"}},
		{"long filename", nil, 1, ledger.About{Filename: strings.Repeat("x", 256)}, fault.ArgsInvalid, []string{"filename", "255"}},
		{"long media type", nil, 1, ledger.About{MediaType: strings.Repeat("x", 256)}, fault.ArgsInvalid, []string{"media type", "255"}},
		{"a directory in the filename", nil, 1, ledger.About{Filename: "../x"}, fault.ArgsInvalid, []string{"filename", "../x"}},
		{"a Windows directory in the filename", nil, 1, ledger.About{Filename: `a\b`}, fault.ArgsInvalid, []string{"filename"}},
		{"a control character in the filename", nil, 1, ledger.About{Filename: "x\x00"}, fault.ArgsInvalid, []string{"filename"}},
		{"a filename that is a directory", nil, 1, ledger.About{Filename: ".."}, fault.ArgsInvalid, []string{"filename"}},
		{"a media type without a subtype", nil, 1, ledger.About{MediaType: "text"}, fault.ArgsInvalid, []string{"media type", "text/csv"}},
		{"a media type of two lines", nil, 1, ledger.About{MediaType: "text/html\r\nX: y"}, fault.ArgsInvalid, []string{"media type"}},
		{"negative size", nil, -1, ledger.About{}, fault.InternalError, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			l := ledger.New(handle.Result, caps())
			if c.fill != nil {
				c.fill(t, l)
			}
			before := l.Usage()
			_, err := l.Reserve(start, c.bytes, c.about)
			is.True(err != nil)                 // over the cap
			is.Equal(fault.CodeOf(err), c.code) // the cap's code
			for _, part := range c.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			is.Equal(l.Usage(), before) // a refusal changes nothing
		})
	}
}

func TestArtifactsSpeakOfArtifacts(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Artifact, limit.Store{Enabled: true, Entries: 1, Total: 10, Entry: 10, TTL: time.Hour})
	_, err := l.Reserve(start, 11, ledger.About{})
	is.Equal(fault.CodeOf(err), fault.ArtifactTooLarge)
	r, err := l.Reserve(start, 4, ledger.About{Filename: "a.p", MediaType: "i/j"})
	is.NoErr(err) // exactly the cap, metadata included
	_, err = l.Reserve(start, 0, ledger.About{})
	is.Equal(fault.CodeOf(err), fault.ArtifactFull) // a reservation takes an entry
	is.True(strings.HasPrefix(err.Error(), "artifacts store is full"))
	_, err = r.Commit(start, mint(handle.Result, 1))
	is.Equal(fault.CodeOf(err), fault.InternalError) // a result's handle cannot name an artifact
	_, err = r.Commit(start, mint(handle.Artifact, 1))
	is.NoErr(err) // the refused commit did not end the reservation
	_, err = l.Find(start, mint(handle.Artifact, 2))
	is.Equal(fault.CodeOf(err), fault.ArtifactUnknown)
}

func TestExactlyTheCapFits(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, caps())
	keep(t, l, start, 1, 60, ledger.About{})
	keep(t, l, start, 2, 35, ledger.About{Label: "12345"})
	keep(t, l, start, 3, 0, ledger.About{})
	is.Equal(l.Usage(), ledger.Usage{Entries: 3, Bytes: 100})
}

func TestLongestLabelIsKept(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, limit.Defaults().Results)
	keep(t, l, start, 1, 1, ledger.About{Label: strings.Repeat("x", ledger.MaxLabel)})
	is.Equal(l.Usage().Bytes, int64(ledger.MaxLabel+1))
}

func TestMetadataOfArtifacts(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Artifact, limit.Defaults().Artifacts)
	for _, about := range []ledger.About{
		{Filename: "Bericht über 2026 (neu).csv", MediaType: "text/csv; charset=utf-8"},
		{Filename: ".hidden", MediaType: `application/vnd.x+json; a="b c"; d=e`},
	} {
		_, err := l.Reserve(start, 1, about)
		is.NoErr(err) // an ordinary name and type
	}
}

func TestDisabledStoreFailsEverything(t *testing.T) {
	for kind, want := range map[handle.Kind]struct {
		code fault.Code
		text string
	}{
		handle.Result:   {fault.ResultDisabled, "results store is disabled"},
		handle.Artifact: {fault.ArtifactDisabled, "artifacts store is disabled"},
	} {
		t.Run(kind.String(), func(t *testing.T) {
			is := is.New(t)
			l := ledger.New(kind, limit.Store{})
			_, saveErr := l.Reserve(start, 1, ledger.About{})
			_, loadErr := l.Find(start, mint(kind, 1))
			for _, err := range []error{saveErr, loadErr, l.Enabled()} {
				is.Equal(fault.CodeOf(err), want.code)
				is.Equal(err.Error(), want.text)
			}
			is.Equal(len(l.Expire(start)), 0)
			is.Equal(len(l.Live(start)), 0)
		})
	}
	is.New(t).NoErr(ledger.New(handle.Result, caps()).Enabled()) // an enabled one
}

func TestReleaseGivesTheRoomBackOnce(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, caps())
	r, err := l.Reserve(start, 60, ledger.About{Label: ""})
	is.NoErr(err)
	is.Equal(l.Usage(), ledger.Usage{Reserved: 1, Bytes: 60})
	_, err = l.Reserve(start, 41, ledger.About{})
	is.Equal(fault.CodeOf(err), fault.ResultFull) // a reservation takes its bytes
	is.True(!strings.Contains(err.Error(), "expires"))
	r.Release()
	r.Release()
	is.Equal(l.Usage(), ledger.Usage{})
	_, err = r.Commit(start, mint(handle.Result, 1))
	is.Equal(fault.CodeOf(err), fault.InternalError) // it is over

	r, err = l.Reserve(start, 60, ledger.About{Label: "x"})
	is.True(errors.Is(err, fault.New(fault.ResultTooLarge, ""))) // 61 in all
	is.True(r == nil)
}

func TestReleaseAfterCommitKeepsTheEntry(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, caps())
	r, err := l.Reserve(start, 5, ledger.About{})
	is.NoErr(err)
	entry, err := r.Commit(start, mint(handle.Result, 1))
	is.NoErr(err)
	r.Release()
	is.Equal(l.Usage(), ledger.Usage{Entries: 1, Bytes: 5})
	_, err = l.Find(start, entry.Handle)
	is.NoErr(err)
	_, err = r.Commit(start, mint(handle.Result, 2))
	is.Equal(fault.CodeOf(err), fault.InternalError) // one reservation, one entry
}

func TestLabelIsNoKey(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, caps())
	a := keep(t, l, start, 1, 1, ledger.About{Label: "issues"})
	b := keep(t, l, start, 2, 2, ledger.About{Label: "issues"})
	is.True(a.Handle != b.Handle)
	found, err := l.Find(start, a.Handle)
	is.NoErr(err)
	is.Equal(found.Bytes, int64(1)) // the second did not replace the first

	r, err := l.Reserve(start, 1, ledger.About{})
	is.NoErr(err)
	_, err = r.Commit(start, a.Handle)
	is.Equal(fault.CodeOf(err), fault.InternalError) // nor can a handle be used twice
}

func TestTimeToLiveStartsAtCommit(t *testing.T) {
	is := is.New(t)
	l := ledger.New(handle.Result, caps())
	r, err := l.Reserve(start, 1, ledger.About{})
	is.NoErr(err)
	entry, err := r.Commit(start.Add(time.Minute), mint(handle.Result, 1))
	is.NoErr(err)
	is.Equal(entry.Saved, start.Add(time.Minute))
	is.Equal(entry.Expires, start.Add(time.Minute+time.Hour))
}
