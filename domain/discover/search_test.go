package discover_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/discover"
	"toolplane/domain/fault"
)

// describe returns a descriptor; no schema means that none is known.
func describe(t testing.TB, id, description, schema string, tags ...string) capability.Descriptor {
	t.Helper()
	parsed, err := capability.ParseID(id)
	if err != nil {
		t.Fatal(err)
	}
	d := capability.Descriptor{ID: parsed, Description: description, Tags: tags}
	if schema != "" {
		if d.Input, err = canon.Parse([]byte(schema)); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func index(list ...capability.Descriptor) *discover.Index {
	return discover.NewIndex(capability.NewIndex(list))
}

// tools are those of a few servers as one meets them.
func tools(t testing.TB) []capability.Descriptor {
	t.Helper()
	schema := func(names ...string) string {
		return `{"type":"object","properties":{"` + strings.Join(names, `":{"type":"string"},"`) + `":{"type":"string"}}}`
	}
	return []capability.Descriptor{
		describe(t, "mcp:linear/list_issues", "Lists the issues of a team, newest first.", schema("team", "assignee", "cursor"), "tracker", "read"),
		describe(t, "mcp:linear/create_issue", "Creates an issue in a team.", schema("team", "title", "body"), "tracker", "write"),
		describe(t, "mcp:linear/delete_comment", "Deletes one comment of an issue.", schema("comment_id"), "tracker", "write"),
		describe(t, "mcp:github/searchRepositories", "Finds repositories by name, language or topic.", schema("query", "language"), "code", "read"),
		describe(t, "mcp:github/createPullRequest", "Opens a pull request from one branch to another.", schema("head", "base", "title"), "code", "write"),
		describe(t, "mcp:mail/send_message", "Sends an e-mail with attachments.", schema("to", "subject", "body"), "write"),
		describe(t, "mcp:weather/forecast", "The weather of the next days at a place: temperature, wind, rain.", schema("latitude", "longitude")),
		describe(t, "host:app/http_get", "Fetches a URL.", schema("url", "headers")),
		describe(t, "mcp:net/connectViaProxyHost", "通过grpc协议连接。", ""),
		describe(t, "mcp:calendar/安排会议", "安排一次会议并通知参与者。", schema("时间")),
	}
}

// ids returns the ids that a query finds, without their kinds.
func ids(x *discover.Index, q discover.Query) []string {
	var found []string
	for _, hit := range x.Search(q).Hits {
		_, id, _ := strings.Cut(hit.ID, ":")
		found = append(found, id)
	}
	return found
}

func TestWordsFindWhatTheyMean(t *testing.T) {
	x := index(tools(t)...)
	for _, c := range []struct{ name, query, first string }{
		{"a name's words", "list issues", "linear/list_issues"},
		{"another number", "create issues", "linear/create_issue"},
		{"another form of the verb", "creating an issue", "linear/create_issue"},
		{"deleted for deletes", "deleted comments", "linear/delete_comment"},
		{"noun of the verb", "deletion", "linear/delete_comment"},
		{"camel case taken apart", "search repository", "github/searchRepositories"},
		{"camel case as one word", "createpullrequest", "github/createPullRequest"},
		{"snake case as one word", "listissues", "linear/list_issues"},
		{"kebab case for snake case", "send-message", "mail/send_message"},
		{"a description's word", "temperature", "weather/forecast"},
		{"an argument's name", "latitude", "weather/forecast"},
		{"an argument's name in parts", "assignee", "linear/list_issues"},
		{"the beginning of a word", "repo", "github/searchRepositories"},
		{"a beginning that ends in a vowel", "forec", "weather/forecast"},
		{"a letter too few", "forcast", "weather/forecast"},
		{"a letter too many", "weatther", "weather/forecast"},
		{"letters swapped", "mesasge", "mail/send_message"},
		{"two slips in a long word", "repozitorry", "github/searchRepositories"},
		{"case does not matter", "FORECAST", "weather/forecast"},
		{"noise around", "how do I get the weather, please?", "weather/forecast"},
		{"namespace", "github pull", "github/createPullRequest"},
		{"the id itself", "mcp:linear/create_issue", "linear/create_issue"},
		{"the scoped name", "linear.create_issue", "linear/create_issue"},
		{"the flat name", " app_http_get ", "app/http_get"},
		{"a script without spaces", "会议", "calendar/安排会议"},
		{"a word only in one script", "通知", "calendar/安排会议"},
		{"acronym", "http", "app/http_get"},
		{"a word between letters without spaces", "grpc", "net/connectViaProxyHost"},
		{"the last part of a camel case name", "host", "net/connectViaProxyHost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			found := ids(x, discover.Query{Text: c.query})
			is.True(len(found) > 0)     // something is found
			is.Equal(found[0], c.first) // the best comes first
		})
	}
}

func TestNameCountsMoreThanMention(t *testing.T) {
	is := is.New(t)
	x := index(
		describe(t, "mcp:a/report", "Writes a report about invoices, and only about invoices of an invoice's kind.", ""),
		describe(t, "mcp:b/invoice_list", "Lists what was billed.", ""),
	)
	is.Equal(ids(x, discover.Query{Text: "invoices"}), []string{"b/invoice_list", "a/report"})
}

func TestMoreWordsCountMoreThanOneRareOne(t *testing.T) {
	is := is.New(t)
	list := []capability.Descriptor{
		describe(t, "mcp:a/tapir", "", ""),
		describe(t, "mcp:b/list_file", "", ""),
	}
	for i := range 12 {
		list = append(list, describe(t, fmt.Sprintf("mcp:c/other%d", i), []string{"Some list.", "Some file.", "More."}[i%3], ""))
	}
	found := ids(index(list...), discover.Query{Text: "list file tapir"})
	is.Equal(found[:2], []string{"b/list_file", "a/tapir"})
}

func TestWordsThatMeanNothingFindNothing(t *testing.T) {
	is := is.New(t)
	x := index(tools(t)...)
	is.Equal(x.Search(discover.Query{Text: "the weather of a place"}).Total, 1) // many descriptions have "the", "of" and "a"
	is.True(x.Search(discover.Query{Text: "of the"}).Total > 1)                 // unless there is nothing else
}

func TestNameThatIsAskedForComesFirst(t *testing.T) {
	x := index(
		describe(t, "mcp:list/get", "", ""),
		describe(t, "mcp:a/list_get_list_get", "Gets lists, and gets lists of lists.", ""),
	)
	for _, query := range []string{"mcp:list/get", "list_get"} {
		is := is.New(t)
		is.Equal(ids(x, discover.Query{Text: query})[0], "list/get")
	}
}

func TestFormsOfAWordCountMoreThanLikeWords(t *testing.T) {
	x := index(
		describe(t, "mcp:a/creatx", "", ""), describe(t, "mcp:b/create", "", ""),
		describe(t, "mcp:a/runx", "", ""), describe(t, "mcp:b/run", "", ""),
		describe(t, "mcp:a/savex", "", ""), describe(t, "mcp:b/save", "", ""),
		describe(t, "mcp:a/querx", "", ""), describe(t, "mcp:b/query", "", ""),
		describe(t, "mcp:a/box1", "", ""), describe(t, "mcp:b/box", "", ""),
	)
	for query, want := range map[string]string{
		"creating": "b/create", "created": "b/create", "creates": "b/create", "creation": "b/create",
		"running": "b/run", "runs": "b/run", "saving": "b/save", "saved": "b/save", "queries": "b/query", "queried": "b/query", "boxes": "b/box",
	} {
		t.Run(query, func(t *testing.T) {
			is := is.New(t)
			is.Equal(ids(x, discover.Query{Text: query})[0], want)
		})
	}
}

func TestQueryWithoutWordsListsAllByID(t *testing.T) {
	is := is.New(t)
	list := tools(t)
	x := index(list...)
	for _, text := range []string{"", " \n", "*", "?", "* / _"} {
		page := x.Search(discover.Query{Text: text, Limit: 100})
		is.Equal(page.Total, len(list))
		is.Equal(len(page.Hits), len(list))
		is.True(slices.IsSortedFunc(page.Hits, func(a, b discover.Description) int { return strings.Compare(a.ID, b.ID) }))
	}
	is.Equal(x.Search(discover.Query{Text: strings.Repeat("x", 100)}).Total, 0) // a word too long to be one is no wish for all
}

func TestNothingIsFoundForWordsThatNothingHas(t *testing.T) {
	is := is.New(t)
	page := index(tools(t)...).Search(discover.Query{Text: "zzzyxq"})
	is.Equal(page.Total, 0)
	is.Equal(len(page.Hits), 0)
	is.Equal(index().Search(discover.Query{Text: "x"}).Total, 0) // nor where there is nothing
	is.Equal(index().Search(discover.Query{}).Total, 0)
}

func TestTagsFilter(t *testing.T) {
	is := is.New(t)
	x := index(tools(t)...)
	is.Equal(ids(x, discover.Query{Tags: []string{"Tracker", "write"}}), []string{"linear/create_issue", "linear/delete_comment"}) // all of them, in any case
	is.Equal(ids(x, discover.Query{Text: "create", Tags: []string{"code"}}), []string{"github/createPullRequest"})                 // and the words
	is.Equal(x.Search(discover.Query{Tags: []string{"none"}}).Total, 0)
}

func TestLimitCutsThePageNotTheTotal(t *testing.T) {
	is := is.New(t)
	var list []capability.Descriptor
	for i := range 50 {
		list = append(list, describe(t, fmt.Sprintf("mcp:many/tool_%02d", i), "", ""))
	}
	x := index(list...)
	page := x.Search(discover.Query{Text: "tool"})
	is.Equal(page.Total, 50)
	is.Equal(len(page.Hits), discover.DefaultLimit)
	is.Equal(page.Hits[0].ID, "mcp:many/tool_00") // equal ones are in the order of ids
	is.Equal(len(x.Search(discover.Query{Limit: 3}).Hits), 3)
	is.Equal(len(x.Search(discover.Query{Limit: 1000}).Hits), 50)
}

func TestHiddenCapabilitiesAreNotFound(t *testing.T) {
	is := is.New(t)
	x := index(append(tools(t), capability.Own()...)...)
	is.Equal(x.Search(discover.Query{}).Total, len(tools(t)))
	for _, hit := range x.Search(discover.Query{Text: "toolplane:results/save"}).Hits {
		is.True(!strings.HasPrefix(hit.ID, "toolplane:")) // not even by id
	}
	found, err := x.Describe([]string{capability.SaveResult}, discover.Detailed)
	is.NoErr(err)
	is.True(!found[0].Unknown)                                               // but they can be described
	is.True(strings.Contains(found[0].Text, "toolplane://results/{handle}")) // with the URI's shape
}

func TestHelpersNameTheirCapabilities(t *testing.T) {
	is := is.New(t)
	x := index(append(tools(t), capability.Own()...)...)
	helpers := []string{"save_result", "load_result", " save_artifact ", "load_artifact", "save_results"}
	found, err := x.Describe(helpers, discover.Detailed)
	is.NoErr(err)
	for i, id := range []string{capability.SaveResult, capability.LoadResult, capability.SaveArtifact, capability.LoadArtifact} {
		is.Equal(found[i].ID, id)
		is.True(strings.Contains(found[i].Text, "await "+strings.TrimSpace(helpers[i])+"(")) // as a snippet calls it
	}
	is.True(found[4].Unknown)
}

func TestOrderOfSourcesDoesNotMatter(t *testing.T) {
	list := tools(t)
	want := index(list...)
	rapid.Check(t, func(t *rapid.T) {
		shuffled := index(rapid.Permutation(list).Draw(t, "order")...)
		for _, query := range []string{"issue", "create a title", "body", "forcast", ""} {
			q := discover.Query{Text: query}
			if a, b := ids(want, q), ids(shuffled, q); !slices.Equal(a, b) {
				t.Fatalf("%q finds %v or %v", query, a, b)
			}
		}
	})
}

func TestQueriesThatCannotBeAnswered(t *testing.T) {
	for name, q := range map[string]discover.Query{
		"limit":  {Limit: -1},
		"query":  {Text: strings.Repeat("x", discover.MaxQuery+1)},
		"tags":   {Tags: make([]string, discover.MaxTags+1)},
		"detail": {Detail: discover.Full + 1},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			err := q.Validate()
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
			is.True(strings.Contains(err.Error(), name)) // says what
		})
	}
	is := is.New(t)
	is.NoErr(discover.Query{}.Validate())
}
