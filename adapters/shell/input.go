package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
)

// input is one --input as it stands on the command line.
type input struct {
	name string
	from string // a file's path, or - for standard input; "" when the text is given
	text string
}

// parseInputs reads the --input flags and refuses those that contradict each
// other or what is run.
func parseInputs(flags []string, codeFromStdin bool) ([]input, error) {
	inputs := make([]input, 0, len(flags))
	seen := make(map[string]bool, len(flags))
	stdinTaken := ""
	if codeFromStdin {
		stdinTaken = "the snippet"
	}
	for _, flag := range flags {
		name, rest, ok := strings.Cut(flag, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--input %.60q names no value; give name=value, name=@file or name=- for standard input", flag)
		}
		if seen[name] {
			return nil, fmt.Errorf("--input %s is given twice; every input needs a name of its own", name)
		}
		seen[name] = true
		in := input{name: name, text: rest}
		if path, isFile := strings.CutPrefix(rest, "@"); isFile {
			in.from = path
			if path == "" {
				return nil, fmt.Errorf("--input %s=@ names no file; give %s=@file", name, name)
			}
		} else if rest == standardInput {
			in.from = standardInput
		}
		if in.from == standardInput {
			if stdinTaken != "" {
				return nil, fmt.Errorf("--input %s reads standard input, but so does %s, and it can be read once; put one of them into a file", flag, stdinTaken)
			}
			stdinTaken = "--input " + flag
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// readInputs returns one object with every input's value, null when there are
// none: JSON where the text is JSON, else the text itself. What looks like JSON by
// its file's name or its first character but is not is worth a note.
func readInputs(inputs []input, stdin io.Reader, most int64, note func(string)) (canon.Value, error) {
	if len(inputs) == 0 {
		return canon.Value{}, nil
	}
	enc := canon.NewEncoder(canon.Options{MaxBytes: most, TooLarge: fault.ArgsTooLarge})
	_ = enc.BeginObject() // its errors are kept for Value
	left := most
	for _, in := range inputs {
		data, err := in.read(stdin, left)
		if errors.Is(err, errTooLarge) {
			return canon.Value{}, inputsTooLarge(in, most)
		}
		if err != nil {
			return canon.Value{}, err
		}
		left -= int64(len(data))
		value, err := in.value(data, note)
		if err != nil {
			return canon.Value{}, err
		}
		_ = enc.Key(in.name)
		_ = enc.Embed(value)
	}
	_ = enc.EndObject()
	object, err := enc.Value()
	if fault.CodeOf(err) == fault.ArgsTooLarge {
		return canon.Value{}, inputsTooLarge(inputs[len(inputs)-1], most)
	}
	if err != nil {
		return canon.Value{}, fmt.Errorf("--input: %w", err)
	}
	return object, nil
}

func (in input) read(stdin io.Reader, most int64) ([]byte, error) {
	switch in.from {
	case "":
		if int64(len(in.text)) > most {
			return nil, errTooLarge
		}
		return []byte(in.text), nil
	case standardInput:
		data, err := readAll(stdin, most)
		if err != nil && !errors.Is(err, errTooLarge) {
			err = fmt.Errorf("--input %s=-: standard input: %w", in.name, reason(err))
		}
		return data, err
	default:
		data, err := readFile(in.from, most)
		if err != nil && !errors.Is(err, errTooLarge) {
			err = fmt.Errorf("--input %s: %w", in.name, err)
		}
		return data, err
	}
}

// value reads JSON, or takes the bytes for text.
func (in input) value(data []byte, note func(string)) (canon.Value, error) {
	value, err := canon.Parse(data)
	if err == nil {
		return value, nil
	}
	if at, bad := invalidUTF8(data); bad {
		return canon.Value{}, fmt.Errorf("--input %s is neither JSON nor UTF-8 text: byte %#02x at offset %d", in.name, data[at], at)
	}
	if start := bytes.TrimLeft(data, " \t\r\n"); strings.HasSuffix(strings.ToLower(in.from), ".json") ||
		len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		note(fmt.Sprintf("--input %s is passed as text, because it is not valid JSON: %v", in.name, err))
	}
	return canon.Text(string(data))
}

func inputsTooLarge(in input, most int64) error {
	return fmt.Errorf("--input %s: the inputs are larger than the %s that they may have together; pass fewer or smaller ones", in.name, limit.Size(most))
}
