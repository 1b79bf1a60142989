package mcp_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
)

// sleeps is a call that takes half a second.
func sleeps(id string) string {
	return linetest.Request(id, "tools/call", linetest.Tool("execute_code", map[string]any{
		"code": "import asyncio\nawait asyncio.sleep(0.5)\nreturn 'slept'",
	}))
}

// serveMCP returns the command toolplane serve mcp.
func serveMCP(t *testing.T) *exec.Cmd {
	t.Helper()
	command := exec.CommandContext(t.Context(), self(t), programArg, "serve", "mcp")
	command.Env = append(os.Environ(), environment(t)...)
	return command
}

// TestInputThatEndsRightAfterACall is `printf … | toolplane serve mcp`.
func TestInputThatEndsRightAfterACall(t *testing.T) {
	is := is.New(t)
	command := serveMCP(t)
	command.Stdin = strings.NewReader(sleeps("1") + strings.TrimSuffix(sleeps("2"), "\n"))
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	is.NoErr(command.Run())                                        // it ends well
	is.True(strings.HasPrefix(complaints.String(), "toolplane: ")) // what it has to say goes elsewhere
	answers := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m linetest.Message
		is.NoErr(json.Unmarshal([]byte(line), &m)) // nothing but messages
		answers[string(m.ID)] = string(m.Result)
	}
	is.Equal(len(answers), 2)
	is.True(strings.Contains(answers["1"], "slept") && strings.Contains(answers["2"], "slept"))
}

func TestSignalLetsACallFinish(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows has no SIGTERM; clients there close the input, then end the process")
	}
	is := is.New(t)
	value(t, connect(t, ""), "1") // the first run ever prepares the sandbox, which may take longer than a signal waits
	command := serveMCP(t)
	in, err := command.StdinPipe()
	is.NoErr(err)
	out, err := command.StdoutPipe()
	is.NoErr(err)
	is.NoErr(command.Start())
	_, err = io.WriteString(in, sleeps("1")+linetest.Request("2", "ping", nil))
	is.NoErr(err)
	lines := bufio.NewScanner(out)
	is.True(lines.Scan())
	is.True(strings.Contains(lines.Text(), `"id":2`)) // so the call before it was read
	is.NoErr(command.Process.Signal(syscall.SIGTERM))
	is.True(lines.Scan()) // the input is still open
	is.True(strings.Contains(lines.Text(), "slept"))
	is.True(!lines.Scan()) // and nothing more
	is.NoErr(command.Wait())
}
