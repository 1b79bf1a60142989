package tomlconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"toolplane/domain/fault"
)

// Parse reads a configuration from the content of a file, whose name is for the
// messages. Every error is a fault of code args.invalid that begins with
// "name:line:column: ".
func Parse(name string, data []byte) (Config, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	d := document{name: name, data: data}
	if err := toml.Unmarshal(data, &d.tree); err != nil {
		return Config{}, d.syntax(err)
	}
	config := Defaults()
	entries, err := d.entries()
	if err != nil {
		return Config{}, d.syntax(err)
	}
	for _, e := range entries {
		if err := d.apply(&config, e); err != nil {
			return Config{}, err
		}
	}
	if err := config.Validate(); err != nil {
		return Config{}, d.blame(entries, err)
	}
	return config, nil
}

// document is a file that is being read.
type document struct {
	name string
	data []byte
	tree map[string]any
}

// apply takes one entry of the file into the configuration.
func (d *document) apply(config *Config, e entry) error {
	table := e.path[0]
	if !isTable(table) {
		return d.unknown(e, 0)
	}
	if len(e.path) == 1 {
		if e.kind != tableEntry {
			return d.fault(e, 0, "%q must be a table: write [%s] on a line of its own and the keys below it", table, table)
		}
		return nil
	}
	s := find(table, e.path[1])
	if s == nil {
		return d.unknown(e, 1)
	}
	value := lookup(d.tree, e.path[:2])
	checked := Defaults()
	if expected := assign(s.at(&checked), value); expected != "" {
		return d.fault(e, 1, "%s in [%s] must be %s, not %s", s.key, table, expected, kindOf(value))
	}
	// Alone among defaults, so that a fault is this entry's.
	if err := checked.validateEach(); err != nil {
		return d.fault(e, 1, "%s in [%s]: %v", s.key, table, err)
	}
	assign(s.at(config), value)
	return nil
}

// blame is the fault for settings that cannot work beside each other. It is that
// of the last entry without which they would.
func (d *document) blame(entries []entry, because error) error {
	for i, e := range slices.Backward(entries) {
		config := Defaults()
		for j, other := range entries {
			if i != j {
				_ = d.apply(&config, other) // it was applied before
			}
		}
		if len(e.path) > 1 && config.Validate() == nil {
			return d.fault(e, 1, "%s in [%s]: %v", e.path[1], e.path[0], because)
		}
	}
	return fmt.Errorf("%s: %w", d.name, because)
}

// lookup returns the value at a path that the document has.
func lookup(tree map[string]any, path []string) any {
	var at any = tree
	for _, key := range path {
		table, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = table[key]
	}
	return at
}

// kindOf names the type of a value as the file's author knows it.
func kindOf(value any) string {
	switch value.(type) {
	case bool:
		return "true or false"
	case string:
		return "text"
	case int64, float64:
		return fmt.Sprintf("the number %v", value)
	case map[string]any:
		return "a table"
	case []any:
		return "a list"
	}
	return "a date or time"
}

// fault is one about a part of an entry's path.
func (d *document) fault(e entry, part int, format string, args ...any) error {
	return d.at(e.offsets[part], fmt.Sprintf(format, args...))
}

// at is a fault at a place in the file. Columns count characters.
func (d *document) at(offset int, message string) error {
	before := d.data[:min(offset, len(d.data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fault.New(fault.ArgsInvalid, "%s:%d:%d: %s", d.name, line, column, message)
}

// syntax is the fault for what is no TOML.
func (d *document) syntax(err error) error {
	offset := 0
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		for ; line > 1; line-- {
			offset += bytes.IndexByte(d.data[offset:], '\n') + 1
		}
		offset += column - 1
	}
	return d.at(offset, sentence(strings.TrimPrefix(err.Error(), "toml: ")))
}
