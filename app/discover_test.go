package app_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/discover"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

func answerNothing(context.Context, canon.Value) (run.Answer, error) { return run.Answer{}, nil }

func TestCatalogShowsWhatSourcesOffer(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil, nil, tool(t, "greet", answerNothing))
	workspace := w.workspace(t)
	page, err := workspace.Search(t.Context(), discover.Query{Text: "greeting"})
	is.NoErr(err)
	is.Equal(page.Total, 1)
	is.Equal(page.Hits[0].ID, "host:app/greet")
	found, err := workspace.Describe(t.Context(), []string{"app.greet", "toolplane:results/save", "app.grete"}, discover.Full)
	is.NoErr(err)
	is.Equal(found[0].ID, "host:app/greet")                                  // friendly names work
	is.True(strings.Contains(found[1].Text, "toolplane://results/{handle}")) // hidden ones resolve
	is.Equal(found[2].Near, []string{"host:app/greet"})                      // unknown ones are no error
}

func TestCatalogFollowsTheSources(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil, nil, tool(t, "greet", answerNothing))
	page, err := w.runtime.Search(t.Context(), discover.Query{})
	is.NoErr(err)
	is.Equal(page.Total, 1)
	is.NoErr(w.runtime.Connect(t.Context(), tool(t, "part", answerNothing)))
	page, err = w.runtime.Search(t.Context(), discover.Query{})
	is.NoErr(err)
	is.Equal(page.Total, 2)
	text, err := w.runtime.Manifest(t.Context())
	is.NoErr(err)
	is.True(strings.Contains(text, "app.part("))
}

func TestManifestSaysWhichStoresAreOn(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil, func(c *limit.Caps) { c.Artifacts = limit.Store{} })
	text, err := w.workspace(t).Manifest(t.Context())
	is.NoErr(err)
	is.True(strings.Contains(text, "toolplane://results/{handle}"))
	is.True(strings.Contains(text, "The artifacts store is disabled."))
}

func TestCatalogRefusesWhatItCannotAnswer(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, nil, nil)
	_, err := w.runtime.Search(t.Context(), discover.Query{Limit: -1})
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
	_, err = w.runtime.Describe(t.Context(), make([]string, discover.MaxNames+1), discover.Brief)
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.runtime.Search(ended, discover.Query{})
	is.True(errors.Is(err, context.Canceled))
	_, err = w.runtime.Describe(ended, nil, discover.Brief)
	is.True(errors.Is(err, context.Canceled))
	_, err = w.runtime.Manifest(ended)
	is.True(errors.Is(err, context.Canceled))
}

func TestCatalogMayBeAskedConcurrently(t *testing.T) {
	w := newWorld(t, nil, nil, tool(t, "greet", answerNothing))
	workspace := w.workspace(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				if page, err := workspace.Search(t.Context(), discover.Query{Text: "greet"}); err != nil || page.Total != 1 {
					t.Errorf("found %d and %v", page.Total, err)
				}
				if err := w.runtime.Refresh(t.Context()); err != nil {
					t.Errorf("refresh: %v", err)
				}
			}
		})
	}
	all.Wait()
}
