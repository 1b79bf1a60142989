package test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/cmd/compose"
	"toolplane/domain/run"
)

// probes reads the Python probes: a heading "### name" and the lines under it.
func probes(t *testing.T) map[string]string {
	t.Helper()
	is := is.New(t)
	all := map[string]string{}
	files, err := fs.Glob(os.DirFS("probes"), "*.py")
	is.NoErr(err)
	for _, file := range files {
		if file == "record.py" {
			continue
		}
		text, err := os.ReadFile(path.Join("probes", file))
		is.NoErr(err)
		for _, part := range strings.Split("\n"+string(text), "\n### ")[1:] {
			name, source, _ := strings.Cut(part, "\n")
			all[strings.TrimSuffix(file, ".py")+"/"+name] = source
		}
	}
	return all
}

// different holds the probes that the sandbox cannot answer as a native Python
// does, and the exception that it raises instead. docs/python.md says why.
var different = map[string]string{
	"numbers/range arithmetic": "OverflowError",  // a length beyond 31 bits
	"text/pbkdf2":              "AttributeError", // OpenSSL's part of hashlib
}

// TestPythonIsTheRealOne compares what the sandbox answers to every probe with
// what native CPython of the same release answered to probes/record.py. The
// third time a paranoid sandbox runs what the second had it compile.
func TestPythonIsTheRealOne(t *testing.T) {
	is := is.New(t)
	recorded, err := os.ReadFile("probes/expected.json")
	is.NoErr(err)
	var want map[string]string
	is.NoErr(json.Unmarshal(recorded, &want))
	got := probes(t)
	is.True(len(got) >= 300)      // enough of Python is probed
	is.Equal(len(got), len(want)) // every probe has a recorded answer
	w, err := newRuntime(t, compose.Options{Paranoid: true}).NewWorkspace()
	is.NoErr(err)
	for name, source := range got {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			for range 3 {
				out, err := w.Run(t.Context(), run.Request{Code: source + "\nrepr(result)\n"})
				is.NoErr(err)
				if raised, ok := different[name]; ok {
					is.True(!out.OK())                 // it still differs
					is.Equal(out.Failure.Type, raised) // in the way that is documented
					continue
				}
				if !out.OK() {
					t.Fatal(out.Failure.Traceback)
				}
				answer, _ := out.Value.Text()
				is.Equal(answer, want[name]) // as native CPython
			}
		})
	}
}
