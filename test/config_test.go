package test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/tomlconfig"
)

func TestConfigDocumentListsEverySetting(t *testing.T) {
	is := is.New(t)
	var text strings.Builder
	table := ""
	for _, s := range tomlconfig.Settings() {
		if s.Table != table {
			table = s.Table
			fmt.Fprintf(&text, "\n### [%s]\n\n| key | unit | default | |\n|---|---|---|---|\n", table)
		}
		is.True(s.About != "") // every key is explained
		fmt.Fprintf(&text, "| `%s` | %s | `%s` | %s |\n", s.Key, s.Unit, s.Default, s.About)
	}
	generated(t, "docs/config.md", "settings", text.String()+"\n")
}

// TestConfigExamples reads the examples of docs/config.md: files, and what is
// said of a faulty one.
func TestConfigExamples(t *testing.T) {
	is := is.New(t)
	document, err := fs.ReadFile(root, "docs/config.md")
	is.NoErr(err)
	all, err := parseBlocks("docs/config.md", string(document))
	is.NoErr(err)
	files := 0
	for _, b := range all {
		if strings.HasPrefix(b.text, "[") {
			files++
			_, err := tomlconfig.Parse(b.String(), []byte(b.text))
			is.NoErr(err) // the example is accepted
		}
	}
	is.True(files > 0) // there is an example
	_, err = tomlconfig.Parse("toolplane.toml", []byte("[results]\nmax_entrys = 3\n"))
	is.True(strings.Contains(string(document), "\n"+err.Error()+"\n")) // the fault is shown as it is
}
