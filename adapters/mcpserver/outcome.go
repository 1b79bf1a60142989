package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// Bounds on what is shown, in bytes or entries.
const (
	maxText      = 64 << 10 // a text reply
	maxPreview   = 2 << 10
	maxMessage   = 8 << 10
	maxTraceback = 12 << 10
	maxName      = 256 // labels, file names, media types, exception types
	maxNote      = 512
	maxNotes     = 32
	maxPointers  = 200
)

// outcome is a run as structured content; surface/execute_code.output.json is
// its schema.
type outcome struct {
	OK          bool            `json:"ok"`
	Value       json.RawMessage `json:"value"`
	LargeValue  *largeValue     `json:"large_value,omitempty"`
	Stdout      string          `json:"stdout"`
	StdoutBytes int64           `json:"stdout_bytes"`
	Stderr      string          `json:"stderr"`
	StderrBytes int64           `json:"stderr_bytes"`
	Error       *failure        `json:"error"`
	DurationMS  float64         `json:"duration_ms"` // to the microsecond
	Backend     string          `json:"backend"`
	Results     []result        `json:"results"`
	Artifacts   []artifact      `json:"artifacts"`
	Calls       int             `json:"calls"`
	Notes       []string        `json:"notes"`
}

type largeValue struct {
	Bytes   int     `json:"bytes"`
	Preview string  `json:"preview"`
	Handle  *string `json:"handle"`
	URI     *string `json:"uri"`
}

type failure struct {
	Type      string     `json:"type"`
	Message   string     `json:"message"`
	Traceback string     `json:"traceback"`
	Line      *int       `json:"line"` // null where unknown
	Code      fault.Code `json:"code"` // "" for the snippet's own exceptions
}

type result struct {
	Handle string `json:"handle"`
	URI    string `json:"uri"`
	Label  string `json:"label"`
	Bytes  int64  `json:"bytes"`
}

type artifact struct {
	Handle    string `json:"handle"`
	URI       string `json:"uri"`
	Filename  string `json:"filename"`
	MediaType string `json:"media_type"`
	Bytes     int64  `json:"bytes"`
	Label     string `json:"label"`
}

// shown is an outcome in both forms.
type shown struct {
	structured outcome
	text       string
}

// show fits an outcome to what a client takes. A value that is too large is
// kept as a result.
func (s *Server) show(ctx context.Context, o run.Outcome) shown {
	view := outcome{
		OK: o.OK(), Value: o.Value.Bytes(),
		Stdout: fit(o.Stdout, s.opts.InlineOutputBytes), StdoutBytes: o.Stdout.Size,
		Stderr: fit(o.Stderr, s.opts.InlineOutputBytes), StderrBytes: o.Stderr.Size,
		Error:      newFailure(o.Failure),
		DurationMS: float64(o.Duration.Round(time.Microsecond)) / float64(time.Millisecond),
		Backend:    o.Backend, Calls: o.Calls,
		Results: []result{}, Artifacts: []artifact{}, Notes: []string{},
	}
	if o.Value.Len() > s.opts.InlineValueBytes {
		o = s.keepValue(ctx, o, &view)
	}
	for _, p := range head(o.Results, maxPointers) {
		view.Results = append(view.Results, result{Handle: p.Handle.Reveal(), URI: p.URI(), Label: cut(p.Label, maxName), Bytes: p.Bytes})
	}
	for _, p := range head(o.Artifacts, maxPointers) {
		view.Artifacts = append(view.Artifacts, artifact{
			Handle: p.Handle.Reveal(), URI: p.URI(), Bytes: p.Bytes,
			Filename: cut(p.Filename, maxName), MediaType: cut(p.MediaType, maxName), Label: cut(p.Label, maxName),
		})
	}
	for _, note := range head(o.Notes, maxNotes) {
		view.Notes = append(view.Notes, cut(note.String(), maxNote))
	}
	if more := len(o.Notes) - maxNotes; more > 0 {
		view.Notes = append(view.Notes, fmt.Sprintf("and %d more notes", more))
	}
	return shown{structured: view, text: compact(view, o)}
}

// keepValue puts a preview in the place of a value that is too large, and the
// value itself into the results store, if it takes it.
func (s *Server) keepValue(ctx context.Context, o run.Outcome, view *outcome) run.Outcome {
	large := &largeValue{Bytes: o.Value.Len(), Preview: preview(o.Value.Bytes())}
	view.Value, view.LargeValue = json.RawMessage("null"), large
	tooLarge := fmt.Sprintf("the value has %d bytes, more than the %d that are shown", large.Bytes, s.opts.InlineValueBytes)
	advice := "return a summary of it"
	if s.opts.ResultsOn {
		p, err := s.deps.Vault.Keep(ctx, run.JSON(o.Value), "value")
		if err == nil {
			text, uri := p.Handle.Reveal(), p.URI()
			large.Handle, large.URI = &text, &uri
			o.Results = append(o.Results[:len(o.Results):len(o.Results)], p)
			o.Notes = appendNote(o.Notes, tooLarge+"; it is saved, and load_result(large_value.handle) brings it back in a later run")
			return o
		}
		_, why := s.explain(ctx, err)
		tooLarge += ", and could not be saved: " + why
	}
	o.Notes = appendNote(o.Notes, tooLarge+"; "+advice)
	return o
}

// appendNote puts a note first, where no bound cuts it off.
func appendNote(notes []run.Note, text string) []run.Note {
	return append([]run.Note{{Text: text}}, notes...)
}

func newFailure(f *run.Failure) *failure {
	if f == nil {
		return nil
	}
	view := &failure{
		Type: cut(f.Type, maxName), Message: cut(f.Message, maxMessage), Traceback: cut(f.Traceback, maxTraceback), Code: f.Code,
	}
	if f.Line > 0 {
		view.Line = &f.Line
	}
	return view
}

func head[T any](list []T, most int) []T { return list[:min(len(list), most)] }
