package tempfiles

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errLocked means that a living process holds the lock: it has the file open and
// shares it with nobody.
var errLocked error = syscall.Errno(32) // ERROR_SHARING_VIOLATION

// makeLock makes the lock file, open for us alone. The system closes it when the
// process ends, however it ends; children do not inherit it.
func makeLock(name string) (*os.File, error) { return openAlone(name, syscall.CREATE_NEW) }

// takeLock opens a lock file that exists, or fails with errLocked.
func takeLock(name string) (*os.File, error) { return openAlone(name, syscall.OPEN_EXISTING) }

func openAlone(name string, mode uint32) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, mode, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), nil
}

// removeLocked removes a directory whose lock we hold; an open file cannot be
// removed.
func removeLocked(path string, lock *os.File) error {
	return errors.Join(lock.Close(), os.RemoveAll(path))
}

// isOurs is true: the temporary directory is the user's own.
func isOurs(fs.FileInfo) bool { return true }

// isFull tells whether an error means that the disk has no room.
func isFull(err error) bool {
	const handleDiskFull, diskFull = syscall.Errno(39), syscall.Errno(112)
	return errors.Is(err, handleDiskFull) || errors.Is(err, diskFull)
}
