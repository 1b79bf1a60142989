package extismbox

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	extism "github.com/extism/go-sdk"

	"toolplane/domain/run"
)

// WASI, as far as a guest without files, sockets, environment and arguments
// sees it (wasi_snapshot_preview1). None of it has state, unlike wazero's own,
// where a guest could close a descriptor for the run after it.
const wasiModule = "wasi_snapshot_preview1"

// errno is a WASI error number.
type errno uint64

const (
	success       errno = 0
	errBadFile    errno = 8
	errInvalid    errno = 28
	errNotSupp    errno = 58
	errNotSock    errno = 57
	errSeekPipe   errno = 70
	errNotCapable errno = 76
)

// wasiFunction is one function: its parameters as hostFunction takes them.
type wasiFunction struct {
	name, params string
	f            func(x *execution, p []uint64) errno
}

func wasiFunctions() []extism.HostFunction {
	all := []extism.HostFunction{hostFunction(wasiModule, "proc_exit", "i", "", func(_ *execution, stack []uint64) {
		panic(&exit{code: uint32(stack[0])})
	})}
	for _, w := range wasiTable() {
		all = append(all, hostFunction(wasiModule, w.name, w.params, "i", func(x *execution, stack []uint64) {
			stack[0] = uint64(w.f(x, stack))
		}))
	}
	return all
}

// wasiTable lists the functions that return an error number: all but one.
func wasiTable() []wasiFunction {
	return []wasiFunction{
		{"args_get", "ii", nothing},
		{"args_sizes_get", "ii", noStrings},
		{"environ_get", "ii", nothing},
		{"environ_sizes_get", "ii", noStrings},
		{"clock_res_get", "ii", (*execution).clockResolution},
		{"clock_time_get", "iIi", (*execution).clockTime},
		{"random_get", "ii", (*execution).random},
		{"sched_yield", "", nothing},
		{"poll_oneoff", "iiii", (*execution).poll},
		{"fd_close", "i", stream(success)},
		{"fd_datasync", "i", stream(errInvalid)},
		{"fd_fdstat_get", "ii", (*execution).streamStatus},
		{"fd_fdstat_set_flags", "ii", stream(success)},
		{"fd_filestat_get", "ii", (*execution).fileStatus},
		{"fd_read", "iiii", (*execution).read},
		{"fd_seek", "iIii", stream(errSeekPipe)},
		{"fd_sync", "i", stream(errInvalid)},
		{"fd_tell", "ii", stream(errSeekPipe)},
		{"fd_write", "iiii", (*execution).write},
		{"fd_prestat_get", "ii", fails(errBadFile)},
		{"fd_prestat_dir_name", "iii", fails(errBadFile)},
		{"fd_advise", "iIIi", fails(errSeekPipe)},
		{"fd_allocate", "iII", fails(errBadFile)},
		{"fd_filestat_set_size", "iI", fails(errInvalid)},
		{"fd_filestat_set_times", "iIIi", fails(errNotCapable)},
		{"fd_pread", "iiiIi", fails(errSeekPipe)},
		{"fd_pwrite", "iiiIi", fails(errSeekPipe)},
		{"fd_readdir", "iiiIi", fails(errBadFile)},
		{"fd_renumber", "ii", fails(errBadFile)},
		{"path_create_directory", "iii", fails(errNotCapable)},
		{"path_filestat_get", "iiiii", fails(errNotCapable)},
		{"path_filestat_set_times", "iiiiIIi", fails(errNotCapable)},
		{"path_link", "iiiiiii", fails(errNotCapable)},
		{"path_open", "iiiiiIIii", fails(errNotCapable)},
		{"path_readlink", "iiiiii", fails(errNotCapable)},
		{"path_remove_directory", "iii", fails(errNotCapable)},
		{"path_rename", "iiiiii", fails(errNotCapable)},
		{"path_symlink", "iiiii", fails(errNotCapable)},
		{"path_unlink_file", "iii", fails(errNotCapable)},
		{"sock_accept", "iii", fails(errNotSock)},
		{"sock_recv", "iiiiii", fails(errNotSock)},
		{"sock_send", "iiiii", fails(errNotSock)},
		{"sock_shutdown", "ii", fails(errNotSock)},
	}
}

// exit is the panic of a guest that ends itself.
type exit struct{ code uint32 }

func (e *exit) Error() string { return fmt.Sprintf("exit with code %d", e.code) }

