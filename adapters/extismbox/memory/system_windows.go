package memory

import (
	"bytes"
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Private mappings of files are not worth their trouble here: images are
// copied.
var systemStrategies []string

func openSystemStrategy(string) (Strategy, error) { return copying{}, nil }

func newImage(data []byte) (*Image, error) {
	return &Image{view: bytes.Clone(data), free: func() error { return nil }}, nil
}

func openImage(f *os.File, size int) (*Image, error) {
	view := make([]byte, size)
	_, err := f.ReadAt(view, 0)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	return &Image{view: view, free: func() error { return nil }}, nil
}

// reserve takes address space that cannot be touched yet.
func reserve(n uintptr) ([]byte, error) {
	p, err := windows.VirtualAlloc(0, n, windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), p)), n), nil
}

// commit makes a part of the reservation usable; it is zero.
func commit(part []byte) error {
	_, err := windows.VirtualAlloc(start(part), uintptr(len(part)), windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

// decommit gives the memory of a part back; it cannot be touched any more.
func decommit(part []byte) error {
	if len(part) == 0 {
		return nil
	}
	return windows.VirtualFree(start(part), uintptr(len(part)), windows.MEM_DECOMMIT)
}

func release(all []byte) error { return windows.VirtualFree(start(all), 0, windows.MEM_RELEASE) }

func start(part []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(part))) }

func preferLargePages([]byte) {}

func dropView([]byte) {}
