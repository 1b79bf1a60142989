package capability_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/capability"
)

func mentionedNames(x *capability.Index, code string, inputs ...string) string {
	var names []string
	all, _ := x.Mentioned(code, inputs...)
	for _, m := range all {
		names = append(names, m.Name)
	}
	return strings.Join(names, " ")
}

func TestMentionedNames(t *testing.T) {
	x := capability.NewIndex(describe(t,
		"mcp:linear/list_issues", "mcp:linear/get_issue", "mcp:up/get", "cli:bin/git", "mcp:save/result", "-mcp:secret/x",
	))
	all := "git linear.get_issue linear.list_issues linear_get_issue linear_list_issues save.result up.get up_get"
	both := "linear.get_issue linear.list_issues"
	for _, c := range []struct{ name, code, want string }{
		{"nothing", "return 1 + 1", ""},
		{"flat", "x = await linear_list_issues(query='a')", "linear_list_issues"},
		{"part of a word", "xlinear_list_issues(); linear2; my_up.get; _linear", ""},
		{"letters beyond ASCII are letters", "élinear.get_issue; linearé.get_issue; git日", ""},
		{"scoped", "await linear.list_issues()", "linear.list_issues"},
		{"two of them", "a = linear.list_issues\nb = linear.get_issue", both},
		{"spaces and line ends around the dot", "(linear\n   .list_issues() , up \\\n . get)", "linear.list_issues up.get"},
		{"alone", "tools = linear", both},
		{"attributes are no globals", "self.linear.x = row.git + x.linear_list_issues", ""},
		{"at the end", "linear", both},
		{"unknown member", "linear.delete_all()", both},
		{"attribute of the object", "linear.__doc__", both},
		{"member that is longer", "linear.list_issues_all()", both},
		{"dot without a word", "linear.5; linear. ", both},
		{"string", `eval` + `uate("linear_list_issues")`, "linear_list_issues"},
		{"after an escape", `s = "\nlinear_list_issues()\tgit"`, "git linear_list_issues"},
		{"f-string", `f"{await up.get()}"`, "up.get"},
		{"comment", "# see git", "git"},
		{"number", "1git + 0xup", ""},
		{"dir", "print(dir())", all},
		{"globals", "globals()['linear' + '_list_issues']()", all},
		{"eval", "eval(x)", all},
		{"not dir", "os.path.dirname(x); dirs = 1", ""},
		{"builtins", "import builtins; builtins.eval('u' + 'p_get')", all},
		{"after a dot", "b.globals()", all},
		{"of a function", "f.__globals__['up_' + n]", all},
		{"of a frame", "sys._getframe().f_globals['up_' + n]", all},
		{"getattr", "getattr(x, 'up_' + n)", all},
		{"main", "import __main__ as m", all},
		{"modules", "sys.modules[__name__]", all},
		{"in a format", `"{0.__globals__}".format(f)`, all},
		{"importlib", "from importlib import *", all},
		{"ligature", "await up_ge\ufb05()", all},
		{"wide letters", "await \uff55p_get()", all},
		{"wide letters of an attribute", "await up.\uff47et()", all},
		{"letters that are their own", "größe = 'naïve Σ 日本'", ""},
		{"misspelt", "await up_gte()", "up_get"},
		{"a letter too many", "linear_list_issues2()", "linear_list_issues"},
		{"the nearest", "await linear_get_issues()", "linear_get_issue"},
		{"misspelt beyond recognition", "up_count = linear_zzz", ""},
		{"misspelt namespace", "await upp_get()", ""},
		{"withheld", "save_result(1)", ""},
		{"hidden", "secret.x; secret_x", ""},
		{"binary", "await git('log')", "git"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(mentionedNames(x, c.code), c.want) // sorted, nothing missing, nothing more
		})
	}
}

