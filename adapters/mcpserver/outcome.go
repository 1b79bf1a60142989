package mcpserver

import (
	"context"
	"fmt"
	"slices"

	"toolplane/domain/canon"
	"toolplane/domain/handle"
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
// kept in a store.
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
// a store, if one takes it.
func (s *Server) keepValue(ctx context.Context, o *run.Outcome) *largeValue {
	value := o.Value
	o.Value = canon.Null()
	large := &largeValue{Bytes: value.Len(), Preview: preview(value.Bytes(), min(maxPreview, s.opts.InlineValueBytes))}
	tooLarge := fmt.Sprintf("the value has %d bytes, more than the %d that are shown whole", large.Bytes, s.opts.InlineValueBytes)
	if s.opts.ResultsOn || s.opts.ArtifactsOn {
		p, err := s.deps.Vault.Keep(ctx, run.JSON(value), "value")
		if err == nil {
			large.pointTo(p, o)
			noteFirst(o, tooLarge+"; "+wayBack(p))
			return large
		}
		_, why := s.explain(ctx, err)
		tooLarge += ", and could not be saved: " + why
	}
	noteFirst(o, tooLarge+"; return a summary of it")
	return large
}

// pointTo says where the value was saved, in its own place and in the list.
func (l *largeValue) pointTo(p run.Pointer, o *run.Outcome) {
	text, uri := p.Handle.Reveal(), p.URI()
	l.Handle, l.URI = &text, &uri
	list := &o.Results
	if p.Handle.Kind() == handle.Artifact {
		list = &o.Artifacts
	}
	*list = append((*list)[:len(*list):len(*list)], p)
}

// wayBack says how a later run gets a value that was saved.
func wayBack(p run.Pointer) string {
	if p.Handle.Kind() == handle.Artifact {
		return fmt.Sprintf("it is saved as an artifact, since the results store does not take it, and json.loads(await load_artifact(%q)) brings it back in a later run", p.Handle.Reveal())
	}
	return "it is saved, and load_result(large_value.handle) brings it back in a later run"
}

// noteFirst puts a note first, where no bound cuts it off.
func noteFirst(o *run.Outcome, text string) {
	o.Notes = append([]run.Note{{Text: text}}, o.Notes...)
}
