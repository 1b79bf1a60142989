package app_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// list returns the JSON of an array of n digits.
func list(n int) string { return "[" + strings.Repeat("1,", n-1) + "1]" }

func TestValueThatTheResultsDoNotTakeIsKeptAsText(t *testing.T) {
	for name, change := range map[string]func(*limit.Caps){
		"too large": func(c *limit.Caps) { c.Results.Entry = 100 },
		"full":      func(c *limit.Caps) { c.Results.Entries = 1 },
		"no room":   func(c *limit.Caps) { c.Results.Total = 100 },
		"off":       func(c *limit.Caps) { c.Results.Enabled = false },
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, nil, change).workspace(t)
			_, err := w.Keep(t.Context(), run.JSON(canon.Int(1)), "") // takes the one entry there is
			is.NoErr(err)
			p, err := w.Keep(t.Context(), run.JSON(value(t, list(100))), "value")
			is.NoErr(err)
			is.Equal(p.Handle.Kind(), handle.Artifact)
			is.Equal(p.MediaType, "application/json")
			is.Equal(p.Label, "value")
			kept, err := w.Read(t.Context(), handle.Artifact, p.Handle.Reveal())
			is.NoErr(err)
			is.Equal(string(kept.Payload.Data()), list(100)) // all of it
		})
	}
}

func TestKeepRefusedByBothStores(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil, func(c *limit.Caps) { c.Results.Entry, c.Artifacts.Entry = 100, 100 }).workspace(t)
	_, err := w.Keep(t.Context(), run.JSON(value(t, list(100))), "value")
	is.Equal(fault.CodeOf(err), fault.ResultTooLarge) // as save_result would say it
	live, err := w.Live(t.Context())
	is.NoErr(err)
	is.Equal(len(live), 0)
	_, err = w.Keep(t.Context(), run.JSON(canon.Int(1)), strings.Repeat("x", 2000))
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid) // a mistake is not mended by the other store
}

func TestBytesAreKeptAsArtifacts(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil, nil).workspace(t)
	p, err := w.Keep(t.Context(), run.Bytes([]byte{0xff}), "one")
	is.NoErr(err)
	is.Equal(p.Handle.Kind(), handle.Artifact)
	is.Equal(p.MediaType, "")
}
