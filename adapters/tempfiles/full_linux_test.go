package tempfiles_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/tempfiles"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

// small is the variable that makes the test binary fill a disk of one megabyte,
// in a namespace of its own.
const small = "TEMPFILES_SMALL_DISK"

// TestFullDiskIsToldWithTheWayOut mounts a small disk where the kernel lets an
// ordinary user do so in a namespace of its own.
func TestFullDiskIsToldWithTheWayOut(t *testing.T) {
	is := is.New(t)
	if dir := os.Getenv(small); dir != "" {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
			t.Skipf("this kernel lets nobody mount a disk: %v", err)
		}
		s := tempfiles.New(tempfiles.Options{Dir: dir}).NewStore(handle.Artifact)
		err := s.Put(mint(1), run.Bytes(make([]byte, 2<<20)))
		is.Equal(fault.CodeOf(err), fault.ArtifactFull)
		is.True(strings.Contains(err.Error(), "2097152 bytes do not fit"))
		is.NoErr(s.Put(mint(1), run.Bytes([]byte("small")))) // nothing of the first is left
		is.NoErr(s.Close())
		fmt.Println("the disk was full")
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFullDiskIsToldWithTheWayOut$", "-test.v")
	cmd.Env = append(os.Environ(), small+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Skipf("this kernel gives no namespace to ordinary users: %v", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !bytes.Contains(out, []byte("the disk was full")) {
		t.Skipf("this kernel lets nobody mount a disk:\n%s", out)
	}
}
