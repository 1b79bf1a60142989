package test_test

import (
	"context"
	"fmt"

	"toolplane/cmd/compose"
	"toolplane/domain/run"
)

func Example() {
	ctx := context.Background()
	runtime, err := compose.NewRuntime(compose.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer runtime.Close()
	workspace, err := runtime.NewWorkspace()
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := workspace.Run(ctx, run.Request{Code: "return sum(range(101))"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(outcome.Value.Bytes()))
	// Output: 5050
}
