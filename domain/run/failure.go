package run

import "toolplane/domain/fault"

// Failure is why a snippet did not end well, as its author should see it.
type Failure struct {
	Type      string     // the Python exception type, such as "ValueError"
	Message   string     // what str() of the exception gives
	Traceback string     // the author's frames only; "" where there is none
	Line      int        // the author's line, counted from 1; 0 where unknown
	Code      fault.Code // set when the host raised it; "" for the snippet's own exceptions
}

// Stopped reports whether the run was ended from outside the snippet: by a
// limit, by its client, or by a trap of the sandbox.
func (f *Failure) Stopped() bool {
	if f == nil {
		return false
	}
	switch f.Code {
	case fault.RunTimeout, fault.RunCancelled, fault.RunCrashed, fault.OutputTooLarge:
		return true
	default:
		return false
	}
}

// Stop returns the failure of a run that was ended from outside, from the fault
// that ended it.
func Stop(f *fault.Fault) *Failure {
	return &Failure{Type: f.Class().Builtin(), Message: f.Error(), Code: f.Code()}
}

// Note is something the client should know about a run that is not an error.
type Note struct {
	Path string // JSON path in the returned value, or ""
	Text string
}

// String joins path and text.
func (n Note) String() string {
	if n.Path == "" {
		return n.Text
	}
	return n.Path + ": " + n.Text
}
