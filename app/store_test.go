package app_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/app"
	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// relay returns a script that makes the call that the run's code names and ends
// with its answer. The code is "save JSON", "load HANDLE", "keep TEXT" or
// "fetch HANDLE", the last two for artifacts.
func relay() script {
	return func(ctx context.Context, job run.Job, b ports.Bridge) (run.Report, error) {
		verb, rest, _ := strings.Cut(job.Code, " ")
		call := run.Call{Args: argument("handle", rest)}
		switch verb {
		case "save":
			call = run.Call{Name: "toolplane:results/save", Args: argument("label", "a label"), Payload: run.Bytes([]byte(rest))}
		case "keep":
			call = run.Call{Name: "toolplane:artifacts/save", Args: argument("filename", "x.bin"), Payload: run.Bytes([]byte(rest))}
		case "load":
			call.Name = "toolplane:results/load"
		case "fetch":
			call.Name = "toolplane:artifacts/load"
		}
		answer, err := b.Call(ctx, call)
		if err != nil {
			return failed(err), nil
		}
		if len(answer.Blobs) == 1 {
			text, err := canon.Text(string(answer.Blobs[0].Data))
			return run.Report{Value: text}, err
		}
		return run.Report{Value: answer.Value}, nil
	}
}

// argument returns an object with one text member.
func argument(name, text string) canon.Value {
	enc := canon.NewEncoder(canon.Options{})
	_ = enc.BeginObject()
	_ = enc.Key(name)
	_ = enc.Text(text)
	_ = enc.EndObject()
	v, _ := enc.Value()
	return v
}

// saved runs a save and returns the handle.
func saved(t *testing.T, w *app.Workspace, code string) string {
	t.Helper()
	is := is.New(t)
	out := do(t, w, run.Request{Code: code})
	is.True(out.OK()) // it is saved
	h, ok := out.Value.Text()
	is.True(ok) // and named
	return h
}

func TestSavedInOneRunLoadedInTheNext(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, relay(), nil).workspace(t)
	h := saved(t, w, `save {"rows": [1, 2.50, "é"]}`)
	is.True(strings.HasPrefix(h, "res_"))
	is.Equal(string(do(t, w, run.Request{Code: "load " + h}).Value.Bytes()), `{"rows":[1,2.5,"é"]}`)

	a := saved(t, w, "keep bytes")
	is.True(strings.HasPrefix(a, "art_"))
	is.Equal(string(do(t, w, run.Request{Code: "fetch " + a}).Value.Bytes()), `"bytes"`)
}

func TestOutcomePointsToWhatWasSaved(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, relay(), nil).workspace(t)
	out := do(t, w, run.Request{Code: `save [1, 2]`})
	is.Equal(len(out.Results), 1)
	p := out.Results[0]
	h, _ := out.Value.Text()
	is.Equal(p.Handle.Reveal(), h)  // the host's record
	is.Equal(p.Label, "a label")    //
	is.Equal(p.Bytes, int64(5))     // of canonical JSON
	is.Equal(len(out.Artifacts), 0) //

	out = do(t, w, run.Request{Code: `keep bytes`})
	is.Equal(len(out.Artifacts), 1)
	is.Equal(out.Artifacts[0].Filename, "x.bin")
	is.Equal(len(out.Results), 0) // only what this run saved
}

func TestHandlesDoNotCrossWorkspacesOrRuntimes(t *testing.T) {
	is := is.New(t)
	shared := tool(t, "one", one)
	first, second := newWorld(t, relay(), nil, shared), newWorld(t, relay(), nil, shared)
	mine := first.workspace(t)
	h := saved(t, mine, "save 1")
	for name, other := range map[string]*app.Workspace{
		"of the same runtime": first.workspace(t), "of another runtime": second.workspace(t),
	} {
		out := do(t, other, run.Request{Code: "load " + h})
		is.True(!out.OK())                              // another workspace, same sources
		is.Equal(out.Failure.Code, fault.ResultUnknown) // knows nothing of it
		_ = name
	}
	is.True(do(t, mine, run.Request{Code: "load " + h}).OK()) // while its own does
}

