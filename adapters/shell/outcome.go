package shell

import (
	"encoding/json"
	"fmt"
	"time"

	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// record is an outcome as --json shows it: one object for each run, on a line
// of its own. Fields are only ever added.
type record struct {
	File        string          `json:"file"`
	OK          bool            `json:"ok"`
	Value       json.RawMessage `json:"value"`
	Stdout      string          `json:"stdout"`
	StdoutBytes int64           `json:"stdout_bytes"` // printed in all
	Stderr      string          `json:"stderr"`
	StderrBytes int64           `json:"stderr_bytes"`
	Error       *failureRecord  `json:"error"`
	DurationMS  float64         `json:"duration_ms"` // to the microsecond
	Backend     string          `json:"backend"`
	Results     []resultRecord  `json:"results"`
	Artifacts   []artifact      `json:"artifacts"`
	Calls       int             `json:"calls"`
	Notes       []string        `json:"notes"`
}

type failureRecord struct {
	Type      string     `json:"type"`
	Message   string     `json:"message"`
	Traceback string     `json:"traceback"`
	Line      *int       `json:"line"` // null where unknown
	Code      fault.Code `json:"code"` // "" for the snippet's own exceptions
}

type resultRecord struct {
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

// showJSON writes the outcome as one line of JSON to standard output. The
// value's digits and the order of its members stay as they are.
func (c *call) showJSON(s snippet, o run.Outcome) {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	r := record{
		File: s.name, OK: o.OK(), Value: o.Value.Bytes(),
		Stdout: wholeText(o.Stdout), StdoutBytes: o.Stdout.Size,
		Stderr: wholeText(o.Stderr), StderrBytes: o.Stderr.Size, Error: newFailureRecord(o.Failure),
		DurationMS: float64(o.Duration.Round(time.Microsecond)) / float64(time.Millisecond),
		Backend:    o.Backend, Calls: o.Calls,
		Results: []resultRecord{}, Artifacts: []artifact{}, Notes: []string{},
	}
	for _, p := range o.Results {
		r.Results = append(r.Results, resultRecord{Handle: p.Handle.Reveal(), URI: p.URI(), Label: p.Label, Bytes: p.Bytes})
	}
	for _, p := range o.Artifacts {
		r.Artifacts = append(r.Artifacts, artifact{
			Handle: p.Handle.Reveal(), URI: p.URI(), Filename: p.Filename, MediaType: p.MediaType, Bytes: p.Bytes, Label: p.Label,
		})
	}
	for _, note := range o.Notes {
		r.Notes = append(r.Notes, note.String())
	}
	_ = enc.Encode(r) // everything in it can be encoded; the stream keeps its own error
}

func newFailureRecord(f *run.Failure) *failureRecord {
	if f == nil {
		return nil
	}
	r := &failureRecord{Type: f.Type, Message: f.Message, Traceback: f.Traceback, Code: f.Code}
	if f.Line > 0 {
		r.Line = &f.Line
	}
	return r
}

// wholeText joins what was kept of a stream, and says how much is missing.
func wholeText(t run.Text) string {
	if !t.Cut() {
		return t.Head + t.Tail
	}
	left := t.Size - int64(len(t.Head)+len(t.Tail))
	return fmt.Sprintf("%s\n[… %d of %d bytes left out …]\n%s", t.Head, left, t.Size, t.Tail)
}
