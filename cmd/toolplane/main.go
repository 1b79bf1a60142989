// Program toolplane gives a coding agent one tool that runs Python in a fresh
// sandbox, where every tool the user has is a function.
package main

import (
	"context"
	"os"

	"toolplane/cmd/compose"
)

func main() {
	os.Exit(compose.Main(context.Background(), os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
}
