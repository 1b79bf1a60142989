package hostfuncs

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// inputSchema returns the schema of a function's parameter.
func inputSchema(id capability.ID, in reflect.Type) (canon.Value, error) {
	isObject := in.Kind() == reflect.Struct || in.Kind() == reflect.Map && in.Key().Kind() == reflect.String
	if !isObject || in == reflect.TypeFor[canon.Value]() {
		return canon.Value{}, fault.New(fault.ArgsInvalid, "%v takes %v; a parameter is a struct or a map with string keys", id, in)
	}
	schemas, err := survey(id, in)
	if err != nil {
		return canon.Value{}, err
	}
	schema, err := jsonschema.ForType(in, &jsonschema.ForOptions{TypeSchemas: schemas})
	if err != nil {
		return canon.Value{}, fault.Wrap(err, fault.ArgsInvalid, "%v takes %v, which has no JSON Schema: %v", id, in, err)
	}
	return asValue(id, schema)
}

// outputSchema returns the schema of what a function returns, null where
// nothing can be said of it.
func outputSchema(id capability.ID, out reflect.Type) (canon.Value, error) {
	if out == reflect.TypeFor[run.Answer]() {
		return canon.Null(), nil
	}
	schemas, err := survey(id, out)
	if err != nil {
		return canon.Value{}, err
	}
	schema, err := jsonschema.ForType(out, &jsonschema.ForOptions{TypeSchemas: schemas})
	if err != nil {
		return canon.Null(), nil // a type that refers to itself: fine to return, hard to describe
	}
	return asValue(id, schema)
}

// anything returns the schema of a type whose JSON is not known. The library
// adds null to the types of a schema behind a pointer, so all types are listed
// until openUp takes the list away.
func anything() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"null", "boolean", "number", "string", "array", "object"}}
}

// openUp lets the parts of a schema that may be of any type say nothing.
func openUp(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if slices.Equal(schema.Types, anything().Types) {
		schema.Types = nil
	}
	for _, property := range schema.Properties {
		openUp(property)
	}
	openUp(schema.Items)
	openUp(schema.AdditionalProperties)
}

func asValue(id capability.ID, schema *jsonschema.Schema) (canon.Value, error) {
	openUp(schema)
	data, err := json.Marshal(schema)
	if err != nil {
		return canon.Value{}, fault.Wrap(err, fault.ArgsInvalid, "%v has a type whose schema is no JSON: %v", id, err)
	}
	value, err := canon.Parse(data)
	if err != nil {
		return canon.Value{}, fault.Wrap(err, fault.ArgsInvalid, "%v has a type whose schema is no JSON: %v", id, err)
	}
	if value.Kind() != canon.KindObject {
		return canon.Null(), nil // "true", which says nothing
	}
	return value, nil
}

// survey walks a type and returns the schemas of those types in it that do not
// look in JSON as they look in Go. It refuses types that JSON cannot hold.
func survey(id capability.ID, t reflect.Type) (map[reflect.Type]*jsonschema.Schema, error) {
	schemas := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[[]byte]():          {Type: "string", ContentEncoding: "base64"},
		reflect.TypeFor[canon.Value]():     anything(),
		reflect.TypeFor[json.RawMessage](): anything(),
		reflect.TypeFor[json.Number]():     {Type: "number"},
	}
	seen := make(map[reflect.Type]bool)
	var walk func(t reflect.Type) error
	walk = func(t reflect.Type) error {
		if seen[t] || schemas[t] != nil {
			return nil
		}
		seen[t] = true
		if special := specialSchema(t); special != nil {
			schemas[t] = special
			return nil
		}
		switch t.Kind() {
		case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
			return fault.New(fault.ArgsInvalid, "%v uses the type %v, which JSON cannot hold", id, t)
		case reflect.Map:
			if t.Key().Kind() != reflect.String {
				return fault.New(fault.ArgsInvalid, "%v uses the type %v: a map's keys must be strings", id, t)
			}
			return walk(t.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Array:
			return walk(t.Elem())
		case reflect.Struct:
			for field := range t.Fields() {
				if (field.IsExported() || field.Anonymous) && field.Tag.Get("json") != "-" {
					if err := walk(field.Type); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}
	return schemas, walk(t)
}

// specialSchema returns the schema of a type that writes or reads its JSON
// itself, or nil. Of its own JSON nothing is known; its text is a string.
func specialSchema(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return nil
	}
	implements := func(wanted ...reflect.Type) bool {
		for _, w := range wanted {
			if t.Implements(w) || reflect.PointerTo(t).Implements(w) {
				return true
			}
		}
		return false
	}
	switch {
	case t.PkgPath() == "time" && t.Name() == "Time":
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case implements(reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler]()):
		return anything()
	case implements(reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()):
		return &jsonschema.Schema{Type: "string"}
	}
	return nil
}
