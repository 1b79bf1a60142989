package tempfiles_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"unsafe"

	"github.com/matryer/is"

	"toolplane/adapters/tempfiles"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

func TestNothingIsLeftWhenNoFileCanBeOpened(t *testing.T) {
	is := is.New(t)
	dir := t.TempDir()
	s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
	defer s.Close()
	next, err := os.Open(dir) // the file that would be opened next
	is.NoErr(err)
	number := uint64(next.Fd())
	is.NoErr(next.Close())
	for spare := range uint64(2) { // for the directory, but not for the lock in it
		err := withFiles(t, number+spare, func() error { return s.Put(mint(1), run.Bytes(nil)) })
		is.True(errors.Is(err, syscall.EMFILE))
		is.Equal(private(t, dir), nil)
	}
	is.NoErr(s.Put(mint(1), run.Bytes(nil))) // and later all is well
}

// withFiles does something while no file may have a number from most on.
func withFiles(t *testing.T, most uint64, do func() error) error {
	t.Helper()
	is := is.New(t)
	var old syscall.Rlimit
	is.NoErr(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old))
	is.NoErr(syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: most, Max: old.Max}))
	defer func() { is.NoErr(syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old)) }()
	return do()
}

// flockFails is the variable that makes the test binary a process in which every
// flock fails with the error of that number, flockDir names its directory.
const (
	flockFails = "TEMPFILES_FLOCK_FAILS"
	flockDir   = "TEMPFILES_FLOCK_DIR"
)

func TestNothingIsLeftWhenTheLockFails(t *testing.T) {
	if number := os.Getenv(flockFails); number != "" {
		failToLock(t, number)
		return
	}
	for name, c := range map[string]struct {
		errno syscall.Errno
		left  int
	}{
		"no locks":                        {syscall.ENOLCK, 0},
		"a sweep holds every one of them": {syscall.EWOULDBLOCK, 5}, // and removes them
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			dir := t.TempDir()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNothingIsLeftWhenTheLockFails$", "-test.v")
			cmd.Env = append(os.Environ(), flockFails+"="+strconv.Itoa(int(c.errno)), flockDir+"="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if bytes.Contains(out, []byte("--- SKIP")) {
				t.Skipf("this kernel lets nobody refuse system calls:\n%s", out)
			}
			is.Equal(len(private(t, dir)), c.left)
		})
	}
}

func failToLock(t *testing.T, number string) {
	t.Helper()
	is := is.New(t)
	errno, err := strconv.ParseUint(number, 10, 16)
	is.NoErr(err)
	runtime.LockOSThread() // which alone is told to refuse, and ends with the test
	if err := refuse(syscall.SYS_FLOCK, syscall.Errno(errno)); err != nil {
		t.Skip(err)
	}
	s := tempfiles.New(tempfiles.Options{Dir: os.Getenv(flockDir)}).NewStore(handle.Artifact)
	is.True(errors.Is(s.Put(mint(1), run.Bytes(nil)), syscall.Errno(errno)))
	is.NoErr(s.Close())
}

// refuse makes a system call of this thread fail, by a filter (seccomp(2)).
func refuse(call uint32, errno syscall.Errno) error {
	const (
		setSeccomp, modeFilter, noNewPrivileges = 22, 2, 38
		fail, allow                             = 0x00050000, 0x7fff0000
	)
	filter := []syscall.SockFilter{
		{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS}, // the call's number
		{Code: syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K, K: call, Jf: 1},
		{Code: syscall.BPF_RET | syscall.BPF_K, K: fail | uint32(errno)},
		{Code: syscall.BPF_RET | syscall.BPF_K, K: allow},
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0); err != 0 {
		return err
	}
	if _, _, err := syscall.RawSyscall(syscall.SYS_PRCTL, setSeccomp, modeFilter, uintptr(unsafe.Pointer(&program))); err != 0 {
		return err
	}
	return nil
}
