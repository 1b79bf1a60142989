//go:build unix

package stdio

import (
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// pollable returns in, if it is a pipe or a socket, as a file whose reads wait
// in Go's poller. A read that waits in the kernel keeps its thread, and what it
// has brought then waits for another one to be woken, which takes longer than
// to answer a ping. restore ends the reading and leaves in as it was.
//
// Not to wait is a property of the pipe, which other descriptors of it share:
// writing to one would fail when it is full. So nothing is done where out may be
// one; a writer that wraps a file tells by a method Unwrap.
func pollable(in io.Reader, out io.Writer) (_ io.Reader, restore func()) {
	f, ok := in.(*os.File)
	if !ok || f.SetReadDeadline(time.Time{}) == nil || !isPipe(f, out) {
		return in, func() {}
	}
	var p *os.File
	block := func(blocks bool) {
		if raw, err := f.SyscallConn(); err == nil {
			_ = raw.Control(func(fd uintptr) {
				if syscall.SetNonblock(int(fd), !blocks) == nil && !blocks {
					p = duplicate(fd, f.Name())
				}
			})
		}
	}
	block(false)
	restore = func() {
		if p != nil {
			_ = p.Close()
		}
		block(true)
	}
	if p == nil || p.SetReadDeadline(time.Time{}) != nil {
		restore()
		return in, func() {}
	}
	return p, restore
}

// isPipe reports whether f is a pipe, whose end for reading nobody writes to, or
// a socket that is not what out writes to.
func isPipe(f *os.File, out io.Writer) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return false
	}
	for {
		switch o := out.(type) {
		case *os.File:
			other, err := o.Stat()
			return err == nil && !os.SameFile(info, other)
		case interface{ Unwrap() io.Writer }:
			out = o.Unwrap()
		default:
			return info.Mode()&fs.ModeNamedPipe != 0
		}
	}
}

func duplicate(fd uintptr, name string) *os.File {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	d, err := syscall.Dup(int(fd))
	if err != nil {
		return nil
	}
	syscall.CloseOnExec(d)
	return os.NewFile(uintptr(d), name)
}
