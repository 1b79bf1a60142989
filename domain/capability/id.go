// Package capability describes what a snippet can call, and under which names.
//
// Every capability has a canonical id, "kind:namespace/name", which always
// works and is what policy matches. Friendly names exist where they are
// unambiguous: a name that two capabilities want goes to neither, one that
// would hide a reserved name or a builtin is withheld, and each such decision
// is reported.
package capability

import (
	"strings"
	"unicode"

	"toolplane/domain/fault"
)

// Kind is where a capability comes from.
type Kind uint8

// The kinds; the set is closed.
const (
	Host      Kind = iota + 1 // a function of the embedding program
	MCP                       // a tool of an upstream MCP server
	CLI                       // an allow-listed binary
	Toolplane                 // this program itself
)

var kindNames = [...]string{"", "host", "mcp", "cli", "toolplane"}

// String returns the kind as it stands in ids.
func (k Kind) String() string { return kindNames[k] }

// ID is a canonical capability id. The zero ID names nothing.
type ID struct {
	kind      Kind
	namespace string
	name      string
}

// maxIDPart bounds the length of a namespace and of a name, in bytes.
const maxIDPart = 256

// NewID returns the id of a capability. Namespace and name must be 1 to 256
// bytes of printable text; a namespace holds no slash.
func NewID(kind Kind, namespace, name string) (ID, error) {
	if kind < Host || kind > Toolplane {
		return ID{}, fault.New(fault.ArgsInvalid, "a capability's kind is host, mcp, cli or toolplane")
	}
	if !validPart(namespace) || strings.Contains(namespace, "/") {
		return ID{}, fault.New(fault.ArgsInvalid, "%.80q cannot be a namespace: give 1 to %d printable characters without a slash", namespace, maxIDPart)
	}
	if !validPart(name) {
		return ID{}, fault.New(fault.ArgsInvalid, "%.80q cannot be a capability's name: give 1 to %d printable characters", name, maxIDPart)
	}
	return ID{kind: kind, namespace: namespace, name: name}, nil
}

func validPart(s string) bool {
	return s != "" && len(s) <= maxIDPart && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsPrint(r) || r == '\uFFFD'
	})
}

// ParseID reads a canonical id such as "mcp:linear/list_issues".
func ParseID(text string) (ID, error) {
	kindText, rest, ok := strings.Cut(text, ":")
	namespace, name, ok2 := strings.Cut(rest, "/")
	if ok && ok2 {
		for kind := Host; kind <= Toolplane; kind++ {
			if kindNames[kind] == kindText {
				return NewID(kind, namespace, name)
			}
		}
	}
	return ID{}, fault.New(fault.CapabilityUnknown, "%.120q is not a capability id; ids look like \"mcp:linear/list_issues\"", text)
}

// Kind returns where the capability comes from.
func (i ID) Kind() Kind { return i.kind }

// Namespace returns the source within the kind, such as the server's name.
func (i ID) Namespace() string { return i.namespace }

// Name returns the capability's name within its namespace.
func (i ID) Name() string { return i.name }

// IsZero reports whether the id names nothing.
func (i ID) IsZero() bool { return i.kind == 0 }

// String returns the id's text, "" for the zero ID.
func (i ID) String() string {
	if i.IsZero() {
		return ""
	}
	return i.kind.String() + ":" + i.namespace + "/" + i.name
}
