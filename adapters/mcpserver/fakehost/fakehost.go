// Package fakehost is a Runner, a Catalog and a Vault in memory, for tests of
// what stands in front of them.
//
// A snippet is whatever function was put under its code; nothing is interpreted.
// Stores know no limits but those that a test sets.
package fakehost

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"toolplane/domain/canon"
	"toolplane/domain/discover"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Snippet is what happens when its code is run.
type Snippet func(ctx context.Context, h *Host, req run.Request) (run.Outcome, error)

// Host is a Runner, a Catalog and a Vault. The fields are set before use, its
// methods may be called concurrently.
type Host struct {
	Snippets     map[string]Snippet
	Capabilities []discover.Description
	ManifestText string
	ResultsOff   bool
	Full         bool // Keep finds no room among the results
	ArtifactsOff bool // nor among the artifacts

	mu     sync.Mutex // guards what follows
	kept   []run.Kept
	minted uint64
	asked  []run.Request
}

var (
	_ ports.Runner  = (*Host)(nil)
	_ ports.Catalog = (*Host)(nil)
	_ ports.Vault   = (*Host)(nil)
)

// Run runs the snippet of a code. Code that nobody has put there is a
// SyntaxError.
func (h *Host) Run(ctx context.Context, req run.Request) (run.Outcome, error) {
	h.mu.Lock()
	h.asked = append(h.asked, req)
	h.mu.Unlock()
	snippet := h.Snippets[req.Code]
	if snippet == nil {
		return run.Outcome{Failure: &run.Failure{Type: "SyntaxError", Message: fmt.Sprintf("no snippet: %.40q", req.Code), Line: 1}}, nil
	}
	o, err := snippet(ctx, h, req)
	if o.Backend == "" {
		o.Backend = "fake"
	}
	return o, err
}

// Asked returns the requests so far.
func (h *Host) Asked() []run.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.asked)
}

// Save keeps a payload.
func (h *Host) Save(kind handle.Kind, p run.Payload, about run.Pointer) run.Pointer {
	h.mu.Lock()
	defer h.mu.Unlock()
	var random [handle.Size]byte
	h.minted++
	binary.BigEndian.PutUint64(random[:], h.minted)
	about.Handle, about.Bytes = handle.Mint(kind, random), p.Len()
	h.kept = append(h.kept, run.Kept{Pointer: about, Payload: p})
	return about
}

// Read returns what was saved under a handle.
func (h *Host) Read(_ context.Context, kind handle.Kind, text string) (run.Kept, error) {
	if kind == handle.Result && h.ResultsOff {
		return run.Kept{}, fault.New(fault.ResultDisabled, "results store is disabled")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.kept {
		if k.Handle.Kind() == kind && k.Handle.Reveal() == text {
			return k, nil
		}
	}
	return run.Kept{}, handle.Unknown(kind, text)
}

// Live returns what was saved, results first.
func (h *Host) Live(context.Context) ([]run.Pointer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var live []run.Pointer
	for _, kind := range []handle.Kind{handle.Result, handle.Artifact} {
		for _, k := range h.kept {
			if k.Handle.Kind() == kind {
				live = append(live, k.Pointer)
			}
		}
	}
	return live, nil
}

// Keep saves a result, or an artifact where the results store is off or full.
func (h *Host) Keep(_ context.Context, value run.Payload, label string) (run.Pointer, error) {
	switch {
	case !h.ResultsOff && !h.Full:
		return h.Save(handle.Result, value, run.Pointer{Label: label}), nil
	case !h.ArtifactsOff:
		return h.Save(handle.Artifact, run.Bytes(value.Data()), run.Pointer{Label: label, MediaType: "application/json"}), nil
	case h.ResultsOff:
		return run.Pointer{}, fault.New(fault.ResultDisabled, "results store is disabled")
	default:
		return run.Pointer{}, fault.New(fault.ResultFull, "the results store is full (64 entries); re-use an existing handle")
	}
}

// Search finds the capabilities whose id or text holds the query.
func (h *Host) Search(_ context.Context, q discover.Query) (discover.Page, error) {
	var page discover.Page
	for _, d := range h.Capabilities {
		if !strings.Contains(strings.ToLower(d.ID+" "+d.Summary), strings.ToLower(q.Text)) || !hasAll(d.Tags, q.Tags) {
			continue
		}
		page.Total++
		if len(page.Hits) < q.Limit {
			page.Hits = append(page.Hits, render(d, q.Detail))
		}
	}
	return page, nil
}

// Describe finds capabilities by id or friendly name.
func (h *Host) Describe(_ context.Context, names []string, detail discover.Detail) ([]discover.Description, error) {
	var found []discover.Description
	for _, name := range names {
		i := slices.IndexFunc(h.Capabilities, func(d discover.Description) bool {
			return d.ID == name || slices.Contains(d.Names, name)
		})
		if i < 0 {
			near := []string{}
			if len(h.Capabilities) > 0 {
				near = append(near, h.Capabilities[0].ID)
			}
			found = append(found, discover.Description{ID: name, Unknown: true, Near: near})
			continue
		}
		found = append(found, render(h.Capabilities[i], detail))
	}
	return found, nil
}

// render gives a description the text of a detail, unless it has one.
func render(d discover.Description, detail discover.Detail) discover.Description {
	if d.Text != "" {
		return d
	}
	d.Text = fmt.Sprintf("%s  # %s (%s)", d.Call, d.Summary, d.ID)
	if detail == discover.Full {
		d.Text += "\ninput: " + string(d.Source.Input.Bytes())
	}
	return d
}

func hasAll(have, want []string) bool {
	for _, tag := range want {
		if !slices.Contains(have, tag) {
			return false
		}
	}
	return true
}

// Manifest returns the text that was set, or lists the ids.
func (h *Host) Manifest(context.Context) (string, error) {
	if h.ManifestText != "" {
		return h.ManifestText, nil
	}
	var b strings.Builder
	b.WriteString("# What snippets can call\n\n")
	for _, d := range h.Capabilities {
		fmt.Fprintf(&b, "- `%s`\n", d.ID)
	}
	return b.String(), nil
}

// Value returns a snippet that ends with a value, given as JSON.
func Value(text string) Snippet {
	v := MustParse(text)
	return func(context.Context, *Host, run.Request) (run.Outcome, error) { return run.Outcome{Value: v}, nil }
}

// Ends returns a snippet with an outcome.
func Ends(o run.Outcome) Snippet {
	return func(context.Context, *Host, run.Request) (run.Outcome, error) { return o, nil }
}

// Hangs is a snippet that goes on until it is cancelled.
func Hangs(ctx context.Context, _ *Host, _ run.Request) (run.Outcome, error) {
	<-ctx.Done()
	return run.Outcome{Failure: run.Stop(fault.New(fault.RunCancelled, "the run was cancelled"))}, nil
}

// MustParse returns a value of JSON that the test knows to be good.
func MustParse(text string) canon.Value {
	v, err := canon.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return v
}
