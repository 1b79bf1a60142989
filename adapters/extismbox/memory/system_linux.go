package memory

import (
	"os"

	"golang.org/x/sys/unix"
)

var systemStrategies = []string{Scan, Pagemap, Remap}

func openSystemStrategy(name string) (Strategy, error) {
	if name == Remap {
		return remapping{}, nil
	}
	return openPages(name == Scan)
}

// preferLargePages asks for large pages. It is a wish: without them everything
// works as well.
func preferLargePages(part []byte) { _ = unix.Madvise(part, unix.MADV_HUGEPAGE) }

// anonymousFile returns a file in memory that has no name.
func anonymousFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("image", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "image"), nil
}
