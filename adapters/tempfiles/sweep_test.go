package tempfiles_test

import (
	"bufio"
	"bytes"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/tempfiles"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

// start starts a process that keeps an artifact in dir, and returns once it does.
func start(t *testing.T, dir string) (process *exec.Cmd, end func() error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), tenant+"="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the process said %q: %v", line, err)
	}
	return cmd, func() error { return errors.Join(in.Close(), cmd.Wait()) }
}

func TestKilledProcessIsSweptAtTheNextStart(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	dead, _ := start(t, dir)
	living, end := start(t, dir)
	is.Equal(len(private(t, dir)), 2)
	is.NoErr(dead.Process.Kill())
	_ = dead.Wait()
	is.Equal(len(private(t, dir)), 2) // nobody could clean up

	var log bytes.Buffer
	tempfiles.New(tempfiles.Options{Dir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	is.Equal(len(private(t, dir)), 1) // the dead one's is gone, the living one's is not
	is.Equal(log.String(), "")        // which is nothing to speak of
	is.True(living.ProcessState == nil)
	is.NoErr(end())
	is.Equal(private(t, dir), nil) // the living one removed its own
}

func TestSweepLeavesWhatIsNotAbandoned(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	young, old := filepath.Join(dir, "toolplane-artifacts-young"), filepath.Join(dir, "toolplane-artifacts-old")
	other, plain := filepath.Join(dir, "other"), filepath.Join(dir, "toolplane-artifacts-file")
	for _, name := range []string{young, old, other} {
		is.NoErr(os.Mkdir(name, 0o700))
		is.NoErr(os.WriteFile(filepath.Join(name, "x"), nil, 0o600))
	}
	is.NoErr(os.WriteFile(plain, nil, 0o600))
	is.NoErr(os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour)))
	mine := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	is.NoErr(mine.Put(mint(1), run.Bytes([]byte("x"))))
	tempfiles.New(tempfiles.Options{Dir: dir})
	for name, want := range map[string]bool{young: true, old: false, other: true, plain: true} {
		_, err := os.Stat(name)
		is.Equal(err == nil, want) // only what nobody locked for long is gone
	}
	_, err := mine.Get(mint(1))
	is.NoErr(err) // that of this process is in use
	is.NoErr(mine.Close())
}
