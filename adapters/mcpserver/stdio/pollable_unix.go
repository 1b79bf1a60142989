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
// writing to one would fail when it is full. So nothing is done where something
// that this process writes to may be one.
func pollable(in io.Reader, out io.Writer) (_ io.Reader, restore func()) {
	f, ok := in.(*os.File)
	if !ok || f.SetReadDeadline(time.Time{}) == nil || !isPipe(f) || isAny(f, out, os.Stdout, os.Stderr) {
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
	if p == nil || p.SetReadDeadline(time.Time{}) != nil {
		block(true)
		return in, func() {}
	}
	return p, func() {
		_ = p.Close()
		block(true)
	}
}

func isPipe(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0
}

// isAny reports whether one of the writers is the file or may be it.
func isAny(f *os.File, writers ...io.Writer) bool {
	info, err := f.Stat()
	for _, w := range writers {
		if o, ok := w.(*os.File); ok && err == nil {
			other, err := o.Stat() // a closed one is no file
			if err == nil && os.SameFile(info, other) {
				return true
			}
		}
	}
	return err != nil
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
