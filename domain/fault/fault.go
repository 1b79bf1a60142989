// Package fault is the closed error taxonomy that every layer speaks.
//
// A fault has a class (what kind of thing went wrong, and which Python builtin
// a snippet catches it by), a stable code (what exactly), an optional JSON path
// and a message that names the thing, the limit and the way out. What a fault
// says is safe to show to a snippet or a client; a cause that is not is
// wrapped, never printed. As a log value a fault shows its class and code
// only, because messages may quote arguments and handles.
package fault

import (
	"errors"
	"fmt"
	"log/slog"
)

// Class is the kind of a fault. The zero Class is Internal, so that a fault
// nobody classified is treated as ours.
type Class uint8

// The classes; the set is closed.
const (
	Internal   Class = iota // a defect of this program
	Value                   // the value given is not acceptable
	Permission              // the caller may not do this
	Lookup                  // no such thing
	Timeout                 // it took too long, or was ended
	Tool                    // the tool itself failed
	Limit                   // a limit on the run is used up
)

// String returns the class's name, such as "value".
func (c Class) String() string {
	return [...]string{"internal", "value", "permission", "lookup", "timeout", "tool", "limit"}[c]
}

// Builtin returns the Python exception type by which a snippet catches faults
// of this class. Tool faults arrive as ToolError, a subclass of RuntimeError.
func (c Class) Builtin() string {
	return [...]string{
		"RuntimeError", "ValueError", "PermissionError", "LookupError", "TimeoutError", "ToolError", "RuntimeError",
	}[c]
}

// Fault is one classified error. Make it with New or Wrap.
type Fault struct {
	code    Code
	path    string
	message string
	cause   error
}

var (
	_ error          = (*Fault)(nil)
	_ slog.LogValuer = (*Fault)(nil)
)

// New returns a fault of the given code. The message is formatted as by
// fmt.Sprintf.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{code: code, message: fmt.Sprintf(format, args...)}
}

// Wrap is New with a cause that errors.Is and errors.As find; the cause's text
// is not part of the message.
func Wrap(cause error, code Code, format string, args ...any) *Fault {
	f := New(code, format, args...)
	f.cause = cause
	return f
}

// At is New for a fault that lies at a JSON path such as "$.rows[1]".
func At(code Code, path, format string, args ...any) *Fault {
	f := New(code, format, args...)
	f.path = path
	return f
}

// Code returns the fault's stable code.
func (f *Fault) Code() Code { return f.code }

// Class returns the class of the fault's code.
func (f *Fault) Class() Class { return f.code.Class() }

// Path returns the JSON path of what is at fault, or "".
func (f *Fault) Path() string { return f.path }

// Error returns the message, preceded by the path where there is one.
func (f *Fault) Error() string {
	if f.path == "" {
		return f.message
	}
	return f.path + ": " + f.message
}

// Unwrap returns the cause, or nil.
func (f *Fault) Unwrap() error { return f.cause }

// Is reports whether target is a fault of the same code, so that
// errors.Is(err, fault.New(code, "")) matches whatever the message says.
func (f *Fault) Is(target error) bool {
	t, ok := target.(*Fault)
	return ok && t.code == f.code
}

// LogValue shows class and code, never the message.
func (f *Fault) LogValue() slog.Value {
	return slog.GroupValue(slog.String("class", f.Class().String()), slog.String("code", string(f.code)))
}

// CodeOf returns the code of the first fault in err's chain, "" for nil and
// InternalError for any other error.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return f.code
	}
	return InternalError
}
