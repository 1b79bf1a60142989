package run_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"toolplane/domain/run"
)

func TestRecorderKeepsAllThatFits(t *testing.T) {
	is := is.New(t)
	r := run.NewRecorder(64)
	r.Write([]byte("one "))
	r.Write([]byte("two"))
	is.Equal(r.Text(), run.Text{Head: "one two", Size: 7}) // nothing is left out
	is.True(!r.Text().Cut())
}

func TestRecorderKeepsHeadAndTail(t *testing.T) {
	is := is.New(t)
	r := run.NewRecorder(8)
	for _, part := range []string{"abc", "defgh", "ijklmnop", "qr"} {
		r.Write([]byte(part))
	}
	is.Equal(r.Text(), run.Text{Head: "abcd", Tail: "opqr", Size: 18}) // half for each end
	is.True(r.Text().Cut())
}

func TestRecorderCutsBetweenCharacters(t *testing.T) {
	is := is.New(t)
	r := run.NewRecorder(10)
	r.Write([]byte(strings.Repeat("é", 100)))
	text := r.Text()
	is.Equal(text.Head, "éé")                        // the third é is incomplete
	is.Equal(text.Tail, "éé")                        // and so is the one before the last two
	is.Equal(text.Size, int64(200))                  // the true size is told
	is.True(text.Cut())                              // and that something is missing
	is.Equal(text.Kept(), int64(8))                  // nothing more is kept
	is.True(utf8.ValidString(text.Head + text.Tail)) // and it is text
}

func TestRecorderAgreesWithThePlainRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keep := rapid.Int64Range(2, 40).Draw(t, "keep")
		parts := rapid.SliceOf(rapid.StringMatching(`[a-c]{0,30}`)).Draw(t, "parts")
		r := run.NewRecorder(keep)
		for _, part := range parts {
			r.Write([]byte(part))
		}
		all := strings.Join(parts, "")
		got := r.Text()
		half := int(keep / 2)
		want := run.Text{Head: all, Size: int64(len(all))}
		if len(all) > 2*half {
			want = run.Text{Head: all[:half], Tail: all[len(all)-half:], Size: int64(len(all))}
		}
		if got != want {
			t.Fatalf("kept %+v of %q, want %+v", got, all, want)
		}
	})
}

func TestFitNeverKeepsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := run.NewRecorder(rapid.Int64Range(2, 60).Draw(t, "keep"))
		r.Write([]byte(rapid.String().Draw(t, "text")))
		fit := rapid.Int64Range(0, 60).Draw(t, "fit")
		before, after := r.Text(), r.Text().Fit(fit)
		switch {
		case after.Kept() > fit:
			t.Fatalf("kept %d bytes of at most %d", after.Kept(), fit)
		case after.Size != before.Size:
			t.Fatalf("the true size changed from %d to %d", before.Size, after.Size)
		case before.Kept() <= fit && after != before:
			t.Fatalf("%+v fits and became %+v", before, after)
		case !utf8.ValidString(after.Head) || !utf8.ValidString(after.Tail):
			t.Fatalf("%+v is not text", after)
		}
	})
}
