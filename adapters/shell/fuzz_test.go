package shell_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"toolplane/domain/canon"
	"toolplane/domain/run"
)

// FuzzCommandLine gives arbitrary arguments, separated by null bytes, to a
// runner that likes everything.
func FuzzCommandLine(f *testing.F) {
	for _, args := range [][]string{
		{"run", "-c", "1", "--input", "a=1", "--timeout", "1e3"},
		{"run", "-", "--json"},
		{"run", "--input", "a=@"},
		{"help", "run"},
		{"completion", "fish"},
		{"__complete", "run", "--input", "a=@"},
		{"run", "--timeout=-0x1p-2s"},
		{"-v"},
		{"--", "run"},
	} {
		f.Add(strings.Join(args, "\x00"))
	}
	f.Fuzz(func(t *testing.T, line string) {
		t.Chdir(t.TempDir())
		line = strings.ReplaceAll(line, "/", "_") // stay in the folder
		c := &console{}
		ran := false
		c.always = func(_ context.Context, req run.Request) (run.Outcome, error) {
			ran = true
			if req.Timeout < 0 || !slices.Contains([]canon.Kind{canon.KindNull, canon.KindObject}, req.Inputs.Kind()) {
				t.Errorf("asked for %v with inputs %v", req.Timeout, req.Inputs)
			}
			return run.Outcome{Value: req.Inputs}, nil
		}
		switch status := c.main(t.Context(), strings.Split(line, "\x00")...); {
		case status == 2 && (ran || c.err.Len() == 0):
			t.Errorf("a usage error that ran (%v) or says nothing: %s", ran, &c.err)
		case status != 0 && status != 2:
			t.Errorf("status %d: %s", status, &c.err)
		}
		if c.opened != c.closed {
			t.Error("what was opened was not closed")
		}
	})
}

// FuzzValue shows arbitrary values and compares with encoding/json.
func FuzzValue(f *testing.F) {
	for _, text := range []string{`null`, `{"a":[1,{}],"b\\":"\"{[,:]}"}`, `[[],[[]],"é\u0001"]`, `-1.50e+3`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := canon.Parse(text)
		if err != nil || v.IsNull() {
			return
		}
		c := &console{runner: runner{"v": func(context.Context, run.Request) (run.Outcome, error) {
			return run.Outcome{Value: v}, nil
		}}}
		c.main(t.Context(), "run", "-c", "v")
		if got, want := c.out.String(), indented(t, string(v.Bytes()))+"\n"; got != want {
			t.Errorf("shown as %q, encoding/json has %q", got, want)
		}
	})
}
