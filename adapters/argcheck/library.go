package argcheck

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"

	"toolplane/domain/canon"
)

// library decides on whole schemas.
type library struct{ resolved *jsonschema.Resolved }

// newLibrary prepares a schema, which compile has found to be free of circles.
// Of the schema it passes on just what compile understood: the library matches
// keywords whatever their case, so it would follow a "$Ref" that compile took
// for an unknown keyword, and end the process by following it in a circle.
func newLibrary(schema canon.Value) (l *library, err error) {
	defer func() {
		if r := recover(); r != nil {
			l, err = nil, fmt.Errorf("the library gave up: %v", r)
		}
	}()
	version, _ := schema.Member("$schema")
	text, _ := version.Text()
	u := understood{root: schema, old: isOld(text)}
	copied, err := u.copied()
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(copied)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if u.old {
		s.Schema = "http://json-schema.org/draft-07/schema#"
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, err
	}
	return &library{resolved}, nil
}

// fits reports whether a plain value fits. Where the library cannot say, it
// does.
func (l *library) fits(v any) (fits bool) {
	defer func() {
		if recover() != nil {
			fits = true
		}
	}()
	return l.resolved.Validate(v) == nil
}
