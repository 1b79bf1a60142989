// Package memory keeps the linear memories of guests outside the Go heap.
//
// An Image is a memory that never changes: the state of an initialised guest. A
// Mapping is one guest's private memory, which begins as the image, grows in
// place up to its limit, and can be brought back to the image by one of several
// strategies: by finding the pages that were written and copying them back, by
// mapping the image anew, or by copying all of it. A mapping never moves, so
// that host functions may look at it; only its owner releases it, once no
// guest and no host function can look at it any more.
package memory

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
)

// PageSize is the unit in which memories are mapped, compared and restored.
const PageSize = 4096

// Image is an immutable memory, shared by all mappings of it. Its methods may
// be called concurrently, Close once no mapping is left.
type Image struct {
	view []byte   // never written
	file *os.File // what view shows; nil where images are copied only
	free func() error
	hot  atomic.Pointer[[]span] // what nearly every run writes to; nil until known
}

// NewImage keeps a copy of data as an image. The size must be a multiple of
// PageSize and more than 0.
func NewImage(data []byte) (*Image, error) {
	if err := checkSize(int64(len(data))); err != nil {
		return nil, err
	}
	return newImage(data)
}

func checkSize(n int64) error {
	if n <= 0 || n%PageSize != 0 || n > reservation {
		return fmt.Errorf("an image of %d bytes; give a multiple of %d up to %d", n, PageSize, int64(reservation))
	}
	return nil
}

// Size returns the image's size in bytes.
func (i *Image) Size() uint64 { return uint64(len(i.view)) }

// Bytes returns the image's content, which must not be modified.
func (i *Image) Bytes() []byte { return i.view }

// Rest gives back what looking at the image has taken, until somebody looks
// again.
func (i *Image) Rest() {
	if i.file != nil {
		dropView(i.view)
	}
}

// Close frees the image. No mapping of it may be in use.
func (i *Image) Close() error {
	err := i.free()
	if i.file != nil {
		err = errors.Join(err, i.file.Close())
	}
	i.view, i.file, i.free = nil, nil, func() error { return nil }
	return err
}

// OpenImage makes an image of the first size bytes of a file, which it closes,
// now or when the image is closed. The file must never change or shrink.
func OpenImage(f *os.File, size int64) (*Image, error) {
	if err := checkSize(size); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return openImage(f, int(size))
}

// WriteSparse writes data to an empty file and leaves pages of zeros out, where
// a file system then needs no room.
func WriteSparse(f *os.File, data []byte) error {
	if err := f.Truncate(int64(len(data))); err != nil {
		return err
	}
	for from := 0; from < len(data); {
		to := from
		for to < len(data) && !isZero(pageAt(data, to)) {
			to = min(to+PageSize, len(data))
		}
		if to == from {
			from += PageSize
			continue
		}
		if _, err := f.WriteAt(data[from:to], int64(from)); err != nil {
			return err
		}
		from = to
	}
	return nil
}

func pageAt(data []byte, at int) []byte { return data[at:min(at+PageSize, len(data))] }

var zeroPage [PageSize]byte

func isZero(page []byte) bool { return bytes.Equal(page, zeroPage[:len(page)]) }
