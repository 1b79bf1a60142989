package stdio

import (
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

// The codes of JSON-RPC that this package answers with, and one of the range
// that is left to servers.
const (
	codeParse    = mcp.PARSE_ERROR
	codeInvalid  = mcp.INVALID_REQUEST
	codeParams   = mcp.INVALID_PARAMS
	codeInternal = mcp.INTERNAL_ERROR
	codeBusy     = -32050
)

// message is one message of the client, or a batch of them.
type message struct {
	whole     canon.Value
	batch     bool   // whole is an array of messages; nothing else is set
	id        []byte // canonical JSON; nil for a notification
	method    string // "" for a response
	params    canon.Value
	arguments canon.Value // of a tool call
}

// malformed is why a line is no message, with the id that the answer carries.
type malformed struct {
	id   []byte // nil where there is none
	code int
	text string
}

// parse reads one line, strictly: what JSON-RPC or canonical JSON has no place
// for is refused by name instead of being bent.
func parse(l line, limit int) (message, *malformed) {
	if l.tooLong() {
		return message{}, &malformed{
			id: canonicalID(l.id), code: codeInvalid,
			text: fmt.Sprintf("the message has %d bytes, the limit is %d; send less, or have a snippet fetch the data and save it", l.size, limit),
		}
	}
	whole, err := canon.Parse(l.text)
	if err != nil {
		var found idScanner
		found.scan(l.text)
		code := codeInvalid
		if fault.CodeOf(err) == fault.JSONSyntax {
			code = codeParse
		}
		return message{}, &malformed{id: canonicalID(found.id), code: code, text: "not a message: " + err.Error()}
	}
	return envelope(whole)
}

func envelope(whole canon.Value) (message, *malformed) {
	if whole.Kind() == canon.KindArray {
		if whole.Len() == len("[]") {
			return message{}, &malformed{code: codeInvalid, text: "an empty batch; a batch has messages"}
		}
		return message{whole: whole, batch: true}, nil
	}
	m := message{whole: whole}
	method, _ := whole.Member("method")
	m.method, _ = method.Text()
	m.params, _ = whole.Member("params")
	id, hasID := whole.Member("id")
	if hasID {
		if !isID(id.Bytes()) {
			return message{}, &malformed{code: codeInvalid, text: fmt.Sprintf("the id of a request is a number or a string of at most %d bytes", maxID)}
		}
		m.id = id.Bytes()
	}
	if m.method == "" {
		_, result := whole.Member("result")
		_, failed := whole.Member("error")
		if !result && !failed {
			return message{}, &malformed{id: m.id, code: codeInvalid, text: "a message has a method, a result or an error"}
		}
	}
	if kind := m.params.Kind(); m.id != nil && m.method != "" && kind != canon.KindObject && !m.params.IsNull() {
		return message{}, &malformed{id: m.id, code: codeParams, text: fmt.Sprintf("params: expected an object, got %v", kind)}
	}
	if m.method == string(mcp.MethodToolsCall) {
		m.arguments, _ = m.params.Member("arguments")
	}
	return m, nil
}

// canonicalID returns an id as it is sent back, nil for none.
func canonicalID(id []byte) []byte {
	v, err := canon.Parse(id)
	if err != nil {
		return nil
	}
	return v.Bytes()
}

// forServer returns the message as mcp-go gets it: without a call's arguments,
// which it would decode several times over, into floats that lose digits.
func (m message) forServer() ([]byte, error) {
	if _, ok := m.params.Member("arguments"); !ok || m.method != string(mcp.MethodToolsCall) {
		return m.whole.Bytes(), nil
	}
	// An encoder keeps its first error until Value.
	enc := canon.NewEncoder(canon.Options{})
	_ = enc.BeginObject()
	for name, value := range m.whole.Members() {
		_ = enc.Key(name)
		if name != "params" {
			_ = enc.Embed(value)
			continue
		}
		_ = enc.BeginObject()
		for name, value := range m.params.Members() {
			if name != "arguments" {
				_ = enc.Key(name)
				_ = enc.Embed(value)
			}
		}
		_ = enc.EndObject()
	}
	_ = enc.EndObject()
	v, err := enc.Value()
	return v.Bytes(), err
}
