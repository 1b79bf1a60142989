package system_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/system"
	"toolplane/domain/fault"
	"toolplane/ports"
	"toolplane/test/contract"
)

func TestClockContract(t *testing.T) {
	contract.Clock(t, func(*testing.T) ports.Clock { return system.Clock{} })
}

func TestEntropyContract(t *testing.T) {
	contract.Entropy(t, func(*testing.T) ports.Entropy { return system.Entropy{} })
}

// env is an environment in which only the cache variable is set.
func env(value string) func(string) string {
	return func(name string) string {
		if name == system.CacheVariable {
			return value
		}
		return ""
	}
}

func TestCacheDirIsInTheUsersCacheDirectory(t *testing.T) {
	is := is.New(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", home)
	dir, err := system.CacheDir(env(""))
	is.NoErr(err)
	is.Equal(filepath.Base(dir), "toolplane") // a directory of its own
	is.True(strings.HasPrefix(dir, home))     // that of this user
}

func TestCacheDirFollowsXDG(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return // these systems have a custom of their own
	}
	is := is.New(t)
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	dir, err := system.CacheDir(env(""))
	is.NoErr(err)
	is.Equal(dir, filepath.Join(cache, "toolplane"))
}

func TestCacheVariableWins(t *testing.T) {
	is := is.New(t)
	want := t.TempDir()
	dir, err := system.CacheDir(env(want + string(filepath.Separator)))
	is.NoErr(err)
	is.Equal(dir, want) // as given, cleaned
}

func TestRelativeCacheVariableIsRefused(t *testing.T) {
	is := is.New(t)
	_, err := system.CacheDir(env("cache"))
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
	is.True(strings.Contains(err.Error(), "TOOLPLANE_CACHE_DIR")) // names the variable
	is.True(strings.Contains(err.Error(), "absolute"))            // and the way out
}

func TestUserWithoutACacheDirectoryIsToldWhatToSet(t *testing.T) {
	is := is.New(t)
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	_, err := system.CacheDir(env(""))
	is.True(err != nil)                                           // there is none
	is.True(strings.Contains(err.Error(), "TOOLPLANE_CACHE_DIR")) // the way out
}
