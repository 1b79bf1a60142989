package memory

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// keepPages bounds the written pages that a reset copies back in place, so
	// that the next run does not fault on them; above it all are given back but
	// the hot ones.
	keepPages = 512

	// hotPages bounds the pages that are hot: those that the first run wrote to,
	// if it was a small one.
	hotPages = 256
)

// pages is the strategies Scan and Pagemap: find the pages that the guest has
// written, which are private to it, and copy them back.
type pages struct {
	file    *os.File // /proc/self/pagemap
	scan    bool
	buffers sync.Pool
}

// openPages opens the strategy and tries it out.
func openPages(scan bool) (Strategy, error) {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return nil, err
	}
	s := &pages{file: f, scan: scan}
	if err := s.try(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// try looks at a page that nobody has written.
func (s *pages) try() error {
	page, err := reserve(uintptr(os.Getpagesize()))
	if err != nil {
		return err
	}
	_, err = s.written(nil, page)
	return errors.Join(err, release(page))
}

func (s *pages) Name() string {
	if s.scan {
		return Scan
	}
	return Pagemap
}

func (s *pages) Close() error { return s.file.Close() }

func (s *pages) attach(m *Mapping) error {
	if err := mapImage(m); err != nil {
		return err
	}
	populate(m)
	return nil
}

// populate makes the hot pages private ahead of the run that will write to
// them. Older kernels cannot, and then the run faults.
func populate(m *Mapping) {
	hot := m.image.hot.Load()
	if hot == nil {
		return
	}
	for _, r := range *hot {
		if unix.Madvise(m.all[r.from:r.to], unix.MADV_POPULATE_WRITE) != nil {
			return
		}
	}
}

func (s *pages) reset(m *Mapping) (int, error) {
	ranges, err := s.written(m.ranges[:0], m.all[:m.image.Size()])
	if err != nil {
		return 0, err
	}
	m.ranges = ranges
	count := 0
	for _, r := range ranges {
		count += int((r.to - r.from) / PageSize)
	}
	if count > keepPages {
		err := unix.Madvise(m.all[:m.image.Size()], unix.MADV_DONTNEED)
		populate(m)
		return count, err
	}
	if count <= hotPages && m.image.hot.Load() == nil {
		hot := slices.Clone(ranges)
		m.image.hot.CompareAndSwap(nil, &hot)
	}
	for _, r := range ranges {
		copy(m.all[r.from:r.to], m.image.view[r.from:r.to])
	}
	return count, nil
}

// written appends the parts of a mapping that are private to it.
func (s *pages) written(ranges []span, part []byte) ([]span, error) {
	if s.scan {
		return s.scanned(ranges, part)
	}
	return s.listed(ranges, part)
}

// Page categories and call number of the kernel's interface (linux/fs.h, since
// 6.7).
const (
	pageIsFile    = 1 << 2
	pageIsPresent = 1 << 3
	pageIsSwapped = 1 << 4
	pagemapScan   = 3<<30 | 96<<16 | 'f'<<8 | 16
)

// scanArgs is the kernel's struct pm_scan_arg.
type scanArgs struct {
	size, flags, start, end, walkEnd, vec, vecLen, maxPages uint64
	inverted, mask, anyOf, returned                         uint64
}

// region is the kernel's struct page_region.
type region struct{ start, end, categories uint64 }

// scanBuffer is what one scan needs; the kernel writes to both.
type scanBuffer struct {
	args    scanArgs
	regions [512]region
}

func (s *pages) scanned(ranges []span, part []byte) ([]span, error) {
	buf, _ := s.buffers.Get().(*scanBuffer)
	if buf == nil {
		buf = new(scanBuffer)
	}
	defer s.buffers.Put(buf)
	base := uint64(uintptr(start(part)))
	for at, end := base, base+uint64(len(part)); at < end; {
		buf.args = scanArgs{
			size: uint64(unsafe.Sizeof(buf.args)), start: at, end: end,
			vec: uint64(uintptr(unsafe.Pointer(&buf.regions))), vecLen: uint64(len(buf.regions)),
			inverted: pageIsFile, mask: pageIsFile, anyOf: pageIsPresent | pageIsSwapped,
			returned: pageIsPresent | pageIsSwapped,
		}
		n, _, errno := unix.Syscall(unix.SYS_IOCTL, s.file.Fd(), pagemapScan, uintptr(unsafe.Pointer(&buf.args)))
		if errno != 0 {
			return nil, fmt.Errorf("scan of written pages: %w", errno)
		}
		for _, r := range buf.regions[:n] {
			ranges = appendSpan(ranges, r.start-base, r.end-base)
		}
		if buf.args.walkEnd <= at {
			return nil, errors.New("the scan of written pages does not advance")
		}
		at = buf.args.walkEnd
	}
	return ranges, nil
}

// Bits of an entry of /proc/self/pagemap.
const (
	entryFile    = 1 << 61
	entrySwapped = 1 << 62
	entryPresent = 1 << 63
)

// listed reads an entry for each of the system's pages, which may be larger
// than PageSize.
func (s *pages) listed(ranges []span, part []byte) ([]span, error) {
	const entrySize = 8
	unit := uint64(os.Getpagesize())
	base := uint64(uintptr(start(part)))
	var entries [512 * entrySize]byte
	for at := uint64(0); at < uint64(len(part)); at += uint64(len(entries)) / entrySize * unit {
		want := min(uint64(len(entries)), (uint64(len(part))-at)/unit*entrySize)
		if _, err := s.file.ReadAt(entries[:want], int64((base+at)/unit*entrySize)); err != nil {
			return nil, fmt.Errorf("listing of written pages: %w", err)
		}
		for i := uint64(0); i < want; i += entrySize {
			e := binary.LittleEndian.Uint64(entries[i:])
			if e&(entryPresent|entrySwapped) != 0 && e&entryFile == 0 {
				from := at + i/entrySize*unit
				ranges = appendSpan(ranges, from, from+unit)
			}
		}
	}
	return ranges, nil
}

func appendSpan(ranges []span, from, to uint64) []span {
	if n := len(ranges); n > 0 && ranges[n-1].to == from {
		ranges[n-1].to = to
		return ranges
	}
	return append(ranges, span{from, to})
}
