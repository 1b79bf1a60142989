package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/domain/canon"
	"toolplane/domain/discover"
)

// Bounds on a question about capabilities.
const (
	maxHits    = 200
	maxAsked   = 50      // names at once
	maxSchemas = 1 << 20 // bytes of schemas in one answer
)

// capability is one capability as structured content.
type capability struct {
	ID           string          `json:"id"`
	Names        []string        `json:"names"`
	Call         string          `json:"call"`
	Summary      string          `json:"summary"`
	Tags         []string        `json:"tags"`
	Text         string          `json:"text,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
}

type searchAnswer struct {
	Total        int          `json:"total"`
	Capabilities []capability `json:"capabilities"`
	Notes        []string     `json:"notes"`
}

type describeAnswer struct {
	Capabilities []capability  `json:"capabilities"`
	Unknown      []unknownName `json:"unknown"`
	Notes        []string      `json:"notes"`
}

type unknownName struct {
	Name string   `json:"name"`
	Near []string `json:"near"`
}

// search is the tool search_capabilities.
func (s *Server) search(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args := readArguments(ctx, req, "query", "tags", "detail", "limit")
	query := discover.Query{
		Text: args.text("query", false), Tags: args.texts("tags", false, maxHits),
		Detail: args.detail(discover.Brief), Limit: args.whole("limit", 1, maxHits, discover.DefaultLimit),
	}
	if args.err != nil {
		return s.toolError(ctx, args.err)
	}
	page, err := s.deps.Catalog.Search(ctx, query)
	if err != nil {
		return s.toolError(ctx, err)
	}
	list := newListing(query.Detail)
	for _, hit := range page.Hits {
		list.add(hit)
	}
	switch more := page.Total - len(list.all); {
	case page.Total == 0:
		list.note(s.nothingFound(ctx, query))
	case more > 0:
		list.note(fmt.Sprintf("%d more match; narrow the query, or raise the limit", more))
	}
	return toolResult(searchAnswer{Total: page.Total, Capabilities: list.all, Notes: list.notes}, list.text(), false)
}

// nothingFound says why a search found nothing and what to do. Other words find
// nothing either where there is nothing to be found.
func (s *Server) nothingFound(ctx context.Context, query discover.Query) string {
	all, err := s.deps.Catalog.Search(ctx, discover.Query{Limit: 1})
	switch {
	case err == nil && all.Total == 0:
		return "no tool is connected: a snippet has Python's standard library, save_result and save_artifact, and the inputs you pass"
	case query.Text == "":
		return fmt.Sprintf("nothing has the tags %.200q; leave them out to list everything", query.Tags)
	case len(query.Tags) > 0:
		return fmt.Sprintf("nothing with the tags %.200q matches %.200q; use other words, or leave out the tags", query.Tags, query.Text)
	default:
		return fmt.Sprintf("nothing matches %.200q; use other words, or an empty query to list everything", query.Text)
	}
}

// describe is the tool get_capability_schemas.
func (s *Server) describe(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args := readArguments(ctx, req, "names", "detail")
	names, detail := args.texts("names", true, maxAsked), args.detail(discover.Detailed)
	if args.err != nil {
		return s.toolError(ctx, args.err)
	}
	found, err := s.deps.Catalog.Describe(ctx, names, detail)
	if err != nil {
		return s.toolError(ctx, err)
	}
	list, unknown := newListing(detail), []unknownName{}
	for _, d := range found {
		if !d.Unknown {
			list.add(d)
			continue
		}
		unknown = append(unknown, unknownName{Name: cut(d.ID, maxName), Near: some(d.Near)})
		text := fmt.Sprintf("nothing is called %q", cut(d.ID, maxName))
		if len(d.Near) > 0 {
			text += "; did you mean " + strings.Join(d.Near, ", ") + "?"
		} else {
			text += "; search_capabilities with an empty query lists everything"
		}
		list.say(text)
	}
	if len(list.left) > 0 {
		list.note(fmt.Sprintf("left out, since the answer would be too long: %s; ask for fewer at once", cut(strings.Join(list.left, ", "), maxNote)))
	}
	failed := len(unknown) > 0 && len(list.all) == 0
	return toolResult(describeAnswer{Capabilities: list.all, Unknown: unknown, Notes: list.notes}, list.text(), failed)
}

// listing gathers capabilities as long as there is room.
type listing struct {
	detail  discover.Detail
	all     []capability
	notes   []string
	left    []string // ids that found no room
	words   strings.Builder
	schemas int
}

// roomForNotes is kept free of capabilities in a text.
const roomForNotes = 4 << 10

func newListing(detail discover.Detail) *listing {
	return &listing{detail: detail, all: []capability{}, notes: []string{}}
}

// add shows a capability, unless the answer has no room for all of it. The
// first one is always shown; what does not fit of its text is cut.
func (l *listing) add(d discover.Description) {
	c := capability{ID: d.ID, Names: some(d.Names), Call: d.Call, Summary: d.Summary, Tags: some(d.Tags)}
	schemas := 0
	if l.detail == discover.Full {
		c.InputSchema, c.OutputSchema = schema(d.Source.Input), schema(d.Source.Output)
		schemas = len(c.InputSchema) + len(c.OutputSchema)
	}
	text := d.Text
	room := maxText - roomForNotes - l.words.Len()
	switch {
	case len(l.all) > 0 && (len(text) > room || l.schemas+schemas > maxSchemas):
		l.left = append(l.left, d.ID)
		return
	case schemas > maxSchemas:
		c.InputSchema, c.OutputSchema = nil, nil
		l.note(fmt.Sprintf("%s: the schemas have %d bytes, the limit is %d; detail \"detailed\" describes them", d.ID, schemas, maxSchemas))
		fallthrough
	case len(text) > room:
		text = cut(text, max(room, 0))
	}
	if l.detail != discover.Brief {
		c.Text = text
	}
	l.schemas += schemas
	l.all = append(l.all, c)
	l.say(text)
}

func (l *listing) say(text string) {
	l.words.WriteString(strings.TrimSuffix(text, "\n") + "\n")
	if l.detail != discover.Brief {
		l.words.WriteString("\n")
	}
}

func (l *listing) note(text string) { l.notes = append(l.notes, text) }

func (l *listing) text() string {
	var b strings.Builder
	b.WriteString(l.words.String())
	for _, note := range l.notes {
		b.WriteString("note: " + note + "\n")
	}
	return cut(strings.TrimRight(b.String(), "\n"), maxText-64)
}

// schema returns a JSON Schema as it is, nil for none.
func schema(v canon.Value) json.RawMessage {
	if v.IsNull() {
		return nil
	}
	return v.Bytes()
}

// some returns a list that is not null in JSON.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
