package tempfiles

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// unlocked is how old a directory without a lock must be to count as abandoned:
// its maker may be about to lock it.
const unlocked = time.Hour

// sweep removes the directories of processes that are gone. It is not important
// enough to fail; what it could not remove is logged.
func sweep(base string, log *slog.Logger) {
	entries, err := os.ReadDir(base)
	if err != nil {
		log.Warn("left-over artifacts cannot be looked for", "dir", base, "error", err)
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !e.IsDir() {
			continue
		}
		path := filepath.Join(base, e.Name())
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || !isOurs(info) {
			continue
		}
		if err := removeAbandoned(path, info); err != nil {
			log.Warn("left-over artifacts cannot be removed", "dir", path, "error", err)
		}
	}
}

// removeAbandoned removes a directory unless its process lives.
func removeAbandoned(path string, info fs.FileInfo) error {
	lock, err := takeLock(filepath.Join(path, lockName))
	switch {
	case errors.Is(err, errLocked):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		if time.Since(info.ModTime()) < unlocked {
			return nil
		}
		return os.RemoveAll(path)
	case err != nil:
		return err
	}
	return removeLocked(path, lock)
}
