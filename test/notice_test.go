package test

import (
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// noticeMark begins the part of NOTICE that tells of Go modules; -update
// rewrites it from what the licences in the module cache say.
const noticeMark = "\nGo modules in the program\n"

// notInTheProgram are modules of go.mod that only tests and tools use.
var notInTheProgram = []string{
	"github.com/google/subcommands", "github.com/matryer/is", "github.com/pmezard/go-difflib", "go.uber.org/goleak",
	"golang.org/x/mod", "golang.org/x/sync", "golang.org/x/tools", "pgregory.net/rapid",
}

// required is a module with its version.
type required struct{ path, version string }

// linked returns the modules that are linked into the program.
func linked(t *testing.T) []required {
	t.Helper()
	text, err := os.ReadFile("../go.mod")
	is.New(t).NoErr(err)
	var all []required
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(strings.TrimPrefix(line, "require "))
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "v") || slices.Contains(notInTheProgram, fields[0]) {
			continue
		}
		all = append(all, required{fields[0], fields[1]})
	}
	return all
}

func TestNoticeNamesEveryModule(t *testing.T) {
	is := is.New(t)
	text, err := os.ReadFile("../NOTICE")
	is.NoErr(err)
	before, after, found := strings.Cut(string(text), noticeMark)
	if *update {
		after = goNotices(t)
		is.NoErr(os.WriteFile("../NOTICE", []byte(before+noticeMark+after), 0o644))
		found = true
	}
	is.True(found) // NOTICE has a part on Go modules
	modules := linked(t)
	is.True(len(modules) > 5) // the program is made of modules
	for _, m := range modules {
		if !strings.Contains(after, "\n"+m.path+" ") {
			t.Errorf("NOTICE does not name %s; run go test ./test -run TestNotice -update", m.path)
		}
	}
}

// goNotices renders the licences of all modules.
func goNotices(t *testing.T) string {
	t.Helper()
	const rule = "===================================================================================================="
	var apache, others strings.Builder
	for _, m := range linked(t) {
		text := strings.TrimSpace(licence(t, m))
		if strings.HasPrefix(text, "Apache License") {
			fmt.Fprintf(&apache, "\n%s %s", m.path, m.version)
			continue
		}
		fmt.Fprintf(&others, "\n\n%s\n\n%s %s\n\n%s\n", rule, m.path, m.version, text)
	}
	return rule + "\n\nUnder the Apache License 2.0, whose text stands above:\n" + apache.String() + "\n" + others.String()
}

// licence returns the text of a module's licence.
func licence(t *testing.T, m required) string {
	t.Helper()
	is := is.New(t)
	if strings.ToLower(m.path) != m.path {
		t.Fatalf("%s: the module cache escapes capital letters, which this test does not", m.path)
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		cache = filepath.Join(build.Default.GOPATH, "pkg", "mod")
	}
	files, err := filepath.Glob(filepath.Join(cache, m.path+"@"+m.version, "LICENSE*"))
	is.NoErr(err)
	is.True(len(files) > 0) // the module has a licence
	text, err := os.ReadFile(files[0])
	is.NoErr(err)
	return string(text)
}
