package ports

import "toolplane/domain/canon"

// Validator checks arguments against JSON Schemas.
//
// Compile prepares a schema; a schema that it cannot use is an error, and the
// capability is then called unchecked. The check that it returns gives nil for
// arguments that fit, and else a fault of code args.invalid that names the
// argument at fault. Both may be called concurrently.
type Validator interface {
	Compile(schema canon.Value) (check func(args canon.Value) error, err error)
}
