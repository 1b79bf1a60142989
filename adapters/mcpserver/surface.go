package mcpserver

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"text/template"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

//go:embed surface
var surfaceFiles embed.FS

// surface is the text and the schemas that clients and models read, fitted to
// what is on.
type surface struct {
	templates *template.Template
	facts     facts
}

// facts are what the texts depend on.
type facts struct {
	Results, Artifacts bool
	RunTime            string
	Inline             int
}

func newSurface(opts Options) surface {
	return surface{
		templates: template.Must(template.ParseFS(surfaceFiles, "surface/*.md")),
		facts: facts{
			Results: opts.ResultsOn, Artifacts: opts.ArtifactsOn, RunTime: inWords(opts.RunTime), Inline: opts.InlineValueBytes,
		},
	}
}

// text returns one of the texts. They are part of the program, and tests read
// all of them.
func (s surface) text(name string) string {
	var out strings.Builder
	if err := s.templates.ExecuteTemplate(&out, name, s.facts); err != nil {
		panic(fmt.Sprintf("mcpserver: %v", err))
	}
	return strings.TrimSpace(out.String())
}

// schema returns one of the schemas.
func (s surface) schema(name string) json.RawMessage {
	text, err := surfaceFiles.ReadFile("surface/" + name)
	if err != nil {
		panic(fmt.Sprintf("mcpserver: %v", err))
	}
	return text
}

// inWords writes a duration for a reader: "30 seconds".
func inWords(d time.Duration) string {
	seconds := d.Seconds()
	if seconds == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%.6g seconds", seconds)
}

// tool describes a tool by its files of the surface.
func (s surface) tool(name, title string, readOnly bool) mcp.Tool {
	t := mcp.NewToolWithRawSchema(name, s.text(name+".md"), s.schema(name+".input.json"))
	t.RawOutputSchema = s.schema(name + ".output.json")
	t.Title = title
	changes := !readOnly
	t.Annotations = mcp.ToolAnnotation{
		Title: title, ReadOnlyHint: &readOnly, DestructiveHint: &changes, IdempotentHint: &readOnly, OpenWorldHint: &changes,
	}
	return t
}
