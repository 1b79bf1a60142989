package discover_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/capability"
	"toolplane/domain/discover"
	"toolplane/domain/limit"
)

func everything() discover.Mode {
	caps := limit.Defaults()
	return discover.Mode{Results: caps.Results, Artifacts: caps.Artifacts}
}

func TestManifestListsEachNamespace(t *testing.T) {
	is := is.New(t)
	text := index(append(tools(t), capability.Own()...)...).Manifest(everything())
	is.True(strings.HasPrefix(text, "# What a snippet can call\n"))
	for _, want := range []string{
		"\n## `mcp:linear` (3 capabilities)\n\n",
		"\n## `host:app` (1 capability)\n\n",
		"\n- `await linear.create_issue(team: str = ..., title: str = ..., body: str = ...)`: Creates an issue in a team. (`mcp:linear/create_issue`)\n",
		"\n- `toolplane://results/{handle}`: ", "\n- `toolplane://artifacts/{handle}`: ",
		"At most 64 results at once, 8 MiB each and 32 MiB in all, kept for 1h.",
	} {
		is.True(strings.Contains(text, want)) // every part is there
	}
	is.True(!strings.Contains(text, "toolplane:results/save")) // infrastructure is not listed
	is.True(!strings.Contains(text, "previous"))               // nor what no client of a manifest can set
}

func TestManifestNamesOnlyWhatIsOn(t *testing.T) {
	is := is.New(t)
	text := index().Manifest(discover.Mode{})
	is.True(strings.Contains(text, "The results store is disabled."))
	is.True(strings.Contains(text, "The artifacts store is disabled."))
	is.True(strings.Contains(text, "No tool is connected."))
	for _, absent := range []string{"save_result", "load_artifact", "toolplane://"} {
		is.True(!strings.Contains(text, absent))
	}
	odd := limit.Store{Enabled: true, Entries: 1, Total: 2 * limit.GiB, Entry: 1000, TTL: 90 * time.Second}
	text = index().Manifest(discover.Mode{Results: odd, Artifacts: odd})
	is.True(strings.Contains(text, "At most 1 results at once, 1000 bytes each and 2 GiB in all, kept for 1m30s."))
}

func TestManifestNamesWithheldNames(t *testing.T) {
	is := is.New(t)
	text := index(
		describe(t, "mcp:a/b_c", "", ""), describe(t, "mcp:a_b/c", "", ""), describe(t, "mcp:save/result", "", ""),
	).Manifest(everything())
	is.True(strings.Contains(text, "\n- `a_b_c`: several capabilities want it (`mcp:a/b_c`, `mcp:a_b/c`)\n"))
	is.True(strings.Contains(text, "\n- `save_result`: the name is reserved for toolplane's own (`mcp:save/result`)\n"))
}

func TestManifestIsBounded(t *testing.T) {
	const most = 256 << 10
	var one, many, same []capability.Descriptor
	long := strings.Repeat("A long description of what it does ", 10)[:300]
	for i := range 3000 {
		one = append(one, describe(t, fmt.Sprintf("mcp:big/tool_%04d", i), long, recursive))
		many = append(many, describe(t, fmt.Sprintf("mcp:a_server_with_a_name_%04d/tool", i), long, recursive))
		same = append(same, describe(t, fmt.Sprintf("mcp:a-%d/b_%d", i%7, i%7*1000+i/7), long, ""), describe(t, fmt.Sprintf("mcp:a_%d/b-%d", i%7, i%7*1000+i/7), long, ""))
	}
	for _, c := range []struct {
		name string
		list []capability.Descriptor
		says string
	}{
		{"one namespace", one, "more; search finds them."},
		{"a small one beside it", append([]capability.Descriptor{describe(t, "mcp:small/tool", "", "")}, one...), "- `await small.tool(**arguments)`"},
		{"many namespaces", many, "more namespaces are not listed"},
		{"many names withheld", same, "more.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			text := index(c.list...).Manifest(everything())
			is.True(len(text) <= most)
			is.True(len(text) > most/4)             // but not for nothing
			is.True(strings.Contains(text, c.says)) // what is missing is counted
		})
	}
}
