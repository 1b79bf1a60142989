// Package run describes one snippet's execution, from what was asked to what
// came of it.
//
// A Request is what a client asks for, a Job is what a sandbox is given, a
// Report is what a sandbox says, an Outcome is what the client gets. In between
// a snippet makes Calls and gets Answers. Handles, sizes, counts and durations
// in an Outcome come from host records, never from the sandbox's word.
package run

import (
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/limit"
)

// Request is what a client asks to be run.
type Request struct {
	Code     string        // Python source, UTF-8
	File     string        // the name that tracebacks show; "" means "<snippet>"
	Inputs   canon.Value   // an object: each member is a global of the run; the zero Value is none
	Previous canon.Value   // what `previous` is bound to; the zero Value is None
	Timeout  time.Duration // shortens the configured limit on the run; 0 keeps it
	Backend  string        // the sandbox to use by name; "" means the default one
	Output   Output        // sees what is printed as it comes; nil sees nothing
}

// Output receives what a snippet prints, in order and while it runs, by one call at
// a time. The run waits for it at its end, if its context does not end before, and
// not meanwhile: what it has not taken yet waits, up to the limit on output. It must
// not keep text.
type Output func(stream Stream, text []byte)

// Stream is one of the two streams that a snippet prints to.
type Stream uint8

// The streams.
const (
	Stdout Stream = 1
	Stderr Stream = 2
)

// Job is what a sandbox is given: a request made complete.
type Job struct {
	Code     string
	File     string
	Inputs   canon.Value // an object, or null for none
	Bindings []Binding   // the friendly names that this snippet may mention
	Helpers  []string    // optional helpers that exist in this run, such as "cli_run"
	Limits   limit.Run
}

// Binding makes a capability callable under a friendly name, flat
// ("linear_list_issues") or scoped ("linear.list_issues").
type Binding struct {
	Name string
	ID   string // canonical, such as "mcp:linear/list_issues"
}

// Report is what a sandbox says of a job that it carried out, whether the
// snippet ended well or not.
type Report struct {
	Value   canon.Value // null unless the snippet ended with a value
	Failure *Failure    // nil when the snippet ended well
	Notes   []Note
	Work    uint64 // work done, in the sandbox's own unit; 0 where it is not metered
}

// Outcome is what a client gets for its request.
type Outcome struct {
	Value     canon.Value
	Stdout    Text
	Stderr    Text
	Failure   *Failure // nil when all went well
	Notes     []Note
	Results   []Pointer
	Artifacts []Pointer
	Calls     int
	Duration  time.Duration
	Backend   string
	Work      uint64
}

// OK reports whether the snippet ended well.
func (o Outcome) OK() bool { return o.Failure == nil }
