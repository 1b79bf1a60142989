package fakebox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Script is a Behaviour that reads the job's code line by line:
//
//	value JSON        becomes the value
//	print TEXT        prints a line to stdout
//	eprint TEXT       prints a line to stderr
//	input NAME        an input's value becomes the value
//	call NAME JSON    calls a binding or a capability; its answer becomes the value
//	gather N NAME JSON  the same, N times at once; the value is the list of answers
//	catch NAME JSON   the same as call; an error becomes the value, as "Type: message"
//	save JSON         saves a result; the answer becomes the value
//	keep TEXT         saves an artifact; the answer becomes the value
//	set NAME JSON     sets a global
//	get NAME          a global becomes the value, null if it is not set
//	note TEXT         leaves a note
//	raise TYPE TEXT   ends with an exception
//	loop              goes on until it is stopped
//	alloc N           ends with MemoryError if N bytes are more than the limit
//	trap              crashes
//
// Globals last as long as the run. Anything else ends with a SyntaxError.
func Script(ctx context.Context, job run.Job, bridge ports.Bridge) (run.Report, error) {
	s := &script{ctx: ctx, job: job, bridge: bridge, globals: map[string]canon.Value{}}
	for i, line := range strings.Split(job.Code, "\n") {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" {
			continue
		}
		if err := s.statement(word, rest); err != nil {
			return s.failed(err, i+1, line), nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return run.Report{Value: s.value, Notes: s.notes}, nil
}

type script struct {
	ctx     context.Context
	job     run.Job
	bridge  ports.Bridge
	globals map[string]canon.Value
	value   canon.Value
	notes   []run.Note
}

// exception is an error of the script's own.
type exception struct{ kind, message string }

func (e *exception) Error() string { return e.message }

func (s *script) failed(err error, line int, text string) run.Report {
	f := &run.Failure{Type: "Exception", Message: err.Error(), Line: line}
	if e, ok := errors.AsType[*exception](err); ok {
		f.Type = e.kind
	}
	if e, ok := errors.AsType[*fault.Fault](err); ok {
		f.Type, f.Code = e.Class().Builtin(), e.Code()
	}
	f.Traceback = fmt.Sprintf("line %d: %s\n%s: %s\n", line, text, f.Type, f.Message)
	return run.Report{Failure: f, Notes: s.notes}
}

func (s *script) statement(word, rest string) error {
	first, second, _ := strings.Cut(rest, " ")
	var err error
	switch word {
	case "value":
		s.value, err = canon.Parse([]byte(rest))
	case "print":
		err = s.bridge.Print(run.Stdout, []byte(rest+"\n"))
	case "eprint":
		err = s.bridge.Print(run.Stderr, []byte(rest+"\n"))
	case "input":
		s.value, _ = s.job.Inputs.Member(rest)
	case "call":
		s.value, err = s.call(s.named(first), second, run.Payload{})
	case "gather":
		err = s.gather(first, second)
	case "catch":
		err = s.catch(first, second)
	case "save":
		err = s.save(rest)
	case "keep":
		s.value, err = s.call("toolplane:artifacts/save", "{}", run.Bytes([]byte(rest)))
	case "set":
		s.globals[first], err = canon.Parse([]byte(second))
	case "get":
		s.value = s.globals[rest]
	case "note":
		s.notes = append(s.notes, run.Note{Text: rest})
	case "raise":
		return &exception{kind: first, message: second}
	case "loop":
		<-s.ctx.Done()
	case "alloc":
		return s.alloc(rest)
	case "trap":
		panic("trap")
	default:
		return &exception{kind: "SyntaxError", message: "no such statement: " + word}
	}
	return err
}

// named resolves a binding.
func (s *script) named(name string) string {
	for _, b := range s.job.Bindings {
		if b.Name == name {
			return b.ID
		}
	}
	return name
}

func (s *script) call(id, args string, p run.Payload) (canon.Value, error) {
	if args == "" {
		args = "{}"
	}
	v, err := canon.Parse([]byte(args))
	if err != nil {
		return canon.Value{}, err
	}
	answer, err := s.bridge.Call(s.ctx, run.Call{Name: id, Args: v, Payload: p})
	return answer.Value, err
}

func (s *script) save(value string) error {
	v, err := canon.Parse([]byte(value))
	if err != nil {
		return err
	}
	s.value, err = s.call("toolplane:results/save", "{}", run.Bytes(v.Bytes()))
	return err
}

func (s *script) catch(name, args string) error {
	v, err := s.call(s.named(name), args, run.Payload{})
	if f, ok := errors.AsType[*fault.Fault](err); ok {
		v, err = canon.Text(f.Class().Builtin() + ": " + f.Error())
	}
	s.value = v
	return err
}

func (s *script) gather(count, rest string) error {
	var n int
	if _, err := fmt.Sscan(count, &n); err != nil {
		return &exception{kind: "ValueError", message: "gather needs a number"}
	}
	name, args, _ := strings.Cut(rest, " ")
	values, errs := make([]canon.Value, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { values[i], errs[i] = s.call(s.named(name), args, run.Payload{}) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var e canon.Encoder
	_ = e.BeginArray() // errors stick: Value returns the first
	for _, v := range values {
		_ = e.Embed(v)
	}
	_ = e.EndArray()
	var err error
	s.value, err = e.Value()
	return err
}

func (s *script) alloc(size string) error {
	var n int64
	if _, err := fmt.Sscan(size, &n); err != nil {
		return &exception{kind: "ValueError", message: "alloc needs a number"}
	}
	if n > s.job.Limits.Memory {
		return &exception{kind: "MemoryError"}
	}
	return nil
}
