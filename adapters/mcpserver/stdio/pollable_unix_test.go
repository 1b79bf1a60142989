//go:build unix

package stdio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/matryer/is"
)

// blockingPipe is a pipe as a process gets it: reads wait in the kernel.
func blockingPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	is := is.New(t)
	var fds [2]int
	is.NoErr(syscall.Pipe(fds[:]))
	r, w = os.NewFile(uintptr(fds[0]), "in"), os.NewFile(uintptr(fds[1]), "out")
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}

// wrapped is a writer in front of a file.
type wrapped struct{ io.Writer }

func (w wrapped) Unwrap() io.Writer { return w.Writer }

func waits(t *testing.T, f *os.File) bool {
	t.Helper()
	is := is.New(t)
	raw, err := f.SyscallConn()
	is.NoErr(err)
	var flags uintptr
	is.NoErr(raw.Control(func(fd uintptr) {
		flags, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0)
	}))
	return flags&syscall.O_NONBLOCK == 0
}

func TestPipesArePolled(t *testing.T) {
	is := is.New(t)
	r, w := blockingPipe(t)
	in, restore := pollable(r, new(bytes.Buffer))
	is.True(in != r)
	_, err := w.WriteString("here")
	is.NoErr(err)
	got := make([]byte, 10)
	n, err := in.Read(got)
	is.NoErr(err)
	is.Equal(string(got[:n]), "here")

	ended := make(chan error)
	go func() {
		_, err := in.Read(got)
		ended <- err
	}()
	time.Sleep(10 * time.Millisecond)
	restore()
	is.True(errors.Is(<-ended, os.ErrClosed)) // a read that waits ends
	is.True(waits(t, r))                      // and the pipe is as it was
	_, err = w.WriteString("still")
	is.NoErr(err)
	n, err = r.Read(got)
	is.NoErr(err)
	is.Equal(string(got[:n]), "still")
}

func TestWhatIsNoPipeIsLeftAlone(t *testing.T) {
	is := is.New(t)
	file, err := os.Create(t.TempDir() + "/file")
	is.NoErr(err)
	defer file.Close()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	is.NoErr(err)
	socket, other := os.NewFile(uintptr(pair[0]), "socket"), os.NewFile(uintptr(pair[1]), "other")
	defer socket.Close()
	defer other.Close()
	polled, _, err := os.Pipe()
	is.NoErr(err)
	defer polled.Close()

	in, restore := pollable(file, os.Stdout)
	is.True(in == file) // a file never waits
	restore()
	in, restore = pollable(socket, socket)
	is.True(in == socket) // its answers would go out without waiting too
	restore()
	is.True(waits(t, socket))
	in, restore = pollable(socket, wrapped{socket})
	is.True(in == socket) // nor where they go there by a detour
	restore()
	in, restore = pollable(socket, new(bytes.Buffer))
	is.True(in == socket) // nor where they may
	restore()
	in, restore = pollable(socket, wrapped{other})
	is.True(in != socket)
	restore()
	is.True(waits(t, socket))
	in, restore = pollable(polled, os.Stdout)
	is.True(in == polled) // it is polled already
	restore()
	is.True(!waits(t, polled))
	text := bytes.NewBufferString("text")
	in, restore = pollable(text, os.Stdout)
	is.True(in == text)
	restore()
	in, restore = pollable(socket, other)
	is.True(in != socket) // two ends are two
	restore()
	is.True(waits(t, socket))
}
