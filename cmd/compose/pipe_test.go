//go:build unix

package compose_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"
)

func TestConfigurationFromAPipeIsReadOnce(t *testing.T) {
	is := is.New(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	is.NoErr(syscall.Mkfifo(pipe, 0o600))
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte("[sandbox]\nmax_calls = 1\n"), 0o600) }()
	status, _, stderr := program(t, map[string]string{}, "run", "--config", pipe, "-c", "for i in range(2): await save_result(i)")
	is.NoErr(<-written)
	is.Equal(status, 1)
	is.True(strings.Contains(stderr, "all of its 1 calls")) // the cap of the file
}
