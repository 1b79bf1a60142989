package discover_test

import (
	"fmt"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/discover"
)

func Example() {
	id, _ := capability.ParseID("mcp:linear/list_issues")
	schema, _ := canon.Parse([]byte(`{"type":"object","properties":{"team":{"type":"string"},"limit":{"type":"integer","default":20}},"required":["team"]}`))
	x := discover.NewIndex(capability.NewIndex([]capability.Descriptor{
		{ID: id, Description: "Lists the issues of a team. <b>Newest first.</b>", Input: schema},
	}))
	for _, hit := range x.Search(discover.Query{Text: "issue"}).Hits {
		fmt.Println(hit.Call)
		fmt.Println(hit.Summary)
	}
	unknown, _ := x.Describe([]string{"linear.list_issue"}, discover.Brief)
	fmt.Println(unknown[0].Text)
	// Output:
	// await linear.list_issues(team: str, limit: int = 20)
	// Lists the issues of a team.
	// No capability is called `linear.list_issue`. Did you mean `mcp:linear/list_issues`?
}
