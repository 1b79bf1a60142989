package mcpserver

import (
	"context"
	"fmt"
	"slices"

	"toolplane/domain/canon"
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
	run.Record
	LargeValue *largeValue `json:"large_value,omitempty"`
}

type largeValue struct {
	Bytes   int     `json:"bytes"`
	Preview string  `json:"preview"`
	Handle  *string `json:"handle"`
	URI     *string `json:"uri"`
}

// shown is an outcome in both forms.
type shown struct {
	structured outcome
	text       string
}

// show fits an outcome to what a client takes. A value that is too large is
// kept as a result.
func (s *Server) show(ctx context.Context, o run.Outcome) shown {
	var large *largeValue
	if o.Value.Len() > s.opts.InlineValueBytes {
		large = s.keepValue(ctx, &o)
	}
	view := outcome{bounded(o, int64(s.opts.InlineOutputBytes)).Record(), large}
	return shown{structured: view, text: compact(view, o)}
}

// bounded returns an outcome of bounded size; its value is the caller's concern.
func bounded(o run.Outcome, output int64) run.Outcome {
	o.Stdout, o.Stderr = o.Stdout.Fit(output), o.Stderr.Fit(output)
	if f := o.Failure; f != nil {
		o.Failure = &run.Failure{
			Type: cut(f.Type, maxName), Message: cut(f.Message, maxMessage), Traceback: cut(f.Traceback, maxTraceback),
			Line: f.Line, Code: f.Code,
		}
	}
	o.Results, o.Artifacts = boundedPointers(o.Results), boundedPointers(o.Artifacts)
	more := len(o.Notes) - maxNotes
	o.Notes = slices.Clone(o.Notes[:min(len(o.Notes), maxNotes)])
	for i, note := range o.Notes {
		o.Notes[i] = run.Note{Text: cut(note.String(), maxNote)}
	}
	if more > 0 {
		o.Notes = append(o.Notes, run.Note{Text: fmt.Sprintf("and %d more notes", more)})
	}
	return o
}

func boundedPointers(pointers []run.Pointer) []run.Pointer {
	pointers = slices.Clone(pointers[:min(len(pointers), maxPointers)])
	for i, p := range pointers {
		p.Label, p.Filename, p.MediaType = cut(p.Label, maxName), cut(p.Filename, maxName), cut(p.MediaType, maxName)
		pointers[i] = p
	}
	return pointers
}

// keepValue takes away a value that is too large to be shown, and puts it into
// the results store, if it takes it.
func (s *Server) keepValue(ctx context.Context, o *run.Outcome) *largeValue {
	value := o.Value
	o.Value = canon.Null()
	large := &largeValue{Bytes: value.Len(), Preview: preview(value.Bytes())}
	tooLarge := fmt.Sprintf("the value has %d bytes, more than the %d that are shown", large.Bytes, s.opts.InlineValueBytes)
	advice := "return a summary of it"
	if s.opts.ResultsOn {
		p, err := s.deps.Vault.Keep(ctx, run.JSON(value), "value")
		if err == nil {
			text, uri := p.Handle.Reveal(), p.URI()
			large.Handle, large.URI = &text, &uri
			o.Results = append(o.Results[:len(o.Results):len(o.Results)], p)
			noteFirst(o, tooLarge+"; it is saved, and load_result(large_value.handle) brings it back in a later run")
			return large
		}
		_, why := s.explain(ctx, err)
		tooLarge += ", and could not be saved: " + why
	}
	noteFirst(o, tooLarge+"; "+advice)
	return large
}

// noteFirst puts a note first, where no bound cuts it off.
func noteFirst(o *run.Outcome, text string) {
	o.Notes = append([]run.Note{{Text: text}}, o.Notes...)
}
