package mcpserver_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/adapters/mcpserver/linetest"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

func TestOutcomeIsStructuredAndText(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{}
	host.Snippets = map[string]fakehost.Snippet{"x": func(_ context.Context, h *fakehost.Host, _ run.Request) (run.Outcome, error) {
		return run.Outcome{
			Value:     fakehost.MustParse(`{"n":12345678901234567890123,"f":1.0,"html":"<&>"}`),
			Stdout:    run.Text{Head: "hello\n", Size: 6},
			Stderr:    run.Text{Head: "oops", Size: 4},
			Duration:  1234567 * time.Nanosecond,
			Calls:     3,
			Notes:     []run.Note{{Path: "$.f", Text: "is a float"}},
			Results:   []run.Pointer{h.Save(handle.Result, run.JSON(fakehost.MustParse("[1,2]")), run.Pointer{Label: "two\nlines"})},
			Artifacts: []run.Pointer{h.Save(handle.Artifact, run.Bytes([]byte("png")), run.Pointer{Filename: "p.png", MediaType: "image/png"})},
		}, nil
	}}
	c := connect(t, host, all)
	o, a := execute(t, c, code("x"))
	is.True(o.OK)
	is.Equal(string(o.Value), `{"n":12345678901234567890123,"f":1.0,"html":"\u003c\u0026\u003e"}`) // all digits; the same JSON
	is.Equal(o.Stdout, "hello\n")
	is.Equal(o.Stderr, "oops")
	is.Equal(o.DurationMS, json.Number("1.235"))
	is.Equal(o.Calls, 3)
	is.Equal(o.Backend, "fake")
	is.Equal(o.Notes, []string{"$.f: is a float"})
	is.Equal(o.Error, nil)
	is.Equal(len(o.Results), 1)
	is.Equal(o.Results[0].URI, "toolplane://results/"+o.Results[0].Handle)
	is.Equal(o.Results[0].Bytes, int64(5))
	is.Equal(o.Artifacts[0].Filename+" "+o.Artifacts[0].MediaType, "p.png image/png")
	is.Equal(a.text(), strings.Join([]string{
		`value: {"n":12345678901234567890123,"f":1.0,"html":"<&>"}`,
		`saved: ` + o.Results[0].Handle + ` "two\nlines" (5 bytes), resource ` + o.Results[0].URI,
		`saved: ` + o.Artifacts[0].Handle + ` "p.png" "image/png" (3 bytes), resource ` + o.Artifacts[0].URI,
		`note: $.f: is a float`, `stdout:`, `hello`, `stderr:`, `oops`,
	}, "\n"))
}

func TestAnyJSONIsAValue(t *testing.T) {
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{}}
	values := []string{"null", "0", "-1e+16", `"text"`, "[]", "[[1],null]", "true", "{}"}
	for _, v := range values {
		host.Snippets[v] = fakehost.Value(v)
	}
	c := connect(t, host, all)
	for _, v := range values {
		is := is.New(t)
		o, a := execute(t, c, code(v))
		is.Equal(string(o.Value), v)
		is.Equal(a.text(), "value: "+v)
	}
}

func TestFailedSnippetIsAnOutcome(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{
		"own":   fakehost.Ends(run.Outcome{Failure: &run.Failure{Type: "KeyError", Message: "'a'", Traceback: "Traceback:\n  line 3\nKeyError: 'a'\n", Line: 3}}),
		"limit": fakehost.Ends(run.Outcome{Failure: run.Stop(fault.New(fault.RunTimeout, "the run took 30 s"))}),
	}}
	c := connect(t, host, all)
	o, a := execute(t, c, code("own"))
	is.Equal(*o.Error.Line, 3)
	is.Equal(o.Error.Type+o.Error.Message+o.Error.Code, "KeyError'a'")
	is.Equal(a.text(), "error: KeyError: 'a' (line 3)\nTraceback:\n  line 3\nKeyError: 'a'")
	o, a = execute(t, c, code("limit"))
	is.Equal(o.Error.Code, "run.timeout")
	is.True(o.Error.Line == nil) // unknown
	is.Equal(a.text(), "error: TimeoutError: the run took 30 s [run.timeout]")
}

