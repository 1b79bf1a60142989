package handle_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/fault"
	"toolplane/domain/handle"
)

func random() (b [handle.Size]byte) {
	_, _ = rand.Read(b[:])
	return b
}

func TestMintedHandleIsPrefixAndUnguessableText(t *testing.T) {
	for kind, prefix := range map[handle.Kind]string{handle.Result: "res_", handle.Artifact: "art_"} {
		t.Run(kind.String(), func(t *testing.T) {
			is := is.New(t)
			h := handle.Mint(kind, random())
			body, ok := strings.CutPrefix(h.Reveal(), prefix)
			is.True(ok)                   // starts with its kind's prefix
			is.True(len(body) >= 22)      // 128 bits or more
			is.True(h.Kind() == kind)     // knows its kind
			is.True(!h.IsZero())          // names something
			is.True(handle.Size*8 >= 128) // enough randomness
			back, err := handle.Parse(kind, h.Reveal())
			is.NoErr(err)     // what was minted parses
			is.Equal(back, h) // to the same handle
		})
	}
}

func TestEveryRandomBitShowsInTheHandle(t *testing.T) {
	is := is.New(t)
	base := random()
	seen := map[string]bool{handle.Mint(handle.Result, base).Reveal(): true}
	for bit := range handle.Size * 8 {
		changed := base
		changed[bit/8] ^= 1 << (bit % 8)
		seen[handle.Mint(handle.Result, changed).Reveal()] = true
	}
	is.Equal(len(seen), handle.Size*8+1) // no bit is lost
}

func TestParseRefusesWhateverIsNoHandle(t *testing.T) {
	good := handle.Mint(handle.Result, random()).Reveal()
	for name, text := range map[string]string{
		"empty":            "",
		"prefix only":      "res_",
		"no prefix":        strings.TrimPrefix(good, "res_"),
		"other kind":       "art_" + strings.TrimPrefix(good, "res_"),
		"upper-case":       "RES_" + strings.TrimPrefix(good, "res_"),
		"too short":        good[:len(good)-1],
		"too long":         good + "A",
		"space before":     " " + good[:len(good)-1],
		"slash":            good[:len(good)-1] + "/",
		"plus":             good[:len(good)-1] + "+",
		"padding":          good[:len(good)-1] + "=",
		"newline":          good[:len(good)-1] + "\n",
		"letter like ones": good[:len(good)-2] + "é",
		"nul":              good[:len(good)-1] + "\x00",
		"colon":            good[:len(good)-1] + ":",
		"bracket":          good[:len(good)-1] + "[",
		"backquote":        good[:len(good)-1] + "`",
		"brace":            good[:len(good)-1] + "{",
		"at":               good[:len(good)-1] + "@",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			h, err := handle.Parse(handle.Result, text)
			is.Equal(fault.CodeOf(err), fault.ResultUnknown) // looks like any unknown handle
			is.True(h.IsZero())                              // nothing comes back
		})
	}
}

func TestUnknownNamesTheHandleInBoundedLength(t *testing.T) {
	is := is.New(t)
	is.Equal(handle.Unknown(handle.Result, "res_x").Error(), "unknown or expired result handle res_x")
	is.Equal(handle.Unknown(handle.Artifact, "art_x").Error(), "unknown or expired artifact handle art_x")
	is.Equal(handle.Unknown(handle.Artifact, "art_x").Code(), fault.ArtifactUnknown)
	long := handle.Unknown(handle.Result, strings.Repeat("é", 5000)).Error()
	is.Equal(long, "unknown or expired result handle "+strings.Repeat("é", 64)+"…") // cut at a character
	exact := strings.Repeat("é", 64)
	is.Equal(handle.Unknown(handle.Result, exact).Error(), "unknown or expired result handle "+exact)
}

func TestFormattedOrLoggedHandleHidesItsText(t *testing.T) {
	is := is.New(t)
	h := handle.Mint(handle.Artifact, random())
	secret := strings.TrimPrefix(h.Reveal(), "art_")
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("saved", "handle", h)
	slog.New(slog.NewTextHandler(&log, nil)).Info("saved", "handle", h)
	for _, text := range []string{
		fmt.Sprint(h), fmt.Sprintf("%v", h), fmt.Sprintf("%+v", h), fmt.Sprintf("%#v", h), h.String(),
		fmt.Sprintf("%q", h), fmt.Sprintf("%v", []handle.Handle{h}),
		fmt.Sprintf("%+v", struct{ H handle.Handle }{h}), fmt.Sprintf("%x", h), log.String(),
	} {
		if strings.Contains(text, secret) || strings.Contains(text, fmt.Sprintf("%x", secret)) {
			t.Errorf("%q shows the handle", text)
		}
	}
	is.Equal(h.String(), "art_…")                   // but its kind shows
	is.Equal(handle.Handle{}.String(), "no handle") // and that there is none
	is.True(handle.Handle{}.IsZero())
	is.Equal(handle.Handle{}.Reveal(), "")
}

func FuzzParse(f *testing.F) {
	f.Add("res_" + strings.Repeat("A", 24))
	f.Add("art_" + strings.Repeat("-", 24))
	f.Add("res_")
	f.Add("res_" + strings.Repeat("é", 12))
	f.Fuzz(func(t *testing.T, text string) {
		for _, kind := range []handle.Kind{handle.Result, handle.Artifact} {
			h, err := handle.Parse(kind, text)
			if err != nil {
				if !h.IsZero() {
					t.Fatalf("%q: an error and a handle", text)
				}
				continue
			}
			if h.Reveal() != text || h.Kind() != kind || len(text) != len(kind.Prefix())+24 {
				t.Fatalf("%q parsed as %q of kind %v", text, h.Reveal(), h.Kind())
			}
			for _, r := range strings.TrimPrefix(text, kind.Prefix()) {
				if !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", r) {
					t.Fatalf("%q holds %q", text, r)
				}
			}
		}
	})
}

func ExampleHandle() {
	h := handle.Mint(handle.Result, [handle.Size]byte{}) // from a cryptographic source in earnest
	fmt.Println(h)
	fmt.Println(h.Reveal())
	_, err := handle.Parse(handle.Artifact, h.Reveal())
	fmt.Println(err)
	// Output:
	// res_…
	// res_AAAAAAAAAAAAAAAAAAAAAAAA
	// unknown or expired artifact handle res_AAAAAAAAAAAAAAAAAAAAAAAA
}

// TestUnknownReadsNoMoreThanItShows gives a text that is far longer than a handle.
func TestUnknownReadsNoMoreThanItShows(t *testing.T) {
	is := is.New(t)
	long := "res_" + strings.Repeat("é", 10<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := handle.Parse(handle.Result, long)
	runtime.ReadMemStats(&after)
	is.Equal(err.Error(), "unknown or expired result handle res_"+strings.Repeat("é", 60)+"…")
	is.True(after.TotalAlloc-before.TotalAlloc < 1<<20)
	exactly := strings.Repeat("😀", 64)
	is.Equal(handle.Unknown(handle.Result, exactly).Error(), "unknown or expired result handle "+exactly)
	is.Equal(handle.Unknown(handle.Result, exactly+"x").Error(), "unknown or expired result handle "+exactly+"…")
}
