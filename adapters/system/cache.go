package system

import (
	"fmt"
	"os"
	"path/filepath"

	"toolplane/domain/fault"
)

// CacheVariable is the environment variable that names another cache directory.
const CacheVariable = "TOOLPLANE_CACHE_DIR"

// CacheDir returns the absolute path of the directory for what can be made
// again, such as compiled modules. It is the value of TOOLPLANE_CACHE_DIR where
// getenv gives one, and else "toolplane" in the user's cache directory
// (os.UserCacheDir, which follows XDG_CACHE_HOME where that is the custom). It
// neither makes nor checks the directory.
func CacheDir(getenv func(string) string) (string, error) {
	if dir := getenv(CacheVariable); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", fault.New(fault.ArgsInvalid, "%s is %q: give an absolute path", CacheVariable, dir)
		}
		return filepath.Clean(dir), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("this user has no cache directory, set %s to name one: %w", CacheVariable, err)
	}
	return filepath.Join(dir, "toolplane"), nil
}
