package shell_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func indented(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, value(text).Bytes(), "", "  "); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The last line of what the hidden command prints is a number that tells the
// shell's script what to do: 2 adds no space, 4 offers no files of its own, 8
// filters files by the extensions that are offered.
func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("data", 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, "data/issues.json", "[]")
	write(t, "data/.hidden", "")
	write(t, "issues.json", "[]")
	for _, tc := range []struct {
		name string
		args []string
		want []string
	}{
		{"commands", []string{"r"}, []string{"run", ":4"}},
		{"files", []string{"run", ""}, []string{"py", ":8"}},
		{"no files beside -c", []string{"run", "-c", "1", ""}, []string{":4"}},
		{"input names", []string{"run", "--input", "iss"}, []string{":6"}},
		{"input files", []string{"run", "--input", "a=@iss"}, []string{"a=@issues.json", ":4"}},
		{"input folders", []string{"run", "--input", "a=@d"}, []string{"a=@data/", ":6"}},
		{"files in folders", []string{"run", "--input", "a=@data/"}, []string{"a=@data/issues.json", ":4"}},
		{"times", []string{"run", "--timeout", ""}, []string{"1s", "5s", "10s", "30s", ":4"}},
		{"flags", []string{"run", "--in"}, []string{"--input", ":4"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			c := &console{}
			is.Equal(c.main(t.Context(), append([]string{"__completeNoDesc"}, tc.args...)...), 0)
			is.Equal(strings.Fields(c.out.String()), tc.want)
			is.Equal(c.opened, 0) // completing starts nothing
		})
	}
}

func TestCompletionScripts(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish", "powershell"} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := &console{}
			is.Equal(c.main(t.Context(), "completion", name), 0)
			is.True(strings.Contains(c.out.String(), "__complete")) // the script asks the program
		})
	}
}
