// Package hostfuncs offers Go functions of an embedding program as
// capabilities.
//
// Add registers a typed function: the JSON Schema of its arguments comes from
// its parameter's type, and what a snippet gives is decoded into that type.
// AddRaw registers one that works on JSON itself. A function runs in the
// goroutine of its caller and must return when its context ends. An error that
// it returns is the snippet's to catch, with its text; a panic is a defect of
// the program, and the snippet learns only that there was one.
package hostfuncs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Source is the functions of one namespace. Make it with New; it may be used
// concurrently, registration included.
type Source struct {
	namespace string

	mu    sync.RWMutex
	funcs []function // in the order of registration
	byID  map[capability.ID]int
}

type function struct {
	descriptor capability.Descriptor
	call       Func
}

// Func is a function that works on JSON: it gets an object of arguments.
type Func func(ctx context.Context, args canon.Value) (run.Answer, error)

// Raw describes a function for AddRaw.
type Raw struct {
	Name        string
	Title       string
	Description string
	Input       canon.Value // JSON Schema of the arguments; null for any
	Output      canon.Value // JSON Schema of the answer; null if unknown
	Tags        []string
	Call        Func
}

var _ ports.Source = (*Source)(nil)

// New returns a source without functions. Their ids are
// "host:namespace/name".
func New(namespace string) (*Source, error) {
	if _, err := capability.NewID(capability.Host, namespace, "x"); err != nil {
		return nil, err
	}
	return &Source{namespace: namespace, byID: make(map[capability.ID]int)}, nil
}

// AddRaw registers a function. It fails with args.invalid for a name that
// cannot be one or is taken, a schema that is no object, and a function that is
// nil.
func (s *Source) AddRaw(r Raw) error {
	id, err := capability.NewID(capability.Host, s.namespace, r.Name)
	if err != nil {
		return err
	}
	if r.Call == nil {
		return fault.New(fault.ArgsInvalid, "%v has no function to call", id)
	}
	for _, schema := range []canon.Value{r.Input, r.Output} {
		if !schema.IsNull() && schema.Kind() != canon.KindObject {
			return fault.New(fault.ArgsInvalid, "%v has a schema that is no object but %v", id, schema.Kind())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.byID[id]; taken {
		return fault.New(fault.ArgsInvalid, "%v is registered already; give the function another name", id)
	}
	s.byID[id] = len(s.funcs)
	s.funcs = append(s.funcs, function{
		descriptor: capability.Descriptor{
			ID: id, Title: r.Title, Description: r.Description,
			Input: r.Input, Output: r.Output, Tags: slices.Clone(r.Tags),
		},
		call: r.Call,
	})
	return nil
}

// Capabilities lists the functions in the order of their registration.
func (s *Source) Capabilities(context.Context) ([]capability.Descriptor, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]capability.Descriptor, len(s.funcs))
	for i, f := range s.funcs {
		list[i] = f.descriptor
		list[i].Tags = slices.Clone(f.descriptor.Tags)
	}
	return list, nil
}

// Call calls a function. What it returns as an error becomes tool.failed with
// the error's text, unless it is a fault or the end of ctx.
func (s *Source) Call(ctx context.Context, id capability.ID, args canon.Value) (run.Answer, error) {
	s.mu.RLock()
	i, ok := s.byID[id]
	var f function
	if ok {
		f = s.funcs[i]
	}
	s.mu.RUnlock()
	if !ok {
		return run.Answer{}, fault.New(fault.CapabilityUnknown, "%q is no function of this program", id)
	}
	if err := ctx.Err(); err != nil {
		return run.Answer{}, err
	}
	answer, err := protect(ctx, f, args)
	if err != nil {
		return run.Answer{}, classify(ctx, err)
	}
	return answer, nil
}

// protect calls a function and turns a panic into an error, whose text is for
// the log.
func protect(ctx context.Context, f function, args canon.Value) (answer run.Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicError{fmt.Errorf("%v panicked: %v\n%s", f.descriptor.ID, r, debug.Stack())}
		}
	}()
	return f.call(ctx, args)
}

// panicError is a panic of a function. It is not a fault, so that its text is
// kept from snippets.
type panicError struct{ error }

// maxMessage bounds the text of a function's error, in bytes.
const maxMessage = 8 << 10

// classify makes of a function's error what a snippet may see.
func classify(ctx context.Context, err error) error {
	var panicked *panicError
	var classified *fault.Fault
	if errors.As(err, &panicked) || errors.As(err, &classified) {
		return err
	}
	if ended := ctx.Err(); ended != nil && errors.Is(err, ended) {
		return ended
	}
	text := err.Error()
	if len(text) > maxMessage {
		text = text[:maxMessage] + "…"
	}
	return fault.Wrap(err, fault.ToolFailed, "%s", strings.ToValidUTF8(text, "\uFFFD"))
}
