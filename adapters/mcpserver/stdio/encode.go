package stdio

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
)

// encode writes an answer as one line. The id is the client's own, digit for
// digit.
func encode(id []byte, response mcp.JSONRPCMessage, refused *refusal) ([]byte, error) {
	switch r := response.(type) {
	case mcp.JSONRPCResponse:
		return envelop(id, "result", r.Result)
	case mcp.JSONRPCError:
		if refused != nil {
			return failure(id, refused.code, refused.message, refused.data), nil
		}
		return failure(id, r.Error.Code, r.Error.Message, r.Error.Data), nil
	default:
		return nil, errors.New("there is no answer")
	}
}

// failure is the answer that says that a request failed. The id nil stands for
// one that is not known.
func failure(id []byte, code int, text string, data any) []byte {
	type failed struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}
	line, err := envelop(id, "error", failed{Code: code, Message: text, Data: data})
	if err != nil { // the data is no JSON; the rest is
		line, _ = envelop(id, "error", failed{Code: code, Message: text})
	}
	return line
}

func envelop(id []byte, member string, content any) ([]byte, error) {
	if id == nil {
		id = []byte("null")
	}
	var line bytes.Buffer
	line.WriteString(`{"jsonrpc":"2.0","id":`)
	line.Write(id)
	line.WriteString(`,"` + member + `":`)
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(content); err != nil {
		return nil, err
	}
	line.Truncate(line.Len() - 1) // its line break
	line.WriteString("}\n")
	return line.Bytes(), nil
}
