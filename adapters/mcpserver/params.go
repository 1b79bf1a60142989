package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolplane/adapters/mcpserver/stdio"
)

// sayWhatDoesNotFit replaces mcp-go's words for parameters that it cannot read,
// which are those of Go's decoders.
func (s *Server) sayWhatDoesNotFit(ctx context.Context, _ any, method mcp.MCPMethod, _ any, err error) {
	if _, ok := errors.AsType[*server.UnparsableMessageError](err); ok {
		text := fmt.Sprintf("the params do not fit %.60s", method)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			if field := fieldInJSON(wrong.Field); field != "params" { // where a decoder of mcp-go's own has lost the place
				text = fmt.Sprintf("%s: expected %s, got %s", field, kindInJSON(wrong.Type), valueInJSON(wrong.Value))
			}
		}
		_ = stdio.Refuse(ctx, mcp.INVALID_PARAMS, text, nil)
	}
	if _, ok := errors.AsType[base64.CorruptInputError](err); ok {
		_ = stdio.Refuse(ctx, mcp.INVALID_PARAMS, "params.cursor: it is none that this server gave; leave it out to begin anew", nil)
	}
}

// fieldInJSON returns encoding/json's path of a member without the Go types in
// it. The protocol begins no name with a capital letter.
func fieldInJSON(path string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(path, "."), func(name string) bool {
		return name == "" || 'A' <= name[0] && name[0] <= 'Z'
	}), ".")
}

// kindInJSON returns what JSON calls the values of a Go type.
func kindInJSON(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	default:
		return "number"
	}
}

// valueInJSON returns what JSON calls a value of encoding/json's naming, such as
// "bool" or "number 1.5".
func valueInJSON(value string) string {
	kind, _, _ := strings.Cut(value, " ")
	if kind == "bool" {
		return "boolean"
	}
	return kind
}
