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
