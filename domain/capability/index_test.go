package capability_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
)

// describe makes descriptors of ids; one that begins with "-" is hidden.
func describe(t testing.TB, ids ...string) []capability.Descriptor {
	t.Helper()
	var list []capability.Descriptor
	for _, text := range ids {
		text, hidden := strings.CutPrefix(text, "-")
		id, err := capability.ParseID(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		list = append(list, capability.Descriptor{ID: id, Hidden: hidden})
	}
	return list
}

// friendly returns every friendly name with its id, as "name=id".
func friendly(x *capability.Index) []string {
	var got []string
	for d := range x.Visible() {
		for _, name := range x.Names(d.ID) {
			got = append(got, name+"="+d.ID.String())
		}
	}
	slices.Sort(got)
	return got
}

// withheld returns every collision as "name<id,id".
func withheld(x *capability.Index) []string {
	var got []string
	for _, c := range x.Collisions() {
		var ids []string
		for _, id := range c.IDs {
			ids = append(ids, id.String())
		}
		got = append(got, c.Name+"<"+strings.Join(ids, ","))
	}
	return got
}

func TestFriendlyNames(t *testing.T) {
	for _, c := range []struct {
		name     string
		ids      []string
		friendly []string
		withheld []string
	}{
		{
			"flat and scoped",
			[]string{"mcp:linear/list_issues"},
			[]string{"linear.list_issues=mcp:linear/list_issues", "linear_list_issues=mcp:linear/list_issues"},
			nil,
		},
		{
			"arbitrary names become identifiers",
			[]string{"mcp:my-server/get.user info", "mcp:1pass/2fa", "mcp:up/größe", "mcp:up/camelCase"},
			[]string{
				"_1pass._2fa=mcp:1pass/2fa", "_1pass_2fa=mcp:1pass/2fa",
				"my_server.get_user_info=mcp:my-server/get.user info", "my_server_get_user_info=mcp:my-server/get.user info",
				"up.camelCase=mcp:up/camelCase", "up.gr__e=mcp:up/größe",
				"up_camelCase=mcp:up/camelCase", "up_gr__e=mcp:up/größe",
			},
			nil,
		},
		{
			"two capabilities that want one name get neither",
			[]string{"mcp:files/read", "host:files/read", "mcp:files/write", "mcp:up/a-b", "mcp:up/a.b"},
			[]string{"files.write=mcp:files/write", "files_write=mcp:files/write"},
			[]string{
				"files.read<host:files/read,mcp:files/read", "files_read<host:files/read,mcp:files/read",
				"up.a_b<mcp:up/a-b,mcp:up/a.b", "up_a_b<mcp:up/a-b,mcp:up/a.b",
			},
		},
		{
			"flat names collide across namespaces, scoped ones do not",
			[]string{"mcp:a/b_c", "mcp:a_b/c"},
			[]string{"a.b_c=mcp:a/b_c", "a_b.c=mcp:a_b/c"},
			[]string{"a_b_c<mcp:a/b_c,mcp:a_b/c"},
		},
		{
			"a tool result of a server save does not become save_result",
			[]string{"mcp:save/result", "mcp:call/tool", "mcp:reset/session", "mcp:load/artifact", "mcp:load/result", "mcp:save/artifact", "mcp:cli/run"},
			[]string{
				"call.tool=mcp:call/tool", "cli.run=mcp:cli/run", "load.artifact=mcp:load/artifact", "load.result=mcp:load/result",
				"reset.session=mcp:reset/session", "save.artifact=mcp:save/artifact", "save.result=mcp:save/result",
			},
			[]string{
				"call_tool<mcp:call/tool", "cli_run<mcp:cli/run", "load_artifact<mcp:load/artifact", "load_result<mcp:load/result",
				"reset_session<mcp:reset/session", "save_artifact<mcp:save/artifact", "save_result<mcp:save/result",
			},
		},
		{
			"a namespace called like a reserved name or a builtin has no object",
			[]string{"mcp:previous/x", "mcp:list/x", "mcp:ToolError/x"},
			[]string{"ToolError_x=mcp:ToolError/x", "list_x=mcp:list/x", "previous_x=mcp:previous/x"},
			[]string{"ToolError<mcp:ToolError/x", "list<mcp:list/x", "previous<mcp:previous/x"},
		},
		{
			"keywords cannot be written, builtins can follow a dot",
			[]string{"mcp:for/each", "mcp:up/import", "mcp:up/print", "mcp:up/None"},
			[]string{
				"for_each=mcp:for/each", "up.print=mcp:up/print", "up_None=mcp:up/None",
				"up_import=mcp:up/import", "up_print=mcp:up/print",
			},
			[]string{"for<mcp:for/each", "up.None<mcp:up/None", "up.import<mcp:up/import"},
		},
		{
			"a flat name may be a builtin by accident",
			[]string{"mcp:get/attr", "mcp:frozen/set", "mcp:is/instance", "mcp:dir/list", "mcp:_/dir"},
			[]string{
				"dir_list=mcp:dir/list", "frozen.set=mcp:frozen/set", "frozen_set=mcp:frozen/set", "get.attr=mcp:get/attr",
				"get_attr=mcp:get/attr", "is_instance=mcp:is/instance",
			},
			[]string{"_.dir<mcp:_/dir", "dir<mcp:dir/list", "is<mcp:is/instance"},
		},
		{
			"double underscores belong to Python",
			[]string{"mcp:up/__class__", "mcp:__init__/x", "mcp:__/x__"},
			[]string{"__init___x=mcp:__init__/x", "up___class__=mcp:up/__class__"},
			[]string{"__.x__<mcp:__/x__", "__init__<mcp:__init__/x", "up.__class__<mcp:up/__class__"},
		},
		{
			"a namespace and a flat name that meet are both withheld",
			[]string{"mcp:git/log", "mcp:git_log/show"},
			[]string{"git.log=mcp:git/log", "git_log_show=mcp:git_log/show"},
			[]string{"git_log<mcp:git/log", "git_log<mcp:git_log/show"},
		},
		{
			"names without letters have none",
			[]string{"mcp:up/日本語", "mcp:日本/x", "mcp:up/-"},
			nil,
			[]string{"up.-<mcp:up/-", "up.日本語<mcp:up/日本語", "日本.x<mcp:日本/x"},
		},
		{
			"hidden capabilities have none and stand in nobody's way",
			[]string{"-toolplane:results/save", "mcp:results/save"},
			[]string{"results.save=mcp:results/save", "results_save=mcp:results/save"},
			nil,
		},
		{
			"namespaces of one identifier share an object",
			[]string{"mcp:my-files/read", "cli:x/ls", "host:my_files/write"},
			[]string{
				"ls=cli:x/ls", "my_files.read=mcp:my-files/read", "my_files.write=host:my_files/write",
				"my_files_read=mcp:my-files/read", "my_files_write=host:my_files/write",
			},
			nil,
		},
		{
			"binaries come last",
			[]string{"cli:bin/git", "cli:bin/jq", "mcp:git/log", "cli:bin/up_get", "mcp:up/get", "cli:bin/sort", "cli:bin/sorted", "cli:bin/a-b", "cli:bin/a.b"},
			[]string{
				"git.log=mcp:git/log", "git_log=mcp:git/log", "jq=cli:bin/jq", "sort=cli:bin/sort",
				"up.get=mcp:up/get", "up_get=mcp:up/get",
			},
			[]string{"a_b<cli:bin/a-b,cli:bin/a.b", "git<cli:bin/git", "sorted<cli:bin/sorted", "up_get<cli:bin/up_get"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			x := capability.NewIndex(describe(t, c.ids...))
			is.Equal(friendly(x), c.friendly) // the names that were given
			is.Equal(withheld(x), c.withheld) // the names that were not
			for _, collision := range x.Collisions() {
				is.True(collision.Reason != "") // each with its reason
			}
			for _, id := range c.ids {
				_, err := x.Lookup(strings.TrimPrefix(id, "-"))
				is.NoErr(err) // the id works whatever became of the name
			}
		})
	}
}

func TestReasonsSayWhatIsInTheWay(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(describe(t, "mcp:save/result", "mcp:list/x", "mcp:up/if", "mcp:up/a-b", "mcp:up/a_b", "mcp:git/log", "mcp:git_log/x", "cli:b/git", "mcp:up/é", "mcp:up/__x__"))
	reasons := make(map[string]string)
	for _, c := range x.Collisions() {
		reasons[c.Name] = c.Reason
	}
	for name, part := range map[string]string{
		"save_result": "reserved", "list": "builtin", "up.if": "keyword", "up_a_b": "several", "up.a_b": "several",
		"git_log": "namespace", "git": "another capability", "up.é": "letter", "up.__x__": "double underscores",
	} {
		is.True(strings.Contains(reasons[name], part)) // the right reason
	}
}

func TestFirstOfADuplicateIDCountsAndTheOtherIsReported(t *testing.T) {
	is := is.New(t)
	list := describe(t, "mcp:up/get", "mcp:up/get", "mcp:up/put")
	list[0].Title, list[1].Title = "first", "second"
	x := capability.NewIndex(list)
	d, err := x.Lookup("mcp:up/get")
	is.NoErr(err)
	is.Equal(d.Title, "first")                               // a later one cannot take over
	is.Equal(withheld(x), []string{"mcp:up/get<mcp:up/get"}) // and is reported
	is.Equal(len(friendly(x)), 4)                            // the name stays unambiguous
}

func TestLookupTakesCanonicalIDsOnly(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(append(describe(t, "mcp:linear/list_issues"), capability.Own()...))
	for _, id := range []string{"mcp:linear/list_issues", capability.SaveResult, capability.LoadArtifact} {
		d, err := x.Lookup(id)
		is.NoErr(err)
		is.Equal(d.ID.String(), id)
	}
	for _, name := range []string{"linear_list_issues", "linear.list_issues", "mcp:linear/list_issue", "MCP:linear/list_issues", "", "x"} {
		_, err := x.Lookup(name)
		is.Equal(fault.CodeOf(err), fault.CapabilityUnknown)
	}
}

func TestUnknownNameIsToldWhatMayHaveBeenMeant(t *testing.T) {
	x := capability.NewIndex(append(describe(t,
		"mcp:files/read_file", "mcp:files/write_file", "mcp:linear/list_issues", "mcp:github/list_issues",
		"mcp:up/fail", "mcp:up/greet", "mcp:up/get", "mcp:up/slow", "host:app/getUser", "cli:bin/git",
	), capability.Own()...))
	for _, c := range []struct {
		name string
		want []string
	}{
		{"mcp:files/readfile", []string{"mcp:files/read_file"}},
		{"mcp:file/read_file", []string{"mcp:files/read_file"}},
		{"mcp:files/raed_file", []string{"mcp:files/read_file"}},
		{"files_read_file", []string{"mcp:files/read_file"}},
		{"files.read_file", []string{"mcp:files/read_file"}},
		{"read_file", []string{"mcp:files/read_file"}},
		{"host:files/read_file", []string{"mcp:files/read_file"}},
		{"mcp:jira/list_issues", []string{"mcp:github/list_issues", "mcp:linear/list_issues"}},
		{"mcp:linear/list_issue", []string{"mcp:linear/list_issues", "mcp:github/list_issues"}},
		{"mcp:app/get-user", []string{"host:app/getUser"}},
		{"host:app/GETUSER", []string{"host:app/getUser"}},
		{"mcp:up/nope", []string{"mcp:up/fail", "mcp:up/get", "mcp:up/greet"}},
		{"up.nope", []string{"mcp:up/fail", "mcp:up/get", "mcp:up/greet"}},
		{"toolplane:result/save", []string{"toolplane:results/save", "toolplane:artifacts/save"}},
		{"results_save", nil},
		{"mcp:nowhere/at_all_like_that", nil},
		{"", nil},
		{strings.Repeat("x", 100_000), nil},
		{"::::////", nil},
	} {
		t.Run(c.name[:min(len(c.name), 40)], func(t *testing.T) {
			is := is.New(t)
			got := x.Suggest(c.name)
			is.Equal(fmt.Sprint(got), fmt.Sprint(c.want)) // likeliest first
			_, err := x.Lookup(c.name)
			is.True(len(err.Error()) < 400) // bounded whatever was asked for
			for _, id := range c.want {
				is.True(strings.Contains(err.Error(), id)) // the message has them
			}
		})
	}
}

func TestUnknownMessageReadsWell(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(describe(t, "mcp:files/read_file", "mcp:up/a", "mcp:up/b"))
	for name, want := range map[string]string{
		"mcp:files/readfile": `no capability has the id "mcp:files/readfile"; did you mean mcp:files/read_file?`,
		"mcp:up/zzzzz":       `no capability has the id "mcp:up/zzzzz"; did you mean mcp:up/a or mcp:up/b?`,
		"whatever":           `no capability has the id "whatever"; ids look like "mcp:linear/list_issues"`,
		"mcp:other/thing":    `no capability has the id "mcp:other/thing"`,
	} {
		_, err := x.Lookup(name)
		is.Equal(err.Error(), want)
	}
}

func TestInputNames(t *testing.T) {
	x := capability.NewIndex(describe(t, "mcp:linear/list_issues", "host:app/f", "cli:bin/jq", "mcp:list/x"))
	for name, part := range map[string]string{
		"issues": "", "_x": "", "größe": "", "x1": "", "jq": "", "list_issues": "", "match": "", "type_": "", "ToolErrors": "",
		"":                   "name of letters",
		"1x":                 "name of letters",
		"a-b":                "name of letters",
		"a b":                "name of letters",
		"a.b":                "name of letters",
		"a\u0301":            "name of letters",
		"call_tool":          "reserved",
		"previous":           "reserved",
		"save_result":        "reserved",
		"cli_run":            "reserved",
		"class":              "keyword",
		"None":               "keyword",
		"list":               "builtin",
		"ToolError":          "builtin",
		"__name__":           "double underscores",
		"linear_list_issues": "mcp:linear/list_issues",
		"linear":             "mcp:linear/list_issues",
		"app":                "host:app/f",
		"list_x":             "mcp:list/x",
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			err := x.CheckInputs([]string{"fine", name})
			if part == "" {
				is.NoErr(err) // a good name
				return
			}
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
			is.True(strings.Contains(err.Error(), fmt.Sprintf("%q", name))) // names the input
			is.True(strings.Contains(err.Error(), part))                    // and what is in its way
		})
	}
}

