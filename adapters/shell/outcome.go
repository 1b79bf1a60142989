package shell

import (
	"encoding/json"

	"toolplane/domain/run"
)

// record is an outcome as --json shows it: one object for each run, on a line
// of its own.
type record struct {
	File string `json:"file"`
	run.Record
	Work uint64 `json:"work"` // in ticks of the sandbox, about as much as 10,000 rounds of a loop each
}

// showJSON writes the outcome as one line of JSON to standard output. The
// value's digits and the order of its members stay as they are.
func (c *call) showJSON(s snippet, o run.Outcome) {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(record{s.name, o.Record(), o.Work}) // everything in it can be encoded; the stream keeps its own error
}
