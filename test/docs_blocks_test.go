package test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
)

// block is one fenced example of a document. Its language says how it is
// checked:
//
//	python  runs in the sandbox and must end well. "# → JSON" gives its value,
//	        "# prints TEXT" a line that it prints, "# raises TYPE" the exception
//	        that ends it instead. "previous" behind the language runs it after
//	        the block before it, in the same workspace.
//	sh      each line is a toolplane command, which runs and must end with status
//	        0, or the one in "# exit N" behind it; or a command that CI runs.
//	go      is part of a Go file of this module.
//
// A block without a language is shown, not checked.
type block struct {
	document string
	line     int // of the opening fence
	language string
	previous bool
	text     string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.document, b.line) }

// documents returns the path of every document.
func documents(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md"}
	err := fs.WalkDir(root, "docs", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(name) == ".md" {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// blocks returns the examples of one language, in their order.
func blocks(t *testing.T, language string) []block {
	t.Helper()
	var found []block
	for _, document := range documents(t) {
		text, err := fs.ReadFile(root, document)
		if err != nil {
			t.Fatal(err)
		}
		all, err := parseBlocks(document, string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			if b.language == language {
				found = append(found, b)
			}
		}
	}
	return found
}

func parseBlocks(document, text string) ([]block, error) {
	var found []block
	var open *block
	for i, line := range strings.Split(text, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			words := strings.Fields(info)
			open = &block{document: document, line: i + 1}
			if len(words) > 0 {
				open.language = words[0]
			}
			switch {
			case len(words) == 2 && words[0] == "python" && words[1] == "previous":
				open.previous = true
			case len(words) > 1:
				return nil, fmt.Errorf("%v: %q means nothing here", open, words[1])
			case len(words) == 1 && words[0] != "python" && words[0] != "sh" && words[0] != "go":
				return nil, fmt.Errorf("%v: no rule checks examples in %s", open, words[0])
			}
		case fence:
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%v: the example has no end", open)
	}
	return found, nil
}
