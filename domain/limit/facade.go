package limit

import "toolplane/domain/fault"

// Facade bounds what a model sees of an outcome over MCP; the outcome itself
// holds more. Sizes are bytes.
type Facade struct {
	InlineValue  int64 // a larger value is stored and shown as a preview
	InlineOutput int64 // what is shown of stdout and of stderr, each
}

// DefaultFacade returns the bounds that hold where nothing else is said.
func DefaultFacade() Facade {
	return Facade{InlineValue: 32 * KiB, InlineOutput: 16 * KiB}
}

// maxInline keeps a reply, which holds a value twice and two streams, under what
// common clients take in one message.
const maxInline = 1 * MiB

// Validate reports the first bound that cannot work, by its name.
func (f Facade) Validate() error {
	for _, n := range []struct {
		name  string
		value int64
	}{{"values", f.InlineValue}, {"output", f.InlineOutput}} {
		if n.value <= 0 || n.value > maxInline {
			return fault.New(fault.ArgsInvalid, "the limit on inline %s is %d bytes; give 1 to %d", n.name, n.value, maxInline)
		}
	}
	return nil
}
