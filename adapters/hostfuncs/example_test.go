package hostfuncs_test

import (
	"context"
	"fmt"
	"strings"

	"toolplane/adapters/hostfuncs"
	"toolplane/domain/canon"
	"toolplane/domain/capability"
)

func ExampleAdd() {
	type search struct {
		Query string `json:"query" jsonschema:"What the title contains."`
		Limit int    `json:"limit,omitempty"`
	}
	titles := []string{"Crash on start", "Slow search", "Crash on exit"}

	s, err := hostfuncs.New("tracker")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = hostfuncs.Add(s, "search", "Finds issues by title.", func(_ context.Context, in search) ([]string, error) {
		var found []string
		for _, title := range titles {
			if strings.Contains(title, in.Query) && (in.Limit == 0 || len(found) < in.Limit) {
				found = append(found, title)
			}
		}
		return found, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	list, _ := s.Capabilities(context.Background())
	fmt.Println(list[0].ID, capability.NewIndex(list).Names(list[0].ID))
	args, _ := canon.Parse([]byte(`{"query":"Crash"}`))
	answer, err := s.Call(context.Background(), list[0].ID, args)
	fmt.Println(string(answer.Value.Bytes()), err)
	args, _ = canon.Parse([]byte(`{"query":"Crash","limit":"two"}`))
	_, err = s.Call(context.Background(), list[0].ID, args)
	fmt.Println(err)
	// Output:
	// host:tracker/search [tracker.search tracker_search]
	// ["Crash on start","Crash on exit"] <nil>
	// host:tracker/search: argument "limit": expected integer, got string
}
