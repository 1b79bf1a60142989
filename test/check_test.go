package test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// policy is a table of rows and bans for one module.
type policy struct {
	module  string
	rows    []row
	anyTest row
	bans    []ban
}

// source is one Go file of the module.
type source struct {
	name   string // its path
	folder string // of its package
	test   bool
	file   *ast.File
	places *token.FileSet
}

// at returns the file and line of a place in the source.
func (s source) at(pos token.Pos) string {
	return fmt.Sprintf("%s:%d", s.name, s.places.Position(pos).Line)
}

// check returns a line for everything in the tree that breaks the policy, and
// for everything in the policy that says nothing about the tree.
func (p policy) check(tree fs.FS) ([]string, error) {
	sources, err := parseTree(tree)
	if err != nil {
		return nil, err
	}
	var broken []string
	used := make(map[string]bool) // "row what" for each permission that something needs
	for _, s := range sources {
		r, ok := p.row(s.folder)
		if !ok {
			broken = append(broken, s.name+": no row says what this package may import")
			continue
		}
		used[r.packages] = true
		broken = append(broken, p.checkImports(s, r, used)...)
		broken = append(broken, p.checkBans(s, used)...)
	}
	broken = append(broken, p.checkIdle(used)...)
	slices.Sort(broken)
	return slices.Compact(broken), nil
}

// parseTree reads every Go file, whatever its build constraints.
func parseTree(tree fs.FS) ([]source, error) {
	var sources []source
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			if name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(base) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		places := token.NewFileSet()
		file, err := parser.ParseFile(places, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		sources = append(sources, source{
			name: name, folder: path.Dir(name), test: strings.HasSuffix(base, "_test.go"), file: file, places: places,
		})
		return nil
	})
	return sources, err
}

func (p policy) row(folder string) (row, bool) {
	for _, r := range p.rows {
		if covers(r.packages, folder) {
			return r, true
		}
	}
	return row{}, false
}

// covers tells whether a pattern stands for a package.
func covers(pattern, pkg string) bool {
	if pattern == "..." {
		return true
	}
	root, deep := strings.CutSuffix(pattern, "/...")
	return pkg == root || deep && strings.HasPrefix(pkg, root+"/")
}

func (p policy) checkImports(s source, r row, used map[string]bool) []string {
	var broken []string
	// allowed reports whether one of the patterns covers the package, and
	// remembers that the permission is needed.
	allowed := func(patterns []string, pkg string) bool {
		ok := false
		for _, pattern := range patterns {
			if covers(pattern, pkg) {
				used[r.packages+" "+pattern] = true
				ok = true
			}
		}
		return ok
	}
	for _, spec := range s.file.Imports {
		pkg, _ := strconv.Unquote(spec.Path.Value)
		own, isOwn := strings.CutPrefix(pkg, p.module+"/")
		first, _, _ := strings.Cut(pkg, "/")
		var ok bool
		switch {
		case isOwn:
			ok = allowed(r.own, own) ||
				s.test && (own == s.folder || allowed(r.tests, own) || slices.ContainsFunc(p.anyTest.own, func(x string) bool { return covers(x, own) }))
		case strings.Contains(first, "."):
			ok = allowed(r.modules, pkg) ||
				s.test && slices.ContainsFunc(p.anyTest.modules, func(x string) bool { return covers(x, pkg) })
		default:
			ok = r.std == nil || s.test || allowed(r.std, pkg)
		}
		if !ok {
			broken = append(broken, fmt.Sprintf("%s: imports %s, which the row %q does not allow", s.at(spec.Pos()), pkg, r.packages))
		}
	}
	return broken
}

func (p policy) checkBans(s source, used map[string]bool) []string {
	var broken []string
	for i, b := range p.bans {
		if !covers(b.in, s.folder) {
			continue
		}
		used[fmt.Sprint("ban ", i)] = true
		exempt := s.test
		for _, pattern := range b.except {
			if covers(pattern, s.folder) {
				used[fmt.Sprint("ban ", i, " except ", pattern)] = true
				exempt = true
			}
		}
		if exempt {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			for _, use := range usesOf(s.file, n) {
				if slices.ContainsFunc(b.uses, func(banned string) bool { return matches(banned, use) }) {
					broken = append(broken, fmt.Sprintf("%s: %s is banned here: %s", s.at(n.Pos()), use, b.why))
				}
			}
			return true
		})
	}
	return broken
}

// matches compares a use with a ban, whose last name may end in a star.
func matches(banned, use string) bool {
	if prefix, ok := strings.CutSuffix(banned, "*"); ok {
		return strings.HasPrefix(use, prefix)
	}
	return banned == use
}

// usesOf returns what a node uses, in the words that bans have for it.
func usesOf(file *ast.File, n ast.Node) []string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return []string{goStatement}
	case *ast.FuncDecl:
		if n.Recv == nil && n.Name.Name == "init" {
			return []string{function, initFunction}
		}
		return []string{function}
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		if !ok || x.Obj != nil { // a variable, not a package
			return nil
		}
		for _, spec := range file.Imports {
			pkg, _ := strconv.Unquote(spec.Path.Value)
			name := path.Base(pkg)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			if name == x.Name {
				return []string{path.Base(pkg) + "." + n.Sel.Name}
			}
		}
	}
	return nil
}

// checkIdle returns a line for every row, permission and ban that nothing in
// the tree is subject to: it is misspelt, or outlived what it was for.
func (p policy) checkIdle(used map[string]bool) []string {
	var idle []string
	pureUsed := make(map[string]bool)
	for _, r := range p.rows {
		if !used[r.packages] {
			idle = append(idle, fmt.Sprintf("the row %q is about no package", r.packages))
			continue
		}
		for _, pattern := range slices.Concat(r.own, r.modules, r.tests) {
			if !used[r.packages+" "+pattern] {
				idle = append(idle, fmt.Sprintf("the row %q allows %s, which nothing imports", r.packages, pattern))
			}
		}
		for _, pkg := range r.std { // lists are shared by rows
			pureUsed[pkg] = pureUsed[pkg] || used[r.packages+" "+pkg]
		}
	}
	for pkg, ok := range pureUsed {
		if !ok {
			idle = append(idle, fmt.Sprintf("the standard package %s is allowed, but nothing that the rule binds imports it", pkg))
		}
	}
	for i, b := range p.bans {
		if !used[fmt.Sprint("ban ", i)] {
			idle = append(idle, fmt.Sprintf("the ban of %s in %q is about no package", strings.Join(b.uses, ", "), b.in))
		}
		for _, pattern := range b.except {
			if !used[fmt.Sprint("ban ", i, " except ", pattern)] {
				idle = append(idle, fmt.Sprintf("the ban of %s exempts %q, which is no package", strings.Join(b.uses, ", "), pattern))
			}
		}
	}
	return idle
}
