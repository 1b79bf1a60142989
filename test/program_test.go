//go:build unix

package test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// soon is more than any of these programs needs after its reason to end, even on
// a busy machine, and less than the 30 s that a run may take by itself.
const soon = 15 * time.Second

// program builds toolplane and returns a function that prepares one call of it,
// in an environment that has nothing but a cache directory.
func program(t *testing.T) func(args ...string) *exec.Cmd {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "toolplane")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/toolplane").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Env = []string{"TOOLPLANE_CACHE_DIR=" + cacheDir}
		cmd.Dir = ".."
		return cmd
	}
}

// status returns how a program ended.
func status(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		t.Fatal(err)
	}
	return exit.ExitCode()
}

// TestProgram runs the built program; what it prints is tested in process,
// elsewhere. This is what needs a process: streams, signals, pipes.
func TestProgram(t *testing.T) {
	call := program(t)

	t.Run("the example of the README", func(t *testing.T) {
		is := is.New(t)
		out, err := call("run", "docs/examples/summarize.py", "docs/examples/drilldown.py", "--input", "issues=@docs/examples/issues.json", "--json").Output()
		is.Equal(status(t, err), 0)
		type line struct {
			Value struct {
				Issues int    `json:"issues"`
				Handle string `json:"issues_handle"`
				Area   string `json:"area"`
			} `json:"value"`
		}
		var first, second line
		lines := json.NewDecoder(bytes.NewReader(out))
		is.NoErr(lines.Decode(&first))
		is.NoErr(lines.Decode(&second))
		is.Equal(lines.Decode(&line{}), io.EOF)       // one line for each run
		is.Equal(first.Value.Issues, 3000)            // all rows were read
		is.True(len(first.Value.Handle) > 20)         // and some are kept
		is.Equal(second.Value.Area, "sync")           // the second saw what the first returned
		is.True(!bytes.Contains(out, []byte("\x00"))) // text only
	})

	t.Run("a limit", func(t *testing.T) {
		is := is.New(t)
		begun := time.Now()
		is.Equal(status(t, call("run", "--timeout", "1", "-c", "while True: pass").Run()), 3)
		is.True(time.Since(begun) < soon)
	})

	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			is := is.New(t)
			cmd := call("run", "-c", "print('started')\nwhile True:\n  try:\n    while True: pass\n  except BaseException: pass")
			stdout, err := cmd.StdoutPipe()
			is.NoErr(err)
			is.NoErr(cmd.Start())
			line, err := bufio.NewReader(stdout).ReadString('\n')
			is.NoErr(err)
			is.Equal(line, "started\n") // what is printed streams
			begun := time.Now()
			is.NoErr(cmd.Process.Signal(signal))
			is.Equal(status(t, cmd.Wait()), 128+int(signal))
			is.True(time.Since(begun) < soon)
		})
	}

	t.Run("a reader that goes away", func(t *testing.T) {
		is := is.New(t)
		r, w, err := os.Pipe()
		is.NoErr(err)
		cmd := call("run", "-c", "while True: print('y' * 1000)")
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &stderr
		is.NoErr(cmd.Start())
		is.NoErr(w.Close())
		_, err = io.ReadFull(r, make([]byte, 10))
		is.NoErr(err)
		is.NoErr(r.Close())
		is.Equal(status(t, cmd.Wait()), 141)
		is.Equal(stderr.String(), "") // nothing to say to nobody
	})

	t.Run("a reader that reads nothing", func(t *testing.T) {
		for _, c := range []struct {
			name, code string
			want       int
		}{
			{"what it prints until it is stopped", "print('y' * 1_000_000)\nwhile True: pass", 3},
			{"its value", "return 'y' * 1_000_000", 128 + int(syscall.SIGINT)},
		} {
			t.Run(c.name, func(t *testing.T) {
				is := is.New(t)
				r, w, err := os.Pipe()
				is.NoErr(err)
				defer r.Close()
				cmd := call("run", "--timeout", "0.5", "-c", c.code)
				cmd.Stdout = w
				is.NoErr(cmd.Start())
				is.NoErr(w.Close())
				begun := time.Now()
				time.AfterFunc(2*time.Second, func() { _ = cmd.Process.Signal(syscall.SIGINT) })
				is.Equal(status(t, cmd.Wait()), c.want)
				is.True(time.Since(begun) > time.Second) // what there is to say waits for the reader
				is.True(time.Since(begun) < soon)        // but not beyond the signal
			})
		}
	})

	t.Run("a reader that is late", func(t *testing.T) {
		is := is.New(t)
		r, w, err := os.Pipe()
		is.NoErr(err)
		cmd := call("run", "--timeout", "1", "-c", "print('y' * 1_000_000)\nreturn 'z' * 1_000_000")
		cmd.Stdout = w
		is.NoErr(cmd.Start())
		is.NoErr(w.Close())
		time.Sleep(2 * time.Second) // longer than the limit
		all, err := io.ReadAll(r)
		is.NoErr(err)
		is.Equal(status(t, cmd.Wait()), 0) // the snippet was in time
		is.Equal(bytes.Count(all, []byte("y"))+bytes.Count(all, []byte("z")), 2_000_000)
	})

	t.Run("standard input", func(t *testing.T) {
		is := is.New(t)
		cmd := call("run", "-c", "return rows[1]", "--input", "rows=-")
		cmd.Stdin = bytes.NewReader([]byte(`[1, {"b": 12345678901234567890}]`))
		out, err := cmd.Output()
		is.Equal(status(t, err), 0)
		is.Equal(string(out), "{\n  \"b\": 12345678901234567890\n}\n")
	})

	t.Run("an environment that it does not pass on", func(t *testing.T) {
		is := is.New(t)
		cmd := call("run", "-c", "import os\nreturn [dict(os.environ), os.getcwd()]")
		cmd.Env = append(cmd.Env, "SECRET=hunter2")
		out, err := cmd.Output()
		is.Equal(status(t, err), 0)
		is.True(!bytes.Contains(out, []byte("hunter2"))) // the snippet does not see it
	})
}
