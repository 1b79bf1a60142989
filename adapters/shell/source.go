package shell

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"toolplane/domain/limit"
)

// snippet is one program to be run and the name that tracebacks show.
type snippet struct {
	name string
	code string
}

// standardInput is what stands for it among files and inputs.
const standardInput = "-"

// checkSources refuses command lines that give no snippet, or none that could
// be read.
func checkSources(files, codes []string) error {
	switch {
	case len(codes) > 1:
		return errors.New("-c is given twice; use it once, or put the snippets into files")
	case len(codes) == 0 && len(files) == 0:
		return errors.New("nothing to run: give a FILE, - for standard input, or -c CODE")
	case len(codes) > 0 && len(files) > 0:
		return fmt.Errorf("-c and %s both give code; use one of them", files[0])
	}
	from := slices.Index(files, standardInput)
	if from >= 0 && slices.Contains(files[from+1:], standardInput) {
		return errors.New("- is given twice, but standard input can be read once")
	}
	return nil
}

// readSources reads every snippet, so that a misspelt name is found before
// anything runs.
func readSources(files, codes []string, stdin io.Reader, most int64) ([]snippet, error) {
	if len(codes) > 0 {
		if int64(len(codes[0])) > most {
			return nil, codeTooLarge("-c", most)
		}
		// Not Python's <string>: exec and dataclasses call their own code that.
		return []snippet{{name: "<snippet>", code: codes[0]}}, nil
	}
	snippets := make([]snippet, 0, len(files))
	for _, file := range files {
		s, err := readSource(file, stdin, most)
		if err != nil {
			return nil, err
		}
		snippets = append(snippets, s)
	}
	return snippets, nil
}

func readSource(file string, stdin io.Reader, most int64) (snippet, error) {
	var data []byte
	var err error
	name := file
	if file == standardInput {
		name = "<stdin>"
		data, err = readAll(stdin, most)
		if err != nil && !errors.Is(err, errTooLarge) {
			err = fmt.Errorf("standard input: %w", reason(err))
		}
	} else {
		data, err = readFile(file, most)
	}
	if errors.Is(err, errTooLarge) {
		return snippet{}, codeTooLarge(name, most)
	}
	if err != nil {
		return snippet{}, err
	}
	if at, bad := invalidUTF8(data); bad {
		return snippet{}, fmt.Errorf("%s is not UTF-8 text: byte %#02x at offset %d; save it as UTF-8", name, data[at], at)
	}
	return snippet{name: name, code: string(data)}, nil
}

func codeTooLarge(name string, most int64) error {
	return fmt.Errorf("%s is larger than the %s that a snippet may have; pass data with --input", name, limit.Size(most))
}
