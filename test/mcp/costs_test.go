package mcp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

var update = flag.Bool("update", false, "rewrite the table of costs in docs/mcp.md")

// cost is what a model pays for a task, in bytes.
type cost struct{ Calls, Written, Read int }

// TestWhatTheModelPays measures three tasks and compares them with the table in
// docs/mcp.md.
func TestWhatTheModelPays(t *testing.T) {
	is := is.New(t)
	script(t, filepath.FromSlash("node_modules/@modelcontextprotocol/sdk/package.json"))
	stdout, stderr, err := runCommand(t, "node", script(t, "costs.mjs"), self(t), cache)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stdout, stderr)
	}
	var measured struct {
		Tools struct{ Toolplane, Direct int }
		Tasks []struct {
			Task              string
			Toolplane, Direct cost
		}
	}
	is.NoErr(json.Unmarshal([]byte(stdout), &measured))
	is.Equal(len(measured.Tasks), 3)
	var table strings.Builder
	table.WriteString("| task | with toolplane: calls, written, read | tools given directly |\n|---|---|---|\n")
	show := func(c cost) string { return fmt.Sprintf("%d, %d, %d", c.Calls, c.Written, c.Read) }
	for _, task := range measured.Tasks {
		fmt.Fprintf(&table, "| %s | %s | %s |\n", task.Task, show(task.Toolplane), show(task.Direct))
		is.True(task.Toolplane.Read < task.Direct.Read) // or why would anyone use it
	}
	fmt.Fprintf(&table, "| the tools' descriptions, once | %d | %d |\n", measured.Tools.Toolplane, measured.Tools.Direct)
	document := filepath.Join("..", "..", "docs", "mcp.md")
	text, err := os.ReadFile(document)
	is.NoErr(err)
	begin, end := "<!-- generated: costs -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ok2 := strings.Cut(rest, end)
	is.True(ok && ok2) // the document has a place for the table
	switch {
	case got == table.String():
	case *update:
		is.NoErr(os.WriteFile(document, []byte(before+begin+table.String()+end+after), 0o644))
	default:
		t.Errorf("the table in docs/mcp.md is not what was measured; go test ./test/mcp -update rewrites it\n%s", table.String())
	}
}
