// Package mcp_test drives the server with clients that others wrote: the MCP
// Inspector, the TypeScript SDK and the official conformance suite. The server
// is this test program itself, started again with other arguments.
package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolplane/adapters/hostfuncs"
	"toolplane/adapters/mcpserver"
	"toolplane/adapters/mcpserver/stdio"
	"toolplane/cmd/compose"
	"toolplane/domain/canon"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// One of these as the first argument makes this program another one: toolplane
// with the rest as its command line, its server with functions to call, or a
// server that gives the same functions directly. To the servers, the directory
// of a cache comes second.
const (
	programArg = "toolplane"
	serveArg   = "serve-mcp"
	directArg  = "serve-direct"
)

// cache is the directory that the servers of one test run share.
var cache string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == programArg {
		os.Exit(compose.Main(context.Background(), os.Args[2:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
	}
	if len(os.Args) == 3 && (os.Args[1] == serveArg || os.Args[1] == directArg) {
		if err := serve(os.Args[1], os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	var err error
	if cache, err = os.MkdirTemp("", "toolplane-mcp-"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(cache)
	os.Exit(status)
}

// serve serves standard input and output until they or a signal end it.
func serve(kind, dir string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if kind == directArg {
		return stdio.Serve(ctx, newDirect(), os.Stdin, os.Stdout, stdio.Options{})
	}
	server, _, closeAll, err := newToolplane(ctx, dir, limit.Defaults())
	if err != nil {
		return err
	}
	return errors.Join(server.Serve(ctx, os.Stdin, os.Stdout), closeAll())
}

// newToolplane returns what `toolplane serve mcp` serves, with functions to
// call, and its workspace.
func newToolplane(ctx context.Context, dir string, caps limit.Caps) (*mcpserver.Server, ports.Runner, func() error, error) {
	runtime, err := compose.NewRuntime(compose.Options{CacheDir: dir, Caps: caps})
	if err != nil {
		return nil, nil, nil, err
	}
	tracker, err := newTracker()
	if err != nil {
		return nil, nil, nil, errors.Join(err, runtime.Close())
	}
	if err := runtime.Connect(ctx, tracker); err != nil {
		return nil, nil, nil, errors.Join(err, runtime.Close())
	}
	workspace, err := runtime.NewWorkspace()
	if err != nil {
		return nil, nil, nil, errors.Join(err, runtime.Close())
	}
	return mcpserver.New(
		mcpserver.Deps{Runner: workspace, Catalog: workspace, Vault: workspace},
		mcpserver.Options{Version: "test", ResultsOn: caps.Results.Enabled, ArtifactsOn: caps.Artifacts.Enabled, ListLive: true},
	), workspace, runtime.Close, nil
}

// issue is what the tracker keeps.
type issue struct {
	ID     int64  `json:"id"`
	Title  string `json:"title"`
	State  string `json:"state"`
	Author string `json:"author"`
	Body   string `json:"body"`
}

func newTracker() (*hostfuncs.Source, error) {
	source, err := hostfuncs.New("tracker")
	if err != nil {
		return nil, err
	}
	find, err := canon.Parse([]byte(findSchema))
	if err != nil {
		return nil, err
	}
	return source, errors.Join(
		source.AddRaw(hostfuncs.Raw{Name: "find", Description: "Finds issues by a filter.", Input: find, Call: func(_ context.Context, args canon.Value) (run.Answer, error) {
			text, err := canon.Text(string(args.Bytes()))
			return run.Answer{Value: text}, err
		}}),
		hostfuncs.Add(source, "list_issues", listIssuesText, func(_ context.Context, in byState) ([]issue, error) { return listIssues(in), nil }),
		hostfuncs.Add(source, "get_issue", getIssueText, func(_ context.Context, in byID) (issue, error) { return getIssue(in) }),
	)
}

// findSchema is recursive, and has a union and an enumeration.
const findSchema = `{"type":"object","properties":{"q":{"$ref":"#/$defs/Q"},"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}},` +
	`"required":["q"],"$defs":{"Q":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/Q"}},"f":{"enum":["a","b"]}}}}}`

// The tools, whoever offers them.
const (
	listIssuesText = "Lists the issues of a state."
	getIssueText   = "Returns one issue with everything known of it."
)

type byState struct {
	State string `json:"state" jsonschema:"open or closed"`
}

type byID struct {
	ID int64 `json:"id" jsonschema:"the issue's number"`
}

func listIssues(in byState) []issue {
	all := make([]issue, 500)
	for i := range all {
		all[i] = newIssue(int64(i), in.State)
	}
	return all
}

func getIssue(in byID) (issue, error) {
	if in.ID < 0 {
		return issue{}, fmt.Errorf("no issue has the number %d", in.ID)
	}
	return newIssue(in.ID, "open"), nil
}

// newDirect returns a server that gives the tracker's functions to the model
// itself.
func newDirect() *server.MCPServer {
	s := server.NewMCPServer("tracker", "1", server.WithToolCapabilities(false))
	answer := func(value any, err error) (*mcp.CallToolResult, error) {
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		text, err := json.Marshal(value)
		return mcp.NewToolResultText(string(text)), err
	}
	arguments := func(ctx context.Context, into any) {
		given, _ := stdio.Arguments(ctx)
		_ = json.Unmarshal(given.Bytes(), into) // what a test sends fits
	}
	s.AddTool(mcp.NewTool("list_issues", mcp.WithDescription(listIssuesText), mcp.WithString("state", mcp.Required(), mcp.Description("open or closed"))),
		func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in byState
			arguments(ctx, &in)
			return answer(listIssues(in), nil)
		})
	s.AddTool(mcp.NewTool("get_issue", mcp.WithDescription(getIssueText), mcp.WithNumber("id", mcp.Required(), mcp.Description("the issue's number"))),
		func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in byID
			arguments(ctx, &in)
			return answer(getIssue(in))
		})
	return s
}

func newIssue(id int64, state string) issue {
	return issue{
		ID: id, Title: "issue " + strconv.FormatInt(id, 10), State: state, Author: fmt.Sprintf("user%d", id%7),
		Body: "It does not work on my machine, and I have tried turning it off and on again.",
	}
}

// environment returns the variables that keep the program toolplane to itself:
// a cache that the tests share, and a configuration that says nothing.
func environment(t *testing.T) []string {
	t.Helper()
	config := filepath.Join(t.TempDir(), "toolplane.toml")
	if err := os.WriteFile(config, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"TOOLPLANE_CACHE_DIR=" + cache, "TOOLPLANE_CONFIG=" + config}
}

// self returns this program.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// script returns the path of a file of an npm package, and skips the test where
// it is not installed.
func script(t *testing.T, name string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: it runs MCP clients written in JavaScript, and there is no node here; install node 20 or newer, then run test/mcp/install")
	}
	path, err := filepath.Abs(filepath.Join("_npm", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("skipped: it runs MCP clients that npm installs, and they are not here; run test/mcp/install")
	}
	return path
}

// runCommand runs a command to its end and returns what it printed.
func runCommand(t *testing.T, name string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var out, complaints bytes.Buffer
	command := exec.CommandContext(ctx, name, args...)
	command.Stdout, command.Stderr = &out, &complaints
	command.WaitDelay = time.Second
	err = command.Run()
	return out.String(), complaints.String(), err
}
