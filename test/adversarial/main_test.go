package adversarial_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/app"
	"toolplane/cmd/compose"
	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// cacheDir is where the runtimes of this package keep what takes seconds to make.
var cacheDir string

func TestMain(m *testing.M) { os.Exit(withCacheDir(m.Run)) }

func withCacheDir(run func() int) int {
	dir, err := os.MkdirTemp("", "adversarial-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	cacheDir = filepath.Join(dir, "cache")
	return run()
}

// newRuntime returns a real runtime that compares the whole
// memory with its image after every run: a difference is an error of the run.
func newRuntime(t *testing.T) *app.Runtime {
	t.Helper()
	is := is.New(t)
	caps := limit.Defaults()
	caps.Run.Time = usualLimit
	r, err := compose.NewRuntime(compose.Options{CacheDir: cacheDir, Paranoid: true, Caps: caps})
	is.NoErr(err)
	t.Cleanup(func() { is.NoErr(r.Close()) })
	is.NoErr(r.Connect(t.Context(), upstream{}))
	return r
}

// newWorkspace returns a workspace with nothing in it.
func newWorkspace(t *testing.T, r *app.Runtime) *app.Workspace {
	t.Helper()
	is := is.New(t)
	w, err := r.NewWorkspace()
	is.NoErr(err)
	t.Cleanup(func() { is.NoErr(w.Close()) })
	return w
}

// upstream is the tools that snippets may call.
type upstream struct{}

var _ ports.Source = upstream{}

func (upstream) Capabilities(context.Context) ([]capability.Descriptor, error) {
	var all []capability.Descriptor
	for _, name := range []string{"greet", "echo", "fail", "slow", "image"} {
		id, err := capability.NewID(capability.MCP, "up", name)
		if err != nil {
			return nil, err
		}
		all = append(all, capability.Descriptor{ID: id})
	}
	return all, nil
}

// picture is the size of the blob that image answers with, in bytes.
const picture = 8 << 20

func (upstream) Call(ctx context.Context, id capability.ID, args canon.Value) (run.Answer, error) {
	switch id.Name() {
	case "greet":
		name, _ := args.Member("name")
		text, _ := name.Text()
		answer, err := canon.Text("hello " + text)
		return run.Answer{Value: answer, Text: true}, err
	case "echo":
		return run.Answer{Value: args}, nil
	case "slow":
		minute := time.NewTimer(time.Minute)
		defer minute.Stop()
		select {
		case <-minute.C:
			return run.Answer{}, nil
		case <-ctx.Done():
			return run.Answer{}, ctx.Err()
		}
	case "image":
		value, err := canon.Parse([]byte(`{"data":null}`))
		return run.Answer{
			Value: value, Blobs: []run.Blob{{Path: []run.Step{{Key: "data"}}, Data: make([]byte, picture)}},
		}, err
	default:
		return run.Answer{}, fault.New(fault.ToolFailed, "quota exceeded")
	}
}
