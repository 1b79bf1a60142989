package hostfuncs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// Add registers a typed function under a name.
//
// In is a struct or a map with string keys; its schema and the decoding follow
// encoding/json: field names from json tags, "omitempty" and "omitzero" for
// arguments that may be left out, a description from the tag `jsonschema:"…"`.
// Arguments that it does not name are refused. Numbers that end up in an
// interface arrive as json.Number, so that no digit is lost.
//
// What fn returns is encoded by encoding/json, with these exceptions: a []byte
// arrives in the snippet as bytes, a canon.Value and a run.Answer as they are.
// A whole float is an int in Python, because encoding/json writes it without a
// point.
//
// Add fails with args.invalid for a name that cannot be one or is taken, and
// for types that JSON Schema cannot describe: channels, functions, complex
// numbers, maps with other keys, and an In that refers to itself.
func Add[In, Out any](s *Source, name, description string, fn func(context.Context, In) (Out, error)) error {
	id, err := capability.NewID(capability.Host, s.namespace, name)
	if err != nil {
		return err
	}
	input, err := inputSchema(id, reflect.TypeFor[In]())
	if err != nil {
		return err
	}
	output, err := outputSchema(id, reflect.TypeFor[Out]())
	if err != nil {
		return err
	}
	raw := Raw{Name: name, Description: description, Input: input, Output: output}
	if fn != nil {
		raw.Call = func(ctx context.Context, args canon.Value) (run.Answer, error) {
			var in In
			if err := decode(id, args, &in); err != nil {
				return run.Answer{}, err
			}
			out, err := fn(ctx, in)
			if err != nil {
				return run.Answer{}, err
			}
			return encode(id, out)
		}
	}
	return s.AddRaw(raw)
}

// decode reads arguments into a parameter.
func decode(id capability.ID, args canon.Value, in any) error {
	data := args.Bytes()
	if args.IsNull() {
		data = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	d.DisallowUnknownFields()
	err := d.Decode(in)
	if err == nil {
		return nil
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		got, _, _ := strings.Cut(mismatch.Value, " ")
		if mismatch.Field == "" {
			return fault.Wrap(err, fault.ArgsInvalid, "%v: expected an object of arguments, got %s", id, got)
		}
		if digits, ok := strings.CutPrefix(mismatch.Value, "number "); ok && isWhole(mismatch.Type) && !strings.ContainsAny(digits, ".eE") {
			return fault.Wrap(err, fault.ArgsInvalid, "%v: argument %q: %.40s is out of range for %s of %d bits", id, mismatch.Field, digits, wholeWord(mismatch.Type), mismatch.Type.Bits())
		}
		return fault.Wrap(err, fault.ArgsInvalid, "%v: argument %q: expected %s, got %s", id, mismatch.Field, jsonWord(mismatch.Type), mismatch.Value)
	}
	// encoding/json has no type for this error, only its words.
	if _, field, ok := strings.Cut(err.Error(), "unknown field "); ok {
		return fault.Wrap(err, fault.ArgsInvalid, "%v: there is no argument %s", id, field)
	}
	return fault.Wrap(err, fault.ArgsInvalid, "%v: the arguments do not fit: %v", id, err)
}

func isWhole(t reflect.Type) bool {
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr
}

func wholeWord(t reflect.Type) string {
	if t.Kind() >= reflect.Uint {
		return "an integer from 0 up"
	}
	return "an integer"
}

// jsonWord returns what a Go type is called in JSON.
func jsonWord(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Map, reflect.Struct:
		return "object"
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return "integer"
	default:
		return "integer of " + t.Kind().String()
	}
}

// encode makes an answer of what a function returned.
func encode(id capability.ID, out any) (run.Answer, error) {
	switch out := out.(type) {
	case []byte:
		return run.Answer{Blobs: []run.Blob{{Data: out}}}, nil
	case canon.Value:
		return run.Answer{Value: out}, nil
	case run.Answer:
		return out, nil
	}
	var buffer bytes.Buffer
	e := json.NewEncoder(&buffer)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		return run.Answer{}, fault.Wrap(err, fault.ToolFailed, "%v answered with what JSON cannot hold: %v", id, err)
	}
	value, err := canon.Parse(buffer.Bytes())
	if err != nil {
		return run.Answer{}, fault.Wrap(err, fault.ToolFailed, "%v answered with what JSON cannot hold: %v", id, err)
	}
	return run.Answer{Value: value}, nil
}
