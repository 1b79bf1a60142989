// Package handle names what the host keeps for a snippet.
//
// A handle is the sole authority over a result or an artifact, as a file
// descriptor is over a file: who knows it may read, nobody else can guess it.
// It is a prefix and 128 or more random bits in a URL-safe alphabet. The
// randomness is given by the caller; parsing checks the shape only. Formatted
// or logged, a handle hides everything but its kind; Reveal is the one way to
// its text.
package handle

import (
	"encoding/base64"
	"log/slog"
	"strings"
	"unicode/utf8"

	"toolplane/domain/fault"
)

// Kind tells results from artifacts.
type Kind uint8

// The kinds; the zero Kind belongs to the zero Handle only.
const (
	None     Kind = iota
	Result        // JSON kept in memory, "res_…"
	Artifact      // bytes kept on disk, "art_…"
)

// Size is the number of random bytes that Mint needs.
const Size = 18

// encodedSize is the length of Size bytes in unpadded base64.
const encodedSize = 24

// Prefix returns the text that every handle of this kind starts with.
func (k Kind) Prefix() string {
	return [...]string{"", "res_", "art_"}[k]
}

// String returns "result", "artifact" or "".
func (k Kind) String() string {
	return [...]string{"", "result", "artifact"}[k]
}

// Handle is one unguessable name. The zero Handle names nothing.
type Handle struct {
	kind Kind
	text string
}

var _ slog.LogValuer = Handle{}

// Mint makes a handle of the given kind from random bytes, which must come from
// a cryptographic source and must not be used again.
func Mint(kind Kind, random [Size]byte) Handle {
	return Handle{kind: kind, text: kind.Prefix() + base64.RawURLEncoding.EncodeToString(random[:])}
}

// Parse reads a handle of the given kind. Whatever has not the exact shape of
// such a handle cannot name anything: the fault is the one of an unknown handle
// and quotes at most the first 64 characters of what was given.
func Parse(kind Kind, text string) (Handle, error) {
	body, ok := strings.CutPrefix(text, kind.Prefix())
	if !ok || len(body) != encodedSize || strings.ContainsFunc(body, outsideAlphabet) {
		return Handle{}, Unknown(kind, text)
	}
	return Handle{kind: kind, text: text}, nil
}

func outsideAlphabet(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	return !letter && (r < '0' || r > '9') && r != '-' && r != '_'
}

// Unknown is the fault for a handle that names nothing alive. An expired handle
// gets the same one, so that nothing can be learned from the difference.
func Unknown(kind Kind, text string) *fault.Fault {
	code := fault.ResultUnknown
	if kind == Artifact {
		code = fault.ArtifactUnknown
	}
	const most = 64
	shown := text[:min(len(text), most*utf8.UTFMax)] // a text may be very long
	if r := []rune(shown); len(r) > most || len(shown) < len(text) {
		text = string(r[:most]) + "…"
	}
	return fault.New(code, "unknown or expired %s handle %s", kind, text)
}

// Kind returns what the handle names.
func (h Handle) Kind() Kind { return h.kind }

// IsZero reports whether the handle names nothing.
func (h Handle) IsZero() bool { return h.kind == None }

// Reveal returns the handle's text, for those who hold the authority anyway:
// the snippet that saved, its outcome, and the resource that serves it.
func (h Handle) Reveal() string { return h.text }

// String hides the handle's text: "res_…".
func (h Handle) String() string {
	if h.IsZero() {
		return "no handle"
	}
	return h.kind.Prefix() + "…"
}

// GoString hides the handle's text as String does.
func (h Handle) GoString() string { return h.String() }

// LogValue hides the handle's text as String does.
func (h Handle) LogValue() slog.Value { return slog.StringValue(h.String()) }
