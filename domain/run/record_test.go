package run_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

func record(t *testing.T, o run.Outcome) string {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	is.New(t).NoErr(enc.Encode(o.Record())) // everything in it can be encoded
	return string(bytes.TrimSpace(text.Bytes()))
}

func TestRecordOfAnEmptyOutcome(t *testing.T) {
	is.New(t).Equal(record(t, run.Outcome{}), `{"ok":true,"value":null,"stdout":"","stdout_bytes":0,"stderr":"","stderr_bytes":0,`+
		`"error":null,"duration_ms":0,"backend":"","results":[],"artifacts":[],"calls":0,"notes":[]}`)
}

func TestRecordKeepsDigitsAndOrderAndSaysWhatIsMissing(t *testing.T) {
	is := is.New(t)
	v, err := canon.Parse([]byte(`{"b":12345678901234567890123,"a":"<é>"}`))
	is.NoErr(err)
	is.Equal(record(t, run.Outcome{
		Value: v, Stdout: run.Text{Head: "be", Tail: "nd", Size: 10}, Stderr: run.Text{Head: "x", Size: 1},
		Notes: []run.Note{{Path: "$.a", Text: "odd"}, {Text: "plain"}}, Calls: 3, Duration: 1234567 * time.Nanosecond, Backend: "b",
	}), `{"ok":true,"value":{"b":12345678901234567890123,"a":"<é>"},"stdout":"be\n[… 6 of 10 bytes left out …]\nnd","stdout_bytes":10,`+
		`"stderr":"x","stderr_bytes":1,"error":null,"duration_ms":1.235,"backend":"b","results":[],"artifacts":[],"calls":3,"notes":["$.a: odd","plain"]}`)
}

func TestRecordOfAFailure(t *testing.T) {
	is := is.New(t)
	failure := &run.Failure{Type: "ValueError", Message: "m", Traceback: "t", Line: 3, Code: fault.ArgsInvalid}
	r := run.Outcome{Failure: failure}.Record()
	is.True(!r.OK)
	is.Equal(*r.Error.Line, 3)
	is.Equal(r.Error.Code, fault.ArgsInvalid)
	failure.Line = 0
	is.Equal(run.Outcome{Failure: failure}.Record().Error.Line, nil) // unknown is null
}
