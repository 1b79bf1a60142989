package discover

import (
	"fmt"
	"strconv"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
)

// Bounds of a detailed rendering.
const (
	maxSheet      = 16 << 10 // bytes
	maxFieldDepth = 5        // objects within objects
	maxLooks      = 4096     // schemas that are searched for objects
	manyChoices   = 64       // values of an enum
	longLiteral   = 120      // bytes of a value
)

// brief is one line of a list.
func brief(d Description) string {
	line := "- " + code(d.Call)
	if d.Summary != "" {
		line += ": " + d.Summary
	}
	if len(d.Names) > 0 {
		line += " (" + code(d.ID) + ")"
	}
	return line
}

// detailed shows all that a caller needs.
func detailed(d Description) string {
	s := newSheet(d.Source)
	s.head(d)
	s.line("")
	s.arguments(d.Source)
	s.line("")
	s.answer(d.Source.Output)
	return s.String()
}

// full is detailed with the schemas themselves.
func full(d Description) string {
	text := detailed(d)
	for _, part := range []struct {
		title  string
		schema canon.Value
	}{{"Schema of the arguments", d.Source.Input}, {"Schema of the answer", d.Source.Output}} {
		if !part.schema.IsNull() {
			// Canonical JSON is one line, so nothing in it ends the block.
			text += "\n\n" + part.title + ":\n\n```json\n" + string(part.schema.Bytes()) + "\n```"
		}
	}
	return text
}

// sheet is a text under construction that stops to grow at a size.
type sheet struct {
	text     strings.Builder
	types    *typist
	expanded map[string]bool // references whose members are shown already
	looks    int             // schemas that were searched for objects
	full     bool
}

func newSheet(d capability.Descriptor) *sheet {
	return &sheet{types: newSheetTypist(d.Input), expanded: make(map[string]bool)}
}

func newSheetTypist(root canon.Value) *typist {
	return &typist{schemas: newSchemas(root), choices: manyChoices, literal: longLiteral, words: 8 * maxTypes}
}

// String returns the text without the line end at its end.
func (s *sheet) String() string { return strings.TrimRight(s.text.String(), "\n") }

// line adds a line, or once "…" in place of the first that does not fit.
func (s *sheet) line(line string) {
	if s.full {
		return
	}
	if s.text.Len()+len(line) > maxSheet {
		s.full = true
		line = "…"
	}
	s.text.WriteString(line + "\n")
}

func (s *sheet) head(d Description) {
	head := "### " + code(d.ID)
	if title := prose(d.Source.Title, maxLabel); title != "" {
		head += ": " + title
	}
	s.line(head)
	if text := prose(d.Source.Description[:min(len(d.Source.Description), maxRead)], maxProse); text != "" {
		s.line("")
		s.line("> " + text) // quoted: no line of ours
	}
	s.line("")
	call := "Call: " + code(d.Call)
	if len(d.Names) > 1 {
		call += "; also " + code(d.Names[1])
	}
	if len(d.Names) > 0 {
		call += fmt.Sprintf("; by id: %s", code("await call_tool("+strconv.Quote(d.ID)+", {...})"))
	}
	s.line(call)
	if len(d.Tags) > 0 {
		s.line("")
		s.line("Tags: " + strings.Join(d.Tags, ", "))
	}
}

func (s *sheet) arguments(d capability.Descriptor) {
	schema, _ := s.types.resolve(s.types.root)
	fields := s.types.fields(schema)
	switch {
	case d.Input.Len() > maxSchema:
		s.line(fmt.Sprintf("Arguments: not shown, the schema has %d bytes.", d.Input.Len()))
	case len(fields) == 0 && takesAnything(schema):
		s.line("Arguments: an object; the schema does not name them.")
	case len(fields) == 0:
		s.line("Arguments: none.")
	default:
		s.line("Arguments:")
		s.fields(fields, 0)
	}
}

func (s *sheet) answer(schema canon.Value) {
	switch {
	case schema.IsNull():
		s.line("Answer: not declared; look at one before relying on its shape.")
		return
	case schema.Len() > maxSchema:
		s.line(fmt.Sprintf("Answer: not shown, the schema has %d bytes.", schema.Len()))
		return
	}
	s.types = newSheetTypist(schema)
	s.expanded = make(map[string]bool)
	line := "Answer: " + code(s.types.name(schema, 0))
	if remark, ok := s.types.said(schema, "description"); ok {
		text, _ := remark.Text()
		line += ": " + prose(text, maxRemark)
	}
	s.line(line)
	s.members(schema, 0)
}
