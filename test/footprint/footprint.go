// Package footprint tells what a process holds, for tests that prove that it
// does not collect more and more: goroutines, descriptors, mappings, heap and
// resident memory. What the system does not tell is 0.
package footprint

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// Footprint is what the process holds. Sizes are bytes.
type Footprint struct {
	Goroutines  int
	Descriptors int
	Mappings    int
	Objects     int // on the heap
	Heap        int
	Resident    int
}

// Slack is by how much a footprint may grow: for what the runtime of Go itself
// keeps. Descriptors may not.
type Slack struct{ Goroutines, Mappings, Objects, Heap, Resident int }

// Measure frees what nobody uses and returns what is left.
func Measure() Footprint {
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f := Footprint{Goroutines: runtime.NumGoroutine(), Objects: int(m.HeapObjects), Heap: int(m.HeapAlloc)}
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		f.Descriptors = len(entries)
	}
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil {
		f.Mappings = strings.Count(string(maps), "\n")
	}
	if fields := strings.Fields(read("/proc/self/statm")); len(fields) > 1 {
		pages, _ := strconv.Atoi(fields[1])
		f.Resident = pages * os.Getpagesize()
	}
	return f
}

func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// String shows sizes in MiB.
func (f Footprint) String() string {
	const mib = 1 << 20
	return fmt.Sprintf("goroutines %d, descriptors %d, mappings %d, heap %d objects of %.1f MiB, resident %d MiB",
		f.Goroutines, f.Descriptors, f.Mappings, f.Objects, float64(f.Heap)/mib, f.Resident/mib)
}

// Within returns an error that names everything that has grown by more than
// the slack since before.
func (f Footprint) Within(before Footprint, s Slack) error {
	var all error
	for _, c := range []struct {
		what               string
		now, before, slack int
	}{
		{"goroutines", f.Goroutines, before.Goroutines, s.Goroutines},
		{"descriptors", f.Descriptors, before.Descriptors, 0},
		{"mappings", f.Mappings, before.Mappings, s.Mappings},
		{"heap objects", f.Objects, before.Objects, s.Objects},
		{"bytes of heap", f.Heap, before.Heap, s.Heap},
		{"resident bytes", f.Resident, before.Resident, s.Resident},
	} {
		if c.now > c.before+c.slack {
			all = errors.Join(all, fmt.Errorf("%d %s have become %d, more than %d more", c.before, c.what, c.now, c.slack))
		}
	}
	return all
}
