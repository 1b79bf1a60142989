package capability_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/capability"
)

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

func BenchmarkSuggestAmong5000(b *testing.B) {
	x := capability.NewIndex(many(b, 5000))
	for b.Loop() {
		x.Suggest("mcp:server7/lst_the_things_4007")
	}
}
