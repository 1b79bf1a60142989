package test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/matryer/is"
)

var update = flag.Bool("update", false, "rewrite what is generated from the code")

// root is the module's tree, as the tests of this package see it.
var root = os.DirFS("..")

func TestImportsAndBans(t *testing.T) {
	is := is.New(t)
	broken, err := policy{module: "toolplane", rows: rows, anyTest: anyTest, bans: bans}.check(root)
	is.NoErr(err) // every file parses
	for _, line := range broken {
		t.Error(line)
	}
}

// TestEveryRuleCanFail breaks each kind of rule once: a rule that cannot fail
// guards nothing.
func TestEveryRuleCanFail(t *testing.T) {
	small := policy{
		module: "m",
		rows: []row{
			{packages: "core", std: []string{"fmt", "time"}},
			{packages: "edge/...", own: []string{"core"}, modules: []string{"example.org/lib/..."}, tests: []string{"edge/fake"}},
			{packages: "main", own: []string{"edge/..."}},
		},
		anyTest: row{own: []string{"suite"}, modules: []string{"example.org/assert"}},
		bans: []ban{
			{in: "core", uses: []string{"time.Now", "fmt.Print*", goStatement}, why: "reason one"},
			{in: "...", except: []string{"main"}, uses: []string{"os.Exit", initFunction}, why: "reason two"},
			{in: "edge/port", uses: []string{function}, why: "reason three"},
		},
	}
	good := map[string]string{
		"core/core.go":       "package core\nimport (\"fmt\"; \"time\")\nvar _ = fmt.Sprint(time.Second)",
		"core/core_test.go":  "package core\nimport (\"os\"; \"time\"; \"m/core\"; \"m/suite\"; \"example.org/assert\")\nfunc f() { go f(); time.Now(); os.Exit(1) }",
		"edge/a/a.go":        "package a\nimport (\"os\"; \"m/core\"; \"example.org/lib/x\")\ntype exit struct{ Exit func(int) }\nfunc f(os exit) { os.Exit(1) }",
		"edge/a/a_test.go":   "package a\nimport \"m/edge/fake\"",
		"edge/port/p.go":     "package port\ntype P interface{ F() }",
		"main/main.go":       "package main\nimport (\"os\"; \"m/edge/a\")\nfunc main() { os.Exit(0) }",
		"main/testdata/x.go": "package broken !",
	}
	for _, tc := range []struct {
		name   string
		file   string
		source string // "" removes the file
		want   string // "" means no complaint
	}{
		{"nothing is wrong", "doc.txt", "no Go at all", ""},
		{"an own package outside the row", "core/b.go", "package core\nimport \"m/edge/a\"", `core/b.go:2: imports m/edge/a, which the row "core" does not allow`},
		{"a sibling", "edge/b/b.go", "package b\nimport \"m/edge/a\"", `edge/b/b.go:2: imports m/edge/a, which the row "edge/..." does not allow`},
		{"a sibling in a test", "edge/b/b_test.go", "package b\nimport \"m/edge/a\"", `edge/b/b_test.go:2: imports m/edge/a, which the row "edge/..." does not allow`},
		{"a standard package outside the list", "core/b.go", "package core\nimport \"os\"", `core/b.go:2: imports os, which the row "core" does not allow`},
		{"somebody's package", "edge/b/b.go", "package b\nimport \"example.org/library\"", `edge/b/b.go:2: imports example.org/library, which the row "edge/..." does not allow`},
		{"somebody's package in a test", "core/b_test.go", "package core\nimport \"example.org/lib/x\"", `core/b_test.go:2: imports example.org/lib/x, which the row "core" does not allow`},
		{"a test's package outside tests", "core/b.go", "package core\nimport \"m/suite\"", `core/b.go:2: imports m/suite, which the row "core" does not allow`},
		{"an assertion outside tests", "core/b.go", "package core\nimport \"example.org/assert\"", `core/b.go:2: imports example.org/assert, which the row "core" does not allow`},
		{"a package without a row", "other/o.go", "package other", `other/o.go: no row says what this package may import`},
		{"a build constraint hides nothing", "core/b.go", "//go:build ignore\n\npackage core\nimport \"os\"", `core/b.go:4: imports os, which the row "core" does not allow`},
		{"a banned function", "core/b.go", "package core\nimport \"time\"\nvar _ = time.Now()", `core/b.go:3: time.Now is banned here: reason one`},
		{"a banned function as a value", "core/b.go", "package core\nimport \"time\"\nvar _ = time.Now", `core/b.go:3: time.Now is banned here: reason one`},
		{"a banned function under another name", "core/b.go", "package core\nimport t \"time\"\nvar _ = t.Now()", `core/b.go:3: time.Now is banned here: reason one`},
		{"a banned family", "core/b.go", "package core\nimport \"fmt\"\nfunc f() { fmt.Println() }", `core/b.go:3: fmt.Println is banned here: reason one`},
		{"a banned goroutine", "core/b.go", "package core\nfunc f() { go f() }", `core/b.go:2: go statement is banned here: reason one`},
		{"a banned init", "edge/a/b.go", "package a\nfunc init() {}", `edge/a/b.go:2: func init is banned here: reason two`},
		{"a banned exit", "edge/a/b.go", "package a\nimport \"os\"\nfunc f() { os.Exit(1) }", `edge/a/b.go:3: os.Exit is banned here: reason two`},
		{"code among interfaces", "edge/port/q.go", "package port\nfunc f() {}", `edge/port/q.go:2: func is banned here: reason three`},
		{"a row about nothing", "main/main.go", "", `the row "main" is about no package`},
		{"a permission for nothing", "main/main.go", "package main\nimport \"os\"", `the row "main" allows edge/..., which nothing imports`},
		{"a test's permission for nothing", "edge/a/a_test.go", "", `the row "edge/..." allows edge/fake, which nothing imports`},
		{"a standard package for nothing", "core/core.go", "package core\nimport \"time\"\nvar _ time.Time", `the standard package fmt is allowed, but nothing that the rule binds imports it`},
		{"a ban about nothing", "edge/port/p.go", "", `the ban of func in "edge/port" is about no package`},
		{"an exemption for nothing", "main/main.go", "", `the ban of os.Exit, func init exempts "main", which is no package`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			tree := fstest.MapFS{}
			for name, text := range good {
				tree[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if tc.source == "" {
				delete(tree, tc.file)
			} else {
				tree[tc.file] = &fstest.MapFile{Data: []byte(tc.source)}
			}
			broken, err := small.check(tree)
			is.NoErr(err)
			if tc.want == "" {
				is.Equal(broken, nil) // no complaint
				return
			}
			is.True(strings.Contains("\n"+strings.Join(broken, "\n")+"\n", "\n"+tc.want+"\n")) // the complaint
		})
	}
}

// TestBansNameWhatExists finds every banned name in the standard library, so
// that a misspelt ban is noticed.
func TestBansNameWhatExists(t *testing.T) {
	is := is.New(t)
	imports := map[string]string{"slog": "log/slog"}
	for _, b := range bans {
		is.True(b.why != "") // every ban has a reason
		for _, use := range b.uses {
			name, symbol, ok := strings.Cut(use, ".")
			if !ok {
				is.True(use == goStatement || use == initFunction || use == function) // a word that the checker knows
				continue
			}
			pkg := name
			if full, ok := imports[name]; ok {
				pkg = full
			}
			found := false
			for exported := range exports(t, pkg) {
				found = found || matches(symbol, exported)
			}
			if !found {
				t.Errorf("the ban of %s is about nothing in the standard library", use)
			}
		}
	}
}

// exports returns what a standard package declares at its top level.
func exports(t *testing.T, pkg string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", pkg, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the source of %s is not where Go keeps it: %v", pkg, err)
	}
	names := make(map[string]bool)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					names[decl.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if values, ok := spec.(*ast.ValueSpec); ok {
						for _, name := range values.Names {
							names[name.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

// TestModulesAreDeclared compares the table with go.mod.
func TestModulesAreDeclared(t *testing.T) {
	is := is.New(t)
	goMod, err := fs.ReadFile(root, "go.mod")
	is.NoErr(err)
	direct := make(map[string]bool)
	for line := range strings.Lines(string(goMod)) {
		if fields := strings.Fields(strings.TrimPrefix(line, "require ")); len(fields) == 2 && strings.HasPrefix(fields[1], "v") {
			direct[fields[0]] = false
		}
	}
	is.True(len(direct) > 0) // go.mod names what is used directly
	for _, r := range append([]row{anyTest}, rows...) {
		for _, pattern := range r.modules {
			module := strings.TrimSuffix(pattern, "/...")
			found := false
			for name := range direct {
				if module == name || strings.HasPrefix(module, name+"/") {
					direct[name], found = true, true
				}
			}
			if !found {
				t.Errorf("the table allows %s, which go.mod does not require directly; go mod tidy", pattern)
			}
		}
	}
	for name, used := range direct {
		if !used {
			t.Errorf("go.mod requires %s directly, but no row allows it", name)
		}
	}
}

// TestArchitectureShowsTheTable keeps the table in docs/architecture.md.
func TestArchitectureShowsTheTable(t *testing.T) {
	is := is.New(t)
	generated(t, "docs/architecture.md", "imports", importTable())
	is.True(strings.Contains(importTable(), "`domain/canon`")) // the table is about packages
}

// TestCodeMapIsComplete finds every row of the table in the map of the code.
func TestCodeMapIsComplete(t *testing.T) {
	is := is.New(t)
	text, err := fs.ReadFile(root, "docs/architecture.md")
	is.NoErr(err)
	for _, r := range rows {
		if line := "\n- `" + strings.TrimSuffix(r.packages, "/...") + "`: "; !strings.Contains(string(text), line) {
			t.Errorf("the code map of docs/architecture.md has no line%s", line)
		}
	}
}

func importTable() string {
	var out strings.Builder
	list := func(patterns []string, none string) string {
		if len(patterns) == 0 {
			return none
		}
		return "`" + strings.Join(patterns, "` `") + "`"
	}
	fmt.Fprintln(&out, "| package | may import of this module | of others | its tests also |")
	fmt.Fprintln(&out, "|---|---|---|---|")
	for _, r := range rows {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", r.packages, list(r.own, "–"), list(r.modules, "–"), list(r.tests, ""))
	}
	fmt.Fprintf(&out, "\nEvery test may also import %s, and its own package.\n", list(append(anyTest.own, anyTest.modules...), ""))
	fmt.Fprintf(&out, "\nOf the standard library, `domain/...` imports directly only %s; `ports` only %s.\n\n", list(pure, ""), list([]string{"context", "time"}, ""))
	fmt.Fprintln(&out, "| in | banned | why |")
	fmt.Fprintln(&out, "|---|---|---|")
	for _, b := range bans {
		where := "`" + b.in + "`"
		if len(b.except) > 0 {
			where += " except " + list(b.except, "")
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", where, list(b.uses, ""), b.why)
	}
	return out.String()
}

// generated compares, or with -update rewrites, the part of a document between
// two comments that name it.
func generated(t *testing.T, document, part, want string) {
	t.Helper()
	text, err := fs.ReadFile(root, document)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- generated: "+part+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no part between %q and %q", document, begin, end)
	}
	if got == want {
		return
	}
	if !*update {
		t.Errorf("%s: the part %q is not what the code says; go test ./test -update rewrites it", document, part)
		return
	}
	if err := os.WriteFile(filepath.Join("..", document), []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
