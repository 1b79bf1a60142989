package test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
)

// upstream stands for an MCP server: capabilities "mcp:up/NAME", each with the
// function that answers it.
type upstream map[string]func(ctx context.Context, args canon.Value) (run.Answer, error)

var _ ports.Source = upstream(nil)

func (u upstream) Capabilities(context.Context) ([]capability.Descriptor, error) {
	var all []capability.Descriptor
	for name := range u {
		id, err := capability.NewID(capability.MCP, "up", name)
		if err != nil {
			return nil, err
		}
		all = append(all, capability.Descriptor{ID: id})
	}
	return all, nil
}

func (u upstream) Call(ctx context.Context, id capability.ID, args canon.Value) (run.Answer, error) {
	return u[id.Name()](ctx, args)
}

// up is the upstream server of the shared cases.
func up() upstream {
	return upstream{
		"greet": func(_ context.Context, args canon.Value) (run.Answer, error) {
			name, _ := args.Member("name")
			text, _ := name.Text()
			answer, err := canon.Text("hello " + text)
			return run.Answer{Value: answer, Text: true}, err
		},
		"fail": func(context.Context, canon.Value) (run.Answer, error) {
			return run.Answer{}, fault.New(fault.ToolFailed, "quota exceeded")
		},
		"get": func(ctx context.Context, args canon.Value) (run.Answer, error) {
			i, _ := args.Member("i")
			select {
			case <-time.After(200 * time.Millisecond):
			case <-ctx.Done():
				return run.Answer{}, ctx.Err()
			}
			if n, _ := i.Int64(); n == 2 {
				return run.Answer{}, fault.New(fault.ToolFailed, "no such item")
			}
			answer, err := canon.Parse([]byte(`{"i":` + string(i.Bytes()) + `}`))
			return run.Answer{Value: answer}, err
		},
		"echo": func(_ context.Context, args canon.Value) (run.Answer, error) {
			return run.Answer{Value: args}, nil
		},
	}
}

// mustRun runs a snippet and fails the test if the run could not be made.
func mustRun(t *testing.T, r ports.Runner, code string) run.Outcome {
	t.Helper()
	out, err := r.Run(t.Context(), run.Request{Code: code})
	is.New(t).NoErr(err)
	return out
}

// succeed runs a snippet that must end well and returns its value as JSON.
func succeed(t *testing.T, r ports.Runner, code string) string {
	t.Helper()
	out := mustRun(t, r, code)
	if !out.OK() {
		t.Fatalf("%s: %s\n%s", out.Failure.Type, out.Failure.Message, out.Failure.Traceback)
	}
	return string(out.Value.Bytes())
}

// fail runs a snippet that must not end well.
func fail(t *testing.T, r ports.Runner, code string) *run.Failure {
	t.Helper()
	out := mustRun(t, r, code)
	if out.OK() {
		t.Fatalf("ended well with %s", out.Value.Bytes())
	}
	return out.Failure
}

// contains fails the test unless text holds all parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q says nothing of %q", text, part)
		}
	}
}

// noted fails the test unless a note lies at the path.
func noted(t *testing.T, out run.Outcome, path string) {
	t.Helper()
	for _, n := range out.Notes {
		if n.Path == path {
			return
		}
	}
	t.Errorf("no note at %s in %v", path, out.Notes)
}