func TestOwnCapabilitiesAreHiddenAndDescribed(t *testing.T) {
	is := is.New(t)
	x := capability.NewIndex(capability.Own())
	for range x.Visible() {
		t.Error("one is visible")
	}
	is.Equal(len(friendly(x)), 0)
	is.Equal(len(x.Collisions()), 0)
	for _, c := range []struct{ id, uri, required string }{
		{capability.SaveResult, "toolplane://results/{handle}", `["value"]`},
		{capability.LoadResult, "toolplane://results/{handle}", `["handle"]`},
		{capability.SaveArtifact, "toolplane://artifacts/{handle}", `["data"]`},
		{capability.LoadArtifact, "toolplane://artifacts/{handle}", `["handle"]`},
	} {
		d, err := x.Lookup(c.id)
		is.NoErr(err)
		is.True(d.Hidden)
		is.True(strings.Contains(d.Description, c.uri)) // where clients read it
		required, _ := d.Input.Member("required")
		is.Equal(string(required.Bytes()), c.required)
		is.Equal(d.Output.Kind(), canon.KindObject)
		is.Equal(x.Names(d.ID), nil)
	}
}

func many(t testing.TB, n int) []capability.Descriptor {
	var ids []string
	for i := range n {
		ids = append(ids, fmt.Sprintf("mcp:server%d/list_the_things_%d", i%40, i))
	}
	return describe(t, ids...)
}

