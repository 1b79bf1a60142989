package app

import (
	"log/slog"
	"sync"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/ports"
)

// checks prepares each schema once and keeps it.
type checks struct {
	validator ports.Validator
	log       *slog.Logger
	compiled  sync.Map // capability.ID → compiledCheck
}

// compiledCheck belongs to the schema it was made from: a source may come back
// with another one under the same id.
type compiledCheck struct {
	schema canon.Value
	check  func(canon.Value) error
}

// validate checks arguments against what the capability declares. A capability
// whose schema is missing or unusable is called unchecked.
func (c *checks) validate(d capability.Descriptor, args canon.Value) error {
	if d.Input.IsNull() {
		return nil
	}
	if found, ok := c.compiled.Load(d.ID); ok {
		if known := found.(compiledCheck); known.schema.Equal(d.Input) {
			return known.check(args)
		}
	}
	check, err := c.validator.Compile(d.Input)
	if err != nil {
		c.log.Warn("schema cannot be used; arguments go unchecked", "capability", d.ID.String(), "error", err)
		check = func(canon.Value) error { return nil }
	}
	c.compiled.Store(d.ID, compiledCheck{schema: d.Input, check: check})
	return check(args)
}
