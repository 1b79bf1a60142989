package run

import (
	"toolplane/domain/canon"
	"toolplane/domain/handle"
)

// Call is one call of a capability by a snippet.
type Call struct {
	Name    string      // the canonical id, as the snippet gave it
	Args    canon.Value // an object
	Payload Payload     // what a save keeps, a result as the bytes of its JSON; the zero Payload otherwise
}

// Answer is what a capability answers with.
type Answer struct {
	Value canon.Value
	Text  bool   // Value is a tool's text rather than a JSON string
	Blobs []Blob // bytes that belong into Value
	Notes []Note // what the run's client should know of this answer
}

// Size returns the number of bytes in the answer: those of its value and of its
// blobs, or of the one blob that is all of it.
func (a Answer) Size() int64 {
	if len(a.Blobs) == 1 && len(a.Blobs[0].Path) == 0 {
		return int64(len(a.Blobs[0].Data))
	}
	size := int64(a.Value.Len())
	for _, b := range a.Blobs {
		size += int64(len(b.Data))
	}
	return size
}

// Blob is a byte string at a place in an answer's value; the value holds null
// there. No steps at all mean that the whole answer is these bytes.
type Blob struct {
	Path []Step
	Data []byte
}

// Step is one step of a blob's place: into a member of an object, or into an
// array.
type Step struct {
	Key   string
	Index int // used where Key is ""
}

// Payload is what a snippet gives to be kept: a JSON value or bytes. The zero
// Payload is neither.
type Payload struct {
	kind  payloadKind
	value canon.Value
	data  []byte
}

type payloadKind uint8

const (
	jsonPayload payloadKind = iota + 1
	bytesPayload
)

// JSON returns a payload that holds a value.
func JSON(v canon.Value) Payload { return Payload{kind: jsonPayload, value: v} }

// Bytes returns a payload that holds bytes. It does not copy them.
func Bytes(data []byte) Payload { return Payload{kind: bytesPayload, data: data} }

// IsZero reports whether the payload holds nothing.
func (p Payload) IsZero() bool { return p.kind == 0 }

// Value returns the JSON value, if that is what the payload holds.
func (p Payload) Value() (canon.Value, bool) { return p.value, p.kind == jsonPayload }

// Data returns the bytes that are kept: the payload's own, or the value's
// canonical JSON. They must not be modified.
func (p Payload) Data() []byte {
	if p.kind == jsonPayload {
		return p.value.Bytes()
	}
	return p.data
}

// Len returns the number of bytes that Data returns.
func (p Payload) Len() int64 { return int64(len(p.Data())) }

// Pointer tells a client what a run saved and how to get at it.
type Pointer struct {
	Handle    handle.Handle
	Label     string
	Bytes     int64
	Filename  string // artifacts only
	MediaType string // artifacts only
}

// URI returns the address of the MCP resource that serves what the pointer
// points to.
func (p Pointer) URI() string {
	if p.Handle.Kind() == handle.Artifact {
		return "toolplane://artifacts/" + p.Handle.Reveal()
	}
	return "toolplane://results/" + p.Handle.Reveal()
}

// Kept is something that was saved, with what is known of it.
type Kept struct {
	Pointer
	Payload Payload
}
