// Package discover finds and describes capabilities for a model that has never
// seen them.
//
// An Index ranks them by a query; a Description shows one as much as was asked
// for, with the exact shape of the call in Python. Names, descriptions and
// schemas come from outside: what is shown of them is truncated and escaped, so
// that a tool's text cannot pose as ours.
package discover

import (
	"toolplane/domain/capability"
	"toolplane/domain/fault"
)

// Detail is how much of a capability is shown.
type Detail uint8

// The details.
const (
	Brief    Detail = iota // one line: call shape and the description's first sentence
	Detailed               // arguments with types and descriptions, and the answer
	Full                   // the schemas, byte for byte
)

// Query is what a client looks for.
type Query struct {
	Text   string   // words; without any, as "" or "*", everything is listed
	Tags   []string // a capability must have all of them
	Detail Detail
	Limit  int // at most so many hits; 0 means 20
}

// What a query may hold at most, and how many hits it gets by itself.
const (
	MaxQuery     = 4096 // bytes of its text
	MaxTags      = 32   // tags
	DefaultLimit = 20   // hits
)

// Validate reports what of a query cannot be answered, as a fault of code
// args.invalid.
func (q Query) Validate() error {
	switch {
	case q.Limit < 0:
		return fault.New(fault.ArgsInvalid, "the limit is %d; give more than 0, or nothing for %d", q.Limit, DefaultLimit)
	case len(q.Text) > MaxQuery:
		return fault.New(fault.ArgsInvalid, "the query has %d bytes, the limit is %d; a few words find more", len(q.Text), MaxQuery)
	case len(q.Tags) > MaxTags:
		return fault.New(fault.ArgsInvalid, "the query names %d tags, the limit is %d", len(q.Tags), MaxTags)
	case q.Detail > Full:
		return fault.New(fault.ArgsInvalid, "there is no such detail; give brief, detailed or full")
	}
	return nil
}

// Page is what was found, best first.
type Page struct {
	Hits  []Description
	Total int // how many match in all
}

// Description is one capability as a client sees it, or the answer that a name
// has none.
type Description struct {
	ID      string
	Names   []string // friendly names, the one to prefer first
	Call    string   // the call's shape in Python
	Summary string   // first sentence of the description, escaped
	Text    string   // Markdown: the rendering in the detail asked for
	Tags    []string // escaped
	Unknown bool     // no capability has this name
	Near    []string // ids that come near an unknown name

	Source capability.Descriptor // what it was made from; zero when unknown
}