func TestExpiredHandleIsUnknown(t *testing.T) {
	is := is.New(t)
	world := newWorld(t, relay(), nil)
	w := world.workspace(t)
	h := saved(t, w, "save 1")
	world.clock.advance(limit.Defaults().Results.TTL - time.Second)
	is.True(do(t, w, run.Request{Code: "load " + h}).OK()) // its time is not over
	world.clock.advance(time.Second)
	out := do(t, w, run.Request{Code: "load " + h})
	is.Equal(out.Failure.Type, "ValueError")
	is.Equal(out.Failure.Message, "unknown or expired result handle "+h)
}

func TestExpiryMakesRoom(t *testing.T) {
	is := is.New(t)
	world := newWorld(t, relay(), func(c *limit.Caps) { c.Results.Entries = 1 })
	w := world.workspace(t)
	saved(t, w, "save 1")
	out := do(t, w, run.Request{Code: "save 2"})
	is.Equal(out.Failure.Code, fault.ResultFull) // no eviction
	world.clock.advance(limit.Defaults().Results.TTL)
	saved(t, w, "save 2")
}

func TestWhatIsSavedCanBeLoaded(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, relay(), func(c *limit.Caps) {
		c.Run.Answer, c.Results.Entry = 100, 100
		c.Artifacts.Entry = 100
	}).workspace(t)
	largest := strings.Repeat("x", 100-len("x.bin"))
	is.Equal(len(do(t, w, run.Request{Code: "fetch " + saved(t, w, "keep "+largest)}).Value.Bytes()), len(largest)+2) // as large as may be
}

func TestDisabledStoreSaysSo(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, relay(), func(c *limit.Caps) { c.Results.Enabled = false }).workspace(t)
	for _, code := range []string{"save 1", "load res_x"} {
		out := do(t, w, run.Request{Code: code})
		is.Equal(out.Failure.Code, fault.ResultDisabled)
		is.True(strings.Contains(out.Failure.Message, "results store is disabled"))
	}
}

func TestSourcesCannotOfferOurOwnKind(t *testing.T) {
	is := is.New(t)
	w := newWorld(t, relay(), nil)
	fake := tool(t, "save", one)
	fake.descriptor = ownDescriptor(t)
	is.True(w.runtime.Connect(t.Context(), fake) != nil) // the stores are the bridge's alone
	saved(t, w.workspace(t), "save 1")                   // and go on working
}

// TestWhatMayNotBeSavedIsNotRead gives JSON that is larger than one entry, and JSON
// to a store that is off: neither may cost memory of its size.
func TestWhatMayNotBeSavedIsNotRead(t *testing.T) {
	large := `["` + strings.Repeat("x", 3<<20) + `"]`
	spaced := "[" + strings.Repeat(" ", 4096) + "]"
	for _, c := range []struct {
		name, json string
		change     func(*limit.Caps)
		want       fault.Code
		says       string
	}{
		{"larger than one entry", large, func(c *limit.Caps) { c.Results.Entry = 1024 }, fault.ResultTooLarge, "takes 3145732 bytes and its label 7, more than the 1024"},
		{"off", large, func(c *limit.Caps) { c.Results.Enabled = false }, fault.ResultDisabled, "disabled"},
		{"small but for its spaces", spaced, func(c *limit.Caps) { c.Results.Entry = 1024 }, "", ""},
		{"no JSON", "[1,", nil, fault.JSONSyntax, "a value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			var before, after runtime.MemStats
			w := newWorld(t, func(ctx context.Context, _ run.Job, b ports.Bridge) (run.Report, error) {
				call := run.Call{Name: "toolplane:results/save", Args: argument("label", "a label"), Payload: run.Bytes([]byte(c.json))}
				runtime.ReadMemStats(&before)
				_, err := b.Call(ctx, call)
				runtime.ReadMemStats(&after)
				if err != nil {
					return failed(err), nil
				}
				return run.Report{}, nil
			}, c.change)
			out := do(t, w.workspace(t), run.Request{})
			is.True(after.TotalAlloc-before.TotalAlloc < 1<<20)
			if c.want == "" {
				is.True(out.Failure == nil)
				return
			}
			is.Equal(out.Failure.Code, c.want)
			is.True(strings.Contains(out.Failure.Message, c.says))
		})
	}
}
