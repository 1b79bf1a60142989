//go:build unix

package memory

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// newImage keeps the image in a file without a name.
func newImage(data []byte) (*Image, error) {
	f, err := anonymousFile()
	if err != nil {
		return nil, err
	}
	if err := WriteSparse(f, data); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return openImage(f, len(data))
}

func openImage(f *os.File, size int) (*Image, error) {
	view, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Image{view: view, file: f, free: func() error { return unix.Munmap(view) }}, nil
}

// dropView forgets the pages of a shared view. What they cost is only a hint to
// the system, so failing is no harm.
func dropView(view []byte) { _ = unix.Madvise(view, unix.MADV_DONTNEED) }
