// Package argcheck checks the arguments of calls against JSON Schema.
//
// What schemas of tools consist of nearly always (types, properties, required,
// enum, bounds, patterns, items, unions, references) is checked right on the
// canonical bytes, with messages of our own that name the argument. Keywords
// beyond that are decided by github.com/google/jsonschema-go, after the check
// of our own has passed. Drafts 2020-12, 2019-09, 07 and 06 are read, and
// schemas that do not say.
//
// Schemas come from outside. A check does a bounded amount of work whatever
// they say; where that is not enough, the arguments pass and the tool itself
// has to refuse them. A pattern that Go's regexp does not know is not checked.
package argcheck

import (
	"slices"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/ports"
)

// Checker makes checks from schemas. The zero Checker is ready, and may be used
// concurrently.
type Checker struct{}

var _ ports.Validator = Checker{}

// Compile prepares a schema. The check that it returns may be used
// concurrently. A schema that is broken or too large, refers to something outside
// of itself or to itself in a circle is an error.
func (Checker) Compile(schema canon.Value) (func(args canon.Value) error, error) {
	root, rare, err := compile(schema)
	if err != nil {
		return nil, err
	}
	var full *library
	if rare != "" {
		full, _ = newLibrary(schema) // what it cannot decide passes
	}
	return func(args canon.Value) error {
		c := check{work: maxWork}
		if p := c.value(root, args, 0); p != nil {
			return p.fault()
		}
		if full == nil || c.spent() {
			return nil
		}
		e := estimate{work: maxWork}
		if !e.visit(root, args, 0) {
			return nil
		}
		if plain := e.plain(args); e.spent() || full.fits(plain) {
			return nil
		}
		return fault.New(fault.ArgsInvalid, "the arguments do not fit the schema: its condition %q does not hold", rare)
	}, nil
}

// problem is why a value does not fit, and where.
type problem struct {
	steps    []string      // from the inside out, such as `[2]` or `.tags`
	say      func() string // what is wrong; most problems are never told
	kind     problemKind
	expected types // of a wrong type, those that are allowed
}

type problemKind uint8

const (
	other      problemKind = iota
	wrongType              // the value is of another type than all that are allowed
	missing                // a member that must be there; its name is what is said
	unexpected             // a member that may not be there; its name and a hint are
)

// in adds a step to a problem's place.
func (p *problem) in(step string) *problem {
	p.steps = append(p.steps, step)
	return p
}

func (p *problem) fault() error {
	if len(p.steps) > 0 {
		return fault.New(fault.ArgsInvalid, "argument \"%.200s\": %s", p.place(), p.sentence("member"))
	}
	if p.kind == missing || p.kind == unexpected {
		return fault.New(fault.ArgsInvalid, "%s", p.sentence("argument"))
	}
	return fault.New(fault.ArgsInvalid, "the arguments: %s", p.say())
}

// place returns where the problem is, such as "filter.tags[2]".
func (p *problem) place() string {
	var place strings.Builder
	for _, step := range slices.Backward(p.steps) {
		place.WriteString(step)
	}
	return strings.TrimPrefix(place.String(), ".")
}

// sentence says what is wrong; what is missing or unexpected is called by the
// given noun.
func (p *problem) sentence(noun string) string {
	switch p.kind {
	case missing:
		return "missing " + noun + " " + p.say()
	case unexpected:
		return "unexpected " + noun + " " + p.say()
	default:
		return p.say()
	}
}
