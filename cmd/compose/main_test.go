package compose_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matryer/is"
	"go.uber.org/goleak"

	"toolplane/cmd/compose"
)

// cacheDir is shared by the tests of one process, which saves a second each.
var cacheDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "toolplane-compose-test-")
	if err != nil {
		panic(err)
	}
	cacheDir = filepath.Join(dir, "cache")
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		_ = os.RemoveAll(dir)
		os.Exit(status)
	}))
}

// program runs the program with directories of the test's own.
func program(t *testing.T, env map[string]string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	if env["TOOLPLANE_CACHE_DIR"] == "" {
		env["TOOLPLANE_CACHE_DIR"] = cacheDir
	}
	var out, err bytes.Buffer
	status = compose.Main(t.Context(), args, func(name string) string { return env[name] }, strings.NewReader(""), &out, &err)
	return status, out.String(), err.String()
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	is.New(t).NoErr(os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestConfigurationReachesTheRun(t *testing.T) {
	is := is.New(t)
	file := write(t, t.TempDir(), "toolplane.toml", "[sandbox]\nmax_calls = 1\n")
	status, _, stderr := program(t, map[string]string{}, "run", "--config", file, "-c", "for i in range(2): await save_result(i)")
	is.Equal(status, 1)
	is.True(strings.Contains(stderr, "all of its 1 calls")) // the cap of the file

	status, stdout, _ := program(t, map[string]string{"TOOLPLANE_CONFIG": file}, "run", "-c", "return 1")
	is.Equal(status, 0)
	is.Equal(stdout, "1\n")
}

func TestWrongConfigurationEndsBeforeAnythingRuns(t *testing.T) {
	for says, text := range map[string]string{
		"did you mean": "[sandbox]\nmax_cals = 1\n",
		"extism":       "[toolplane]\ndefault_backend = \"monty\"\n",
	} {
		is := is.New(t)
		file := write(t, t.TempDir(), "toolplane.toml", text)
		status, stdout, stderr := program(t, map[string]string{}, "run", "--config", file, "-c", "print('ran')")
		is.Equal(status, 2)
		is.Equal(stdout, "")
		is.True(strings.Contains(stderr, says))
		is.True(strings.Contains(stderr, "toolplane.toml")) // the file is named
	}
}

func TestUntrustedConfigurationIsIgnoredWithAWarning(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	write(t, dir, "toolplane.toml", "[sandbox]\nmax_calls = 1\n")
	t.Chdir(dir)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "user"))
	t.Setenv("HOME", dir)
	t.Setenv("AppData", dir)
	code := "for i in range(2): await save_result(i)"

	status, _, stderr := program(t, map[string]string{}, "run", "-c", code)
	is.Equal(status, 0) // defaults hold
	is.True(strings.Contains(stderr, "toolplane config trust"))

	status, _, _ = program(t, map[string]string{}, "config", "trust")
	is.Equal(status, 0)
	status, _, stderr = program(t, map[string]string{}, "run", "-c", code)
	is.Equal(status, 1) // now the file does
	is.True(strings.Contains(stderr, "all of its 1 calls"))
}

func TestParanoidRunsAreTheSame(t *testing.T) {
	is := is.New(t)
	status, stdout, _ := program(t, map[string]string{}, "run", "--paranoid", "-c", "return sum(range(101))")
	is.Equal(status, 0)
	is.Equal(stdout, "5050\n")
}

func TestForeignCacheDirectoryIsRefused(t *testing.T) {
	is := is.New(t)
	dir := filepath.Join(t.TempDir(), "open")
	is.NoErr(os.Mkdir(dir, 0o755))
	is.NoErr(os.Chmod(dir, 0o777)) // anybody may write executable state
	status, _, stderr := program(t, map[string]string{"TOOLPLANE_CACHE_DIR": dir}, "run", "-c", "1")
	is.True(status != 0)
	is.True(strings.Contains(stderr, dir))
}
