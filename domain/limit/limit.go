// Package limit holds every cap of the system with its default.
//
// A cap is enforced before the memory for what would break it is allocated.
// The zero value of each type is not useful: start from Defaults and change
// what differs, then Validate. Sizes are bytes; counts are counts.
package limit

import (
	"time"

	"toolplane/domain/fault"
)

// Sizes in bytes.
const (
	KiB = 1 << 10
	MiB = 1 << 20
	GiB = 1 << 30
)

// Run bounds one run of a snippet.
type Run struct {
	Time        time.Duration // the whole run
	CallTime    time.Duration // one host call, within what is left of Time
	Memory      int64         // the sandbox's memory
	Calls       int           // host calls in all; one more fails
	InFlight    int           // host calls at once; more wait
	OutputKept  int64         // stdout and stderr kept in the outcome, together: head and tail of each
	OutputTotal int64         // stdout and stderr printed together; more stops the run
	Value       int64         // the returned value
	Answer      int64         // one host call's answer
	Args        int64         // one host call's arguments
	Code        int64         // the snippet's source
	Inputs      int64         // all inputs together
}

// Store bounds what is kept of one kind: results or artifacts.
type Store struct {
	Enabled bool
	Entries int           // entries at once
	Total   int64         // bytes of all entries with their labels
	Entry   int64         // bytes of one entry with its label
	TTL     time.Duration // an entry's life
}

// Caps is every limit of one workspace.
type Caps struct {
	Run       Run
	Results   Store
	Artifacts Store
}

// Defaults returns the caps that hold where nothing else is said.
func Defaults() Caps {
	return Caps{
		Run: Run{
			Time: 30 * time.Second, CallTime: 60 * time.Second, Memory: 256 * MiB,
			Calls: 1000, InFlight: 64, OutputKept: 1 * MiB, OutputTotal: 10 * MiB,
			Value: 64 * MiB, Answer: 64 * MiB, Args: 64 * MiB, Code: 4 * MiB, Inputs: 64 * MiB,
		},
		Results:   Store{Enabled: true, Entries: 64, Total: 32 * MiB, Entry: 8 * MiB, TTL: time.Hour},
		Artifacts: Store{Enabled: true, Entries: 32, Total: 256 * MiB, Entry: 64 * MiB, TTL: time.Hour},
	}
}

// Bounds that no setting may pass: WebAssembly addresses four gigabytes, and a
// sandbox needs its image before a snippet gets anything. What goes through its
// memory is no larger. The others are beyond any use, and far from where sums of
// them would overflow.
const (
	minMemory = 64 * MiB
	maxMemory = 4*GiB - 64*KiB
	maxSize   = maxMemory
	maxTotal  = 1024 * GiB
	maxCount  = 1_000_000
	maxTime   = 24 * time.Hour
	maxTTL    = 365 * 24 * time.Hour
)

// Validate reports the first cap that cannot work, by its name: for itself, or
// beside the others.
func (c Caps) Validate() error {
	if err := c.ValidateEach(); err != nil {
		return err
	}
	for _, kind := range []struct {
		name  string
		store Store
	}{{"result", c.Results}, {"artifact", c.Artifacts}} {
		if kind.store.Enabled && c.Run.Answer < kind.store.Entry {
			return fault.New(fault.ArgsInvalid, "the limit on a run's answers is %d bytes, but one %s may have %d, which could be saved and not loaded; give answers at least as much",
				c.Run.Answer, kind.name, kind.store.Entry)
		}
	}
	return nil
}

// ValidateEach is Validate for each cap by itself, whatever the others are.
func (c Caps) ValidateEach() error {
	if err := c.Run.Validate(); err != nil {
		return err
	}
	if err := c.Results.validate("results"); err != nil {
		return err
	}
	return c.Artifacts.validate("artifacts")
}

// Validate reports the first cap of a run that cannot work, by its name.
func (r Run) Validate() error {
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"time", r.Time}, {"call time", r.CallTime}} {
		if d.value <= 0 || d.value > maxTime {
			return fault.New(fault.ArgsInvalid, "the limit on a run's %s is %v; give more than 0 and at most %v", d.name, d.value, maxTime)
		}
	}
	if r.Memory < minMemory || r.Memory > maxMemory {
		return fault.New(fault.ArgsInvalid, "the limit on a run's memory is %d bytes; give %d to %d", r.Memory, minMemory, int64(maxMemory))
	}
	return within("the limit on a run's ", []bound{
		{"calls", int64(r.Calls), maxCount},
		{"calls in flight", int64(r.InFlight), maxCount},
		{"kept output", r.OutputKept, maxSize},
		{"output", r.OutputTotal, maxSize},
		{"value", r.Value, maxSize},
		{"answers", r.Answer, maxSize},
		{"arguments", r.Args, maxSize},
		{"code", r.Code, maxSize},
		{"inputs", r.Inputs, maxSize},
	})
}

func (s Store) validate(name string) error {
	if !s.Enabled {
		return nil
	}
	if err := within("the "+name+" limit on ", []bound{
		{"entries", int64(s.Entries), maxCount},
		{"total bytes", s.Total, maxTotal},
		{"bytes per entry", s.Entry, maxSize},
	}); err != nil {
		return err
	}
	if s.TTL <= 0 || s.TTL > maxTTL {
		return fault.New(fault.ArgsInvalid, "the %s limit on time to live is %v; give more than 0 and at most %v", name, s.TTL, maxTTL)
	}
	return nil
}

// bound is a cap with the most that it may be.
type bound struct {
	name        string
	value, most int64
}

// within reports the first cap that is not from 1 to its most.
func within(what string, bounds []bound) error {
	for _, b := range bounds {
		if b.value <= 0 || b.value > b.most {
			return fault.New(fault.ArgsInvalid, "%s%s is %d; give 1 to %d", what, b.name, b.value, b.most)
		}
	}
	return nil
}