// TestOversizedEverything is c06: both forms are bounded, cut between
// characters, with the true sizes, and the value is kept.
func TestOversizedEverything(t *testing.T) {
	is := is.New(t)
	var rows strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&rows, `,{"i":%d,"t":"%s"}`, i, strings.Repeat("é", 20))
	}
	value := fakehost.MustParse("[" + rows.String()[1:] + "]")
	recorder := run.NewRecorder(1 << 20)
	for range 30 {
		recorder.Write([]byte(strings.Repeat("é", 1_000_000)))
	}
	novel := strings.Repeat("é\x01", 200_000)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{
		"value": fakehost.Ends(run.Outcome{Value: value, Stdout: recorder.Text(), Stderr: recorder.Text()}),
		"failure": func(_ context.Context, h *fakehost.Host, _ run.Request) (run.Outcome, error) {
			o := run.Outcome{Stdout: recorder.Text(), Stderr: recorder.Text(), Failure: &run.Failure{Type: novel, Message: novel, Traceback: novel, Line: 1}}
			for range 300 {
				o.Notes = append(o.Notes, run.Note{Text: novel})
				o.Results = append(o.Results, h.Save(handle.Result, run.JSON(fakehost.MustParse("1")), run.Pointer{Label: novel}))
				o.Artifacts = append(o.Artifacts, h.Save(handle.Artifact, run.Bytes(nil), run.Pointer{Label: novel, Filename: novel, MediaType: novel}))
			}
			return o, nil
		},
	}}
	c := connect(t, host, all)
	for _, name := range []string{"value", "failure"} {
		m := c.Call("tools/call", linetest.Tool("execute_code", code(name)))
		a := toolAnswerOf(t, m)
		is.True(m.Size < 2<<20)             // far under what breaks a client
		is.True(len(a.text()) <= 64<<10)    // the text
		is.True(utf8.ValidString(a.text())) // whole characters
		is.True(!strings.Contains(a.text(), "\ufffd"))
		is.True(!strings.Contains(string(a.StructuredContent), `\ufffd`))
		var o outcome
		is.NoErr(json.Unmarshal(a.StructuredContent, &o))
		is.Equal(o.StdoutBytes, int64(60_000_000)) // the true size
		is.True(len(o.Stdout) < 17<<10 && strings.Contains(o.Stdout, "of 60000000 bytes left out"))
		is.True(strings.HasPrefix(o.Stdout, "éé") && strings.HasSuffix(o.Stdout, "éé")) // head and tail
		if name == "value" {
			is.Equal(string(o.Value), "null")
			is.Equal(o.LargeValue.Bytes, value.Len())
			is.True(strings.HasPrefix(string(value.Bytes()), o.LargeValue.Preview)) // how it begins
			is.Equal(o.Results[0].Handle, *o.LargeValue.Handle)
			kept, err := host.Read(t.Context(), handle.Result, *o.LargeValue.Handle)
			is.NoErr(err)
			got, _ := kept.Payload.Value()
			is.True(got.Equal(value)) // all of it
			is.True(containsAll(a.text(), *o.LargeValue.Handle, *o.LargeValue.URI, fmt.Sprint(value.Len()), "load_result"))
		}
	}
}

