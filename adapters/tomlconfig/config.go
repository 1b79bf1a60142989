// Package tomlconfig reads toolplane.toml.
//
// A file is taken whole or not at all: an unknown key, a value of the wrong type
// or out of bounds is a fault that names file, line, column and the way out. A
// configuration can start programs and spend secrets, so one that lies in the
// working directory, and may have come with a cloned repository, is used only
// once its user has trusted it, as it is and where it is.
package tomlconfig

import (
	"toolplane/domain/fault"
	"toolplane/domain/limit"
)

// Config is what a file says, with defaults for what it does not.
type Config struct {
	Path    string       // the file it came from; "" means that there is none
	Backend string       // the sandbox for runs that name none; "" means the program's own choice
	Caps    limit.Caps   // limits on runs, results and artifacts
	Facade  limit.Facade // limits on what a model sees over MCP
}

// Defaults returns the configuration that an empty file stands for.
func Defaults() Config {
	return Config{Caps: limit.Defaults(), Facade: limit.DefaultFacade()}
}

// maxBackend bounds the length of a backend's name, in bytes.
const maxBackend = 64

// Validate reports the first setting that cannot work, for itself or beside the
// others.
func (c Config) Validate() error {
	if err := c.validateEach(); err != nil {
		return err
	}
	return c.Caps.Validate()
}

// validateEach is Validate for each setting by itself.
func (c Config) validateEach() error {
	if len(c.Backend) > maxBackend {
		return fault.New(fault.ArgsInvalid, "the backend's name has %d bytes; give at most %d", len(c.Backend), maxBackend)
	}
	if err := c.Caps.ValidateEach(); err != nil {
		return err
	}
	return c.Facade.Validate()
}
