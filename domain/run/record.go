package run

import (
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

// Record is an outcome in the form that clients get as JSON. Fields are only
// ever added.
type Record struct {
	OK          bool             `json:"ok"`
	Value       canon.Value      `json:"value"`
	Stdout      string           `json:"stdout"`
	StdoutBytes int64            `json:"stdout_bytes"` // printed in all
	Stderr      string           `json:"stderr"`
	StderrBytes int64            `json:"stderr_bytes"`
	Error       *FailureRecord   `json:"error"`
	DurationMS  float64          `json:"duration_ms"` // to the microsecond
	Backend     string           `json:"backend"`
	Results     []ResultRecord   `json:"results"`
	Artifacts   []ArtifactRecord `json:"artifacts"`
	Calls       int              `json:"calls"`
	Notes       []string         `json:"notes"`
}

// FailureRecord is a Failure in a Record.
type FailureRecord struct {
	Type      string     `json:"type"`
	Message   string     `json:"message"`
	Traceback string     `json:"traceback"`
	Line      *int       `json:"line"` // null where unknown
	Code      fault.Code `json:"code"` // "" for the snippet's own exceptions
}

// ResultRecord points to a saved result in a Record.
type ResultRecord struct {
	Handle string `json:"handle"`
	URI    string `json:"uri"`
	Label  string `json:"label"`
	Bytes  int64  `json:"bytes"`
}

// ArtifactRecord points to a saved artifact in a Record.
type ArtifactRecord struct {
	Handle    string `json:"handle"`
	URI       string `json:"uri"`
	Filename  string `json:"filename"`
	MediaType string `json:"media_type"`
	Bytes     int64  `json:"bytes"`
	Label     string `json:"label"`
}

// Record returns the outcome as clients get it, handles included.
func (o Outcome) Record() Record {
	r := Record{
		OK: o.OK(), Value: o.Value,
		Stdout: o.Stdout.String(), StdoutBytes: o.Stdout.Size,
		Stderr: o.Stderr.String(), StderrBytes: o.Stderr.Size,
		Error:      o.Failure.record(),
		DurationMS: float64(o.Duration.Round(time.Microsecond)) / float64(time.Millisecond),
		Backend:    o.Backend, Calls: o.Calls,
		Results: []ResultRecord{}, Artifacts: []ArtifactRecord{}, Notes: []string{},
	}
	for _, p := range o.Results {
		r.Results = append(r.Results, ResultRecord{Handle: p.Handle.Reveal(), URI: p.URI(), Label: p.Label, Bytes: p.Bytes})
	}
	for _, p := range o.Artifacts {
		r.Artifacts = append(r.Artifacts, ArtifactRecord{
			Handle: p.Handle.Reveal(), URI: p.URI(), Filename: p.Filename, MediaType: p.MediaType, Bytes: p.Bytes, Label: p.Label,
		})
	}
	for _, note := range o.Notes {
		r.Notes = append(r.Notes, note.String())
	}
	return r
}

func (f *Failure) record() *FailureRecord {
	if f == nil {
		return nil
	}
	r := &FailureRecord{Type: f.Type, Message: f.Message, Traceback: f.Traceback, Code: f.Code}
	if f.Line > 0 {
		r.Line = &f.Line
	}
	return r
}