func BenchmarkIndexOf5000(b *testing.B) {
	list := many(b, 5000)
	b.ReportAllocs()
	for b.Loop() {
		capability.NewIndex(list)
	}
}

func BenchmarkSuggestAmong5000(b *testing.B) {
	x := capability.NewIndex(many(b, 5000))
	for b.Loop() {
		x.Suggest("mcp:server7/lst_the_things_4007")
	}
}

func ExampleIndex() {
	var list []capability.Descriptor
	for _, text := range []string{"mcp:files/read-file", "mcp:save/result"} {
		id, err := capability.ParseID(text)
		if err != nil {
			fmt.Println(err)
		}
		list = append(list, capability.Descriptor{ID: id})
	}
	x := capability.NewIndex(list)
	for d := range x.Visible() {
		fmt.Println(d.ID, x.Names(d.ID))
	}
	for _, c := range x.Collisions() {
		fmt.Printf("%s is withheld: %s\n", c.Name, c.Reason)
	}
	_, err := x.Lookup("mcp:files/readfile")
	fmt.Println(err)
	// Output:
	// mcp:files/read-file [files.read_file files_read_file]
	// mcp:save/result [save.result]
	// save_result is withheld: the name is reserved for toolplane's own
	// no capability has the id "mcp:files/readfile"; did you mean mcp:files/read-file?
}
