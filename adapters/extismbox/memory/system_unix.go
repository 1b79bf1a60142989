//go:build unix

package memory

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

const private = unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_NORESERVE

// reserve takes address space that cannot be touched yet.
func reserve(n uintptr) ([]byte, error) {
	p, err := unix.MmapPtr(-1, 0, nil, n, unix.PROT_NONE, private)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), n), nil
}

// commit makes a part of the reservation usable; it is zero.
func commit(part []byte) error {
	return unix.Mprotect(part, unix.PROT_READ|unix.PROT_WRITE)
}

// decommit gives the memory of a part back; it cannot be touched any more.
func decommit(part []byte) error {
	if len(part) == 0 {
		return nil
	}
	_, err := unix.MmapPtr(-1, 0, start(part), uintptr(len(part)), unix.PROT_NONE, private|unix.MAP_FIXED)
	return err
}

func release(all []byte) error {
	return unix.MunmapPtr(start(all), uintptr(len(all)))
}

func start(part []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(part)) }

// mapImage maps the image privately over the beginning of m.
func mapImage(m *Mapping) error {
	_, err := unix.MmapPtr(int(m.image.file.Fd()), 0, start(m.all), uintptr(m.image.Size()),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED|unix.MAP_NORESERVE)
	return err
}

// remapping is the strategy Remap.
type remapping struct{}

func (remapping) Name() string { return Remap }
func (remapping) Close() error { return nil }

func (remapping) attach(m *Mapping) error           { return mapImage(m) }
func (remapping) reset(m *Mapping) (_ int, _ error) { return 0, mapImage(m) }
