package app_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"go.uber.org/goleak"

	"toolplane/adapters/argcheck"
	"toolplane/adapters/fakebox"
	"toolplane/adapters/membytes"
	"toolplane/app"
	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/handle"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is what a snippet does, written in Go.
type script = func(ctx context.Context, job run.Job, b ports.Bridge) (run.Report, error)

// clock is a clock that the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// counter is entropy that never repeats.
type counter struct {
	mu sync.Mutex
	n  uint64
}

func (c *counter) Fill(p []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	clear(p)
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], c.n)
	copy(p, b[:])
	return nil
}

// world is a runtime whose surroundings the test holds.
type world struct {
	runtime *app.Runtime
	clock   *clock
	log     *bytes.Buffer
}

// newWorld returns a runtime that runs the given script for every job.
func newWorld(t *testing.T, do script, change func(*limit.Caps), sources ...ports.Source) world {
	t.Helper()
	return newWorldOf(t, func(handle.Kind) (ports.Blobs, error) { return membytes.New(), nil }, do, change, sources...)
}

// newWorldOf is newWorld with the given stores.
func newWorldOf(t *testing.T, blobs app.NewBlobs, do script, change func(*limit.Caps), sources ...ports.Source) world {
	t.Helper()
	is := is.New(t)
	caps := limit.Defaults()
	if change != nil {
		change(&caps)
	}
	w := world{clock: &clock{now: time.Unix(1_800_000_000, 0)}, log: &bytes.Buffer{}}
	runtime, err := app.NewRuntime(app.Deps{
		Sandbox: fakebox.New(do), Validator: argcheck.Checker{}, Clock: w.clock, Entropy: &counter{},
		NewBlobs: blobs,
		Logger:   slog.New(slog.NewTextHandler(w.log, nil)),
	}, app.Options{Caps: caps})
	is.NoErr(err)
	t.Cleanup(func() { is.NoErr(runtime.Close()) })
	is.NoErr(runtime.Connect(t.Context(), sources...))
	w.runtime = runtime
	return w
}

func (w world) workspace(t *testing.T) *app.Workspace {
	t.Helper()
	workspace, err := w.runtime.NewWorkspace()
	is.New(t).NoErr(err)
	return workspace
}

// do runs a snippet; what it does is the world's script.
func do(t *testing.T, w *app.Workspace, req run.Request) run.Outcome {
	t.Helper()
	out, err := w.Run(t.Context(), req)
	is.New(t).NoErr(err)
	return out
}

func value(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	is.New(t).NoErr(err)
	return v
}

// source is a source of one capability.
type source struct {
	descriptor capability.Descriptor
	call       func(ctx context.Context, args canon.Value) (run.Answer, error)
}

func (s source) Capabilities(context.Context) ([]capability.Descriptor, error) {
	return []capability.Descriptor{s.descriptor}, nil
}

func (s source) Call(ctx context.Context, _ capability.ID, args canon.Value) (run.Answer, error) {
	return s.call(ctx, args)
}

// tool returns a source of host:app/NAME.
func tool(t *testing.T, name string, call func(ctx context.Context, args canon.Value) (run.Answer, error)) source {
	t.Helper()
	id, err := capability.NewID(capability.Host, "app", name)
	is.New(t).NoErr(err)
	return source{descriptor: capability.Descriptor{ID: id}, call: call}
}
