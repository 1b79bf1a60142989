package app_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/membytes"
	"toolplane/app"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// busy is a store that refuses a number of deletions.
type busy struct {
	ports.Blobs
	refuse int
}

func (b *busy) Delete(h handle.Handle) error {
	if b.refuse > 0 {
		b.refuse--
		return errors.New("device or resource busy")
	}
	return b.Blobs.Delete(h)
}

// sweepWorld returns a workspace with an expired and a living result.
func sweepWorld(t *testing.T) (w world, space *app.Workspace, store *busy, expired, living string) {
	t.Helper()
	blobs := map[handle.Kind]*busy{}
	w = newWorldOf(t, func(kind handle.Kind) (ports.Blobs, error) {
		blobs[kind] = &busy{Blobs: membytes.New()}
		return blobs[kind], nil
	}, relay(), func(c *limit.Caps) { c.Results.Entries = 2 })
	space = w.workspace(t)
	expired = saved(t, space, "save 1")
	w.clock.advance(limit.Defaults().Results.TTL - time.Minute)
	living = saved(t, space, "save 2")
	w.clock.advance(time.Minute)
	return w, space, blobs[handle.Result], expired, living
}

func TestFailedDeletionIsNoConcernOfOthers(t *testing.T) {
	for name, operation := range map[string]func(t *testing.T, w *app.Workspace, living string){
		"load": func(t *testing.T, w *app.Workspace, living string) {
			is.New(t).True(do(t, w, run.Request{Code: "load " + living}).OK())
		},
		"save": func(t *testing.T, w *app.Workspace, _ string) { saved(t, w, "save 3") }, // the expired one takes no room
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			world, w, store, expired, living := sweepWorld(t)
			h, err := handle.Parse(handle.Result, expired)
			is.NoErr(err)
			store.refuse = 1
			operation(t, w, living)
			_, err = store.Get(h)
			is.NoErr(err) // it could not be deleted

			is.Equal(strings.Count(world.log.String(), "expired contents cannot be deleted"), 1)
			is.True(strings.Contains(world.log.String(), "busy"))
			for _, secret := range []string{expired, living} {
				is.True(!strings.Contains(world.log.String(), strings.TrimPrefix(secret, "res_")))
			}

			is.True(!do(t, w, run.Request{Code: "load " + expired}).OK()) // which sweeps, and finds nothing
			_, err = store.Get(h)
			is.True(errors.Is(err, fs.ErrNotExist)) // deleted at the second try
			is.True(do(t, w, run.Request{Code: "load " + living}).OK())
			is.Equal(strings.Count(world.log.String(), "cannot be deleted"), 1) // and that was all
		})
	}
}