func TestLargeValueWithoutAStore(t *testing.T) {
	for _, tc := range []struct {
		name string
		host *fakehost.Host
		on   bool
		says string
	}{
		{"off", &fakehost.Host{ResultsOff: true, ArtifactsOff: true}, false, "return a summary of it"},
		{"full", &fakehost.Host{Full: true, ArtifactsOff: true}, true, "could not be saved: the results store is full (64 entries); re-use an existing handle"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			tc.host.Snippets = map[string]fakehost.Snippet{"x": fakehost.Value(`"` + strings.Repeat("é", 20_000) + `"`)}
			opts := all
			opts.ResultsOn, opts.ArtifactsOn = tc.on, false
			o, a := execute(t, connect(t, tc.host, opts), code("x"))
			is.True(o.OK) // finished work is not lost for its value
			is.Equal(o.LargeValue.Handle, nil)
			is.Equal(o.LargeValue.Bytes, 40_002)
			is.True(strings.HasPrefix(o.LargeValue.Preview, `"éé`) && utf8.ValidString(o.LargeValue.Preview))
			is.Equal(len(o.Notes), 1)
			is.True(containsAll(o.Notes[0], "40002 bytes", tc.says))
			is.True(containsAll(a.text(), o.Notes[0], `value: "éé`))
		})
	}
}

// TestValueThatIsNoResultIsAnArtifact is the rest of c06: finished work is not
// lost where the results store does not take it.
func TestValueThatIsNoResultIsAnArtifact(t *testing.T) {
	for name, host := range map[string]*fakehost.Host{"full": {Full: true}, "off": {ResultsOff: true}} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			value := `"` + strings.Repeat("é", 20_000) + `"`
			host.Snippets = map[string]fakehost.Snippet{"x": fakehost.Value(value)}
			opts := all
			opts.ResultsOn = !host.ResultsOff
			c := connect(t, host, opts)
			o, a := execute(t, c, code("x"))
			is.True(strings.HasPrefix(*o.LargeValue.Handle, "art_"))
			is.Equal(o.LargeValue.Bytes, 40_002) // the true size
			is.Equal(len(o.Results), 0)
			is.Equal(o.Artifacts[0].Handle, *o.LargeValue.Handle)
			is.Equal(o.Artifacts[0].MediaType, "application/json")
			is.Equal(len(o.Notes), 1)
			wayBack := `json.loads(await load_artifact("` + *o.LargeValue.Handle + `"))`
			is.True(strings.Contains(o.Notes[0], wayBack))
			is.True(containsAll(a.text(), wayBack, *o.LargeValue.URI))
			got, failed := read(t, c, *o.LargeValue.URI)
			is.True(failed == nil)
			text, err := base64.StdEncoding.DecodeString(got.Contents[0].Blob)
			is.NoErr(err)
			is.Equal(string(text), value) // all of it
			is.Equal(got.Contents[0].MIMEType, "application/json")
		})
	}
}

func TestPreviewKeepsToTheBound(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{"x": fakehost.Value(`"` + strings.Repeat("é", 300) + `"`)}}
	opts := all
	opts.InlineValueBytes = 100
	o, a := execute(t, connect(t, host, opts), code("x"))
	is.Equal(o.LargeValue.Preview, `"`+strings.Repeat("é", 49))               // 99 bytes: whole characters
	is.True(strings.Contains(a.text(), "value: "+o.LargeValue.Preview+"…\n")) // and there is more
	is.True(strings.Contains(o.Notes[0], "602 bytes, more than the 100 that are shown whole"))
}

func TestInlineCapsAreOptions(t *testing.T) {
	is := is.New(t)
	host := &fakehost.Host{Snippets: map[string]fakehost.Snippet{
		"x":     fakehost.Ends(run.Outcome{Value: fakehost.MustParse(`[1,2,3,4]`), Stdout: run.Text{Head: "0123456789", Size: 10}}),
		"large": fakehost.Value(`"` + strings.Repeat("x", 500_000) + `"`),
	}}
	opts := all
	opts.InlineValueBytes, opts.InlineOutputBytes = 8, 4
	o, _ := execute(t, connect(t, host, opts), code("x"))
	is.Equal(o.LargeValue.Bytes, 9)
	is.Equal(o.Stdout, "01\n[… 6 of 10 bytes left out …]\n89")
	opts.InlineValueBytes = 1 << 20
	o, a := execute(t, connect(t, host, opts), code("large"))
	is.Equal(len(o.Value), 500_002)  // as asked for
	is.True(len(a.text()) <= 64<<10) // the text has its own bound
	is.True(o.LargeValue == nil)
}
