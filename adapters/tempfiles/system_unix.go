//go:build unix

package tempfiles

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errLocked means that a living process holds the lock.
var errLocked = syscall.EWOULDBLOCK

// makeLock makes the lock file and locks it. The system gives the lock up when
// the process ends, however it ends; children do not inherit it.
func makeLock(name string) (*os.File, error) {
	return lockFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

// takeLock locks a lock file that exists, or fails with errLocked.
func takeLock(name string) (*os.File, error) {
	return lockFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK)
}

func lockFile(name string, flags int) (*os.File, error) {
	f, err := os.OpenFile(name, flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// removeLocked removes a directory whose lock we hold.
func removeLocked(path string, lock *os.File) error {
	return errors.Join(os.RemoveAll(path), lock.Close())
}

// isOurs tells whether the directory belongs to this user.
func isOurs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// isFull tells whether an error means that the disk, or this user's share of it,
// has no room.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
