package mcp_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestInspector(t *testing.T) {
	inspector := script(t, filepath.FromSlash("node_modules/@modelcontextprotocol/inspector/cli/build/cli.js"))
	for _, tc := range []struct {
		name string
		args []string
		says []string
	}{
		{"tools/list", []string{"--method", "tools/list"}, []string{`"execute_code"`, `"search_capabilities"`, `"get_capability_schemas"`, `"outputSchema"`}},
		{
			"tools/call",
			[]string{"--method", "tools/call", "--tool-name", "execute_code", "--tool-arg", "code=return 1 + 1"},
			[]string{`"value": 2`, `"text": "value: 2"`},
		},
		{"resources/list", []string{"--method", "resources/list"}, []string{"toolplane://namespace", "toolplane://skill"}},
		{
			"resources/templates/list",
			[]string{"--method", "resources/templates/list"},
			[]string{"toolplane://results/{handle}", "toolplane://artifacts/{handle}", "/parts/{n}"},
		},
		{"resources/read", []string{"--method", "resources/read", "--uri", "toolplane://namespace"}, []string{"text/markdown", "save_result"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			args := []string{inspector, "--cli"}
			for _, variable := range environment(t) {
				args = append(args, "-e", variable)
			}
			args = append(append(args, self(t), programArg, "serve", "mcp"), tc.args...)
			stdout, stderr, err := runCommand(t, "node", args...)
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, stdout, stderr)
			}
			is.True(json.Valid([]byte(stdout))) // the answer and nothing else
			for _, part := range tc.says {
				if !strings.Contains(stdout, part) {
					t.Errorf("%q is missing in\n%s", part, stdout)
				}
			}
		})
	}
}

func TestAgentSession(t *testing.T) {
	is := is.New(t)
	script(t, filepath.FromSlash("node_modules/@modelcontextprotocol/sdk/package.json"))
	stdout, stderr, err := runCommand(t, "node", script(t, "session.mjs"), self(t), serveArg, cache)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stdout, stderr)
	}
	is.Equal(stderr, "") // neither server nor client complains
	var report struct{ Steps []string }
	is.NoErr(json.Unmarshal([]byte(stdout), &report))
	is.Equal(len(report.Steps), 17) // every step was taken
}
