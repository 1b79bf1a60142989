package test

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// topLevel is what stands at the top of the tree, and nothing else.
var topLevel = []string{
	".ci", ".github", ".gitignore", ".golangci.yml", "LICENSE", "NOTICE", "README.md", "Taskfile.yml",
	"adapters", "app", "cmd", "docs", "domain", "go.mod", "go.sum", "ports", "test",
}

func TestTopLevel(t *testing.T) {
	is := is.New(t)
	ignored, err := fs.ReadFile(root, ".gitignore")
	is.NoErr(err)
	entries, err := fs.ReadDir(root, ".")
	is.NoErr(err)
	var found []string
	for _, entry := range entries {
		name := entry.Name()
		if name != ".git" && !ignores(string(ignored), name) {
			found = append(found, name)
		}
	}
	is.Equal(found, topLevel)
}

// ignores tells whether a line of a .gitignore file is about a name at the top.
func ignores(gitignore, name string) bool {
	for line := range strings.Lines(gitignore) {
		pattern := strings.Trim(strings.TrimSpace(line), "/")
		if ok, err := path.Match(pattern, name); err == nil && ok {
			return true
		}
	}
	return false
}

// maxLines is how long a file of code may be; one that is longer has more than
// one subject.
const maxLines = 300

var todo = regexp.MustCompile(`\b(TODO|FIXME|HACK|XXX)\b`)

func TestGoFilesAreShortAndFinished(t *testing.T) {
	is := is.New(t)
	sources, err := parseTree(root)
	is.NoErr(err)
	for _, s := range sources {
		text, err := fs.ReadFile(root, s.name)
		is.NoErr(err)
		lines := strings.Count(string(text), "\n")
		generated := strings.Contains(string(text), "// Code generated ")
		if !s.test && !generated && lines > maxLines && !strings.HasPrefix(s.name, "test/") {
			t.Errorf("%s has %d lines, the limit is %d; split it by subject", s.name, lines, maxLines)
		}
		if place := todo.FindIndex(text); place != nil && s.name != "test/layout_test.go" {
			t.Errorf("%s:%d: finish it or file an issue", s.name, strings.Count(string(text[:place[0]]), "\n")+1)
		}
		if strings.HasSuffix(strings.TrimSuffix(path.Base(s.name), ".go"), "is") {
			t.Errorf("%s: matryer/is takes files whose name ends in \"is\" for its own; rename it", s.name)
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	is := is.New(t)
	sources, err := parseTree(root)
	is.NoErr(err)
	said := make(map[string]bool)
	for _, s := range sources {
		if s.test {
			continue
		}
		doc := s.file.Doc.Text()
		want := "Package " + s.file.Name.Name + " "
		if s.file.Name.Name == "main" {
			want = "Program "
		}
		said[s.folder] = said[s.folder] || strings.HasPrefix(doc, want)
	}
	for folder, ok := range said {
		if !ok {
			t.Errorf("%s has no package comment; see docs/architecture.md", folder)
		}
	}
}

// TestNoMachineIsNamed keeps the paths of whoever worked on a file out of it.
func TestNoMachineIsNamed(t *testing.T) {
	is := is.New(t)
	places := regexp.MustCompile(`(^|[\s"'=(])(/work/|/root/|/home/[a-z]+/)[\w.]`)
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			foreign := base == "node_modules" || strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") && name != ".ci" && name != ".github"
			if name != "." && (foreign || name == "bin" || name == "dist") {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".md", ".go", ".yml", ".sh", ".py", ".toml", ""}, path.Ext(name)) {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if place := places.FindIndex(text); place != nil {
			t.Errorf("%s:%d names a folder of one machine", name, strings.Count(string(text[:place[0]]), "\n")+1)
		}
		return nil
	})
	is.NoErr(err)
}
