package capability_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/capability"
)

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