func TestMentionsCarryTheirIDs(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(describe(t, "mcp:my-up/get-it", "host:app/f"))
	got, left := x.Mentioned("my_up.get_it(); app_f()")
	is.Equal(left, 0)
	is.Equal(len(got), 2)
	is.Equal(got[0].Name+"="+got[0].ID.String(), "app_f=host:app/f")
	is.Equal(got[1].Name+"="+got[1].ID.String(), "my_up.get_it=mcp:my-up/get-it")
}

func TestInputHidesABinary(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(describe(t, "cli:bin/git", "cli:bin/jq"))
	is.Equal(mentionedNames(x, "git('log'), jq('.')", "git"), "jq")
	is.Equal(mentionedNames(x, "dir()", "git", "other"), "jq")
}

func TestWholeNamespaceIsBounded(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(many(t, 30_000))
	names, left := x.Mentioned("server7 + server7")
	is.Equal(len(names), 750) // one namespace
	is.Equal(left, 0)
	names, left = x.Mentioned("dir()")
	is.Equal(len(names), 20_000) // all there is
	is.Equal(left, 40_000)       // and what there is besides is told
	names, left = x.Mentioned("dir(); server7.list_the_things_29967()")
	is.Equal(len(names), 20_001) // what is written out comes on top
	is.Equal(left, 39_999)
	is.Equal(mentionedNames(x, "server7.list_the_things_29967"), "server7.list_the_things_29967")
}

func TestAllOf5000Capabilities(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(many(t, 5000))
	names, left := x.Mentioned("globals()")
	is.Equal(len(names), 10_000) // each has two
	is.Equal(left, 0)
}

func TestMisspeltNamesAreBounded(t *testing.T) {
	is := is.New(t)
	var code strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&code, "server7_list_the_thingz_%d\n", i)
	}
	names, _ := capability.NewIndex(many(t, 5000)).Mentioned(code.String())
	is.True(len(names) > 0)
	is.True(len(names) <= 32)
}

func BenchmarkMentionedIn1MiB(b *testing.B) {
	x := capability.NewIndex(many(b, 5000))
	code := strings.Repeat("    rows = [row for row in await server3.list_the_things_43(query=\"label:bug\")]  # all\n", 1<<20/88)
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		x.Mentioned(code)
	}
}

func BenchmarkMentionedAllOf5000(b *testing.B) {
	x := capability.NewIndex(many(b, 5000))
	b.ReportAllocs()
	for b.Loop() {
		x.Mentioned("globals()['server3_' + name]()")
	}
}

func BenchmarkMentionedMisspeltOf5000(b *testing.B) {
	x := capability.NewIndex(many(b, 5000))
	code := strings.Repeat("server3_list_teh_things_43(); ", 1000)
	for b.Loop() {
		x.Mentioned(code)
	}
}

func FuzzMentioned(f *testing.F) {
	f.Add("linear.list_issues() + up_get('\\\\')")
	f.Add("linear . \\\n get; eval(\xff)")
	f.Add("\\")
	x := capability.NewIndex(describe(f, "mcp:linear/list_issues", "mcp:up/get", "cli:bin/git"))
	f.Fuzz(func(t *testing.T, code string) {
		all, _ := x.Mentioned(code)
		for _, m := range all {
			if _, err := x.Lookup(m.ID.String()); err != nil {
				t.Fatal(err)
			}
		}
		// What is written out as a statement of its own is never missed.
		if got := mentionedNames(x, code+"\n up_get()"); !strings.HasSuffix(code, "\\") && !strings.Contains(got, "up_get") {
			t.Fatalf("%q hides what follows: %s", code, got)
		}
	})
}

func ExampleIndex_Mentioned() {
	id, err := capability.ParseID("mcp:linear/list_issues")
	if err != nil {
		fmt.Println(err)
	}
	x := capability.NewIndex([]capability.Descriptor{{ID: id}})
	names, _ := x.Mentioned("issues = await linear.list_issues(query='label:bug')")
	for _, m := range names {
		fmt.Println(m.Name, m.ID)
	}
	// Output: linear.list_issues mcp:linear/list_issues
}