func fails(e errno) func(*execution, []uint64) errno {
	return func(*execution, []uint64) errno { return e }
}

func nothing(*execution, []uint64) errno { return success }

// stream answers with e for the three standard streams, which are all the
// descriptors there are.
func stream(e errno) func(*execution, []uint64) errno {
	return func(_ *execution, p []uint64) errno {
		if !isStream(p[0]) {
			return errBadFile
		}
		return e
	}
}

func isStream(descriptor uint64) bool { return uint32(descriptor) <= 2 }

// noStrings answers that there are no arguments or variables.
func noStrings(x *execution, p []uint64) errno {
	x.put32(p[0], 0)
	x.put32(p[1], 0)
	return success
}

func (x *execution) put32(at uint64, v uint32) { binary.LittleEndian.PutUint32(x.view(at, 4), v) }
func (x *execution) put64(at uint64, v uint64) { binary.LittleEndian.PutUint64(x.view(at, 8), v) }

// Clocks: wall time, one that only goes forward, and the processor time of
// process and thread, which is the time that the run has taken.
const (
	wallClock    = 0
	forwardClock = 1
	lastClock    = 3
)

func (x *execution) clockResolution(p []uint64) errno {
	if uint32(p[0]) > lastClock {
		return errInvalid
	}
	x.put64(p[1], 1)
	return success
}

func (x *execution) clockTime(p []uint64) errno {
	if uint32(p[0]) > lastClock {
		return errInvalid
	}
	x.put64(p[2], uint64(x.clock(uint32(p[0]))))
	return success
}

// started is a moment at which the forward clock shows what the wall clock does,
// counted from forwardZero. So it is ahead of every image, also of those that
// earlier processes made, and small enough for Python's floats to count
// nanoseconds.
var (
	started     = time.Now()
	forwardZero = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// clock returns a clock's time in nanoseconds.
func (x *execution) clock(id uint32) int64 {
	switch id {
	case wallClock:
		return time.Now().UnixNano()
	case forwardClock:
		return int64(started.Sub(forwardZero) + time.Since(started))
	default:
		return int64(time.Since(x.begun))
	}
}

// random fills memory in parts, so that a stop is not late.
func (x *execution) random(p []uint64) errno {
	const most = 1 << 20
	for dst := x.view(p[0], p[1]); len(dst) > 0; {
		n := min(len(dst), most)
		if _, err := rand.Read(dst[:n]); err != nil {
			panic(errors.New("no randomness"))
		}
		dst = dst[n:]
		x.check()
	}
	return success
}

// Sizes and places in WASI's structures, and the type of a stream.
const (
	vectorSize      = 8
	maxVectors      = 1024
	characterDevice = 2
)

// streamStatus describes a stream as a device that is no terminal: it has the
// right to seek.
func (x *execution) streamStatus(p []uint64) errno {
	if !isStream(p[0]) {
		return errBadFile
	}
	status := x.view(p[1], 24)
	clear(status)
	status[0] = characterDevice
	binary.LittleEndian.PutUint64(status[8:], 1<<29-1)
	return success
}

func (x *execution) fileStatus(p []uint64) errno {
	if !isStream(p[0]) {
		return errBadFile
	}
	status := x.view(p[1], 64)
	clear(status)
	status[16] = characterDevice
	status[24] = 1 // links
	return success
}

// read finds standard input at its end.
func (x *execution) read(p []uint64) errno {
	if uint32(p[0]) != 0 {
		return errBadFile
	}
	x.put32(p[3], 0)
	return success
}

// write takes what goes to the streams past Python's own objects.
func (x *execution) write(p []uint64) errno {
	if !isStream(p[0]) || uint32(p[0]) == 0 {
		return errBadFile
	}
	to := run.Stream(uint32(p[0]))
	if uint32(p[2]) > maxVectors {
		return errInvalid
	}
	written := uint64(0)
	vectors := x.view(p[1], uint64(uint32(p[2]))*vectorSize)
	for at := 0; at < len(vectors); at += vectorSize {
		v := vectors[at : at+vectorSize]
		text := x.view(uint64(binary.LittleEndian.Uint32(v)), uint64(binary.LittleEndian.Uint32(v[4:])))
		x.print(to, text)
		written += uint64(len(text))
	}
	x.put32(p[3], uint32(written))
	x.check()
	return success
}
