package extismbox

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// field is a part of what a guest says.
type field uint32

// The fields.
const (
	fieldValueJSON      field = 1
	fieldValueText      field = 2
	fieldStdout         field = 3
	fieldStderr         field = 4
	fieldErrorType      field = 5
	fieldErrorMessage   field = 6
	fieldErrorTraceback field = 7
	fieldErrorLine      field = 8
	fieldNote           field = 9
	fieldShield         field = 10 // the guest is reporting an error: no more soft stops
	fieldFatal          field = 11 // why the interpreter gave up
	fieldBlock          field = 12
	fieldErrorCode      field = 13
	fieldCode           field = 14 // what precompile has made
	fieldDropped        field = 15 // the exception of a soft stop is gone
)

// What is kept of the texts of a failure and of notes, in bytes.
const (
	maxErrorType = 256
	maxErrorText = 64 << 10
	maxTraceback = 256 << 10
	maxNoteText  = 4 << 10
	maxNotes     = 100
)

// reply is what a guest has said so far. A snippet that calls the guest's own
// module can say anything, so nothing here is trusted beyond its form.
type reply struct {
	value     canon.Value
	tooLarge  *fault.Fault // why value is missing
	errorType string       // "" while there is no error
	message   string
	traceback string
	line      int
	code      fault.Code
	notes     []run.Note
	dropped   int // notes beyond the limit
	fatal     string
	block     []byte
	compiled  []byte // counts only where no snippet has run
}

// send takes one part of the reply.
func (x *execution) send(f field, part []byte) {
	r := &x.reply
	switch f {
	case fieldValueJSON:
		x.takeValue(part)
	case fieldValueText:
		x.takeText(part)
	case fieldStdout:
		x.print(run.Stdout, part)
	case fieldStderr:
		x.print(run.Stderr, part)
	case fieldErrorType: // a report begins: nothing of an earlier one counts
		r.errorType, r.message, r.traceback, r.line, r.code = excerpt(part, maxErrorType), "", "", 0, ""
	case fieldErrorMessage:
		r.message = excerpt(part, maxErrorText)
	case fieldErrorTraceback:
		r.traceback = excerpt(part, maxTraceback)
	case fieldErrorLine:
		if line, err := strconv.ParseUint(excerpt(part, maxErrorType), 10, 31); err == nil {
			r.line = int(line)
		}
	case fieldErrorCode:
		code := fault.Code(excerpt(part, maxErrorType))
		if slices.Contains(fault.Codes(), code) {
			r.code = code
		}
	case fieldNote:
		r.takeNote(part)
	case fieldShield:
		x.stops.shielded = true
	case fieldDropped:
		x.stops.hasten(time.Now())
	case fieldFatal:
		r.fatal = excerpt(part, maxErrorText)
	case fieldCode:
		if len(part) <= maxCode {
			r.compiled = bytes.Clone(part)
		}
	case fieldBlock:
		r.block = bytes.Clone(part[:min(len(part), blockSize)])
	}
}

// takeValue takes the returned value as JSON. A key that two different Python
// keys have become is no reason to lose finished work.
func (x *execution) takeValue(part []byte) {
	v, repaired, err := canon.ParseWith(part, canon.Options{Lenient: true, MaxBytes: x.job.Limits.Value})
	x.keepValue(v, int64(len(part)), err)
	for _, n := range repaired {
		x.reply.note(run.Note{Path: n.Path, Text: strings.TrimPrefix(n.String(), n.Path+": ")})
	}
}

// takeText takes the returned value as the characters of a string.
func (x *execution) takeText(part []byte) {
	if int64(len(part)) > x.job.Limits.Value {
		x.keepValue(canon.Value{}, int64(len(part)), fault.New(fault.OutputTooLarge, ""))
		return
	}
	v, err := canon.Text(strings.ToValidUTF8(string(part), string(utf8.RuneError)))
	x.keepValue(v, int64(len(part)), err)
}

func (x *execution) keepValue(v canon.Value, size int64, err error) {
	most := x.job.Limits.Value
	if err == nil && int64(v.Len()) > most || fault.CodeOf(err) == fault.OutputTooLarge {
		size = max(size, int64(v.Len()))
		v, err = canon.Value{}, fault.New(fault.OutputTooLarge,
			"the returned value has %d bytes, more than the limit of %d: return less, or save it with save_result or save_artifact", size, most)
	}
	x.reply.value, x.reply.tooLarge = v, nil
	if err != nil {
		x.reply.tooLarge = x.faultOf(err)
	}
}

// takeNote takes {"path": …, "text": …}.
func (r *reply) takeNote(part []byte) {
	v, _, err := canon.ParseWith(part, canon.Options{Lenient: true, MaxBytes: 4 * maxNoteText})
	if err != nil {
		r.dropped++
		return
	}
	member := func(name string) string {
		m, _ := v.Member(name)
		text, _ := m.Text()
		return excerpt([]byte(text), maxNoteText)
	}
	r.note(run.Note{Path: member("path"), Text: member("text")})
}

func (r *reply) note(n run.Note) {
	if len(r.notes) == maxNotes {
		r.dropped++
		return
	}
	r.notes = append(r.notes, n)
}

// excerpt returns text as a string of at most the given number of bytes.
func excerpt(text []byte, most int) string {
	const mark = "…"
	if len(text) <= most {
		return strings.ToValidUTF8(string(text), string(utf8.RuneError))
	}
	text = text[:most-len(mark)]
	for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	if n := len(text); n > 0 && text[n-1] >= utf8.RuneSelf {
		text = text[:n-1] // the beginning of a character that may be cut
	}
	return strings.ToValidUTF8(string(text), string(utf8.RuneError)) + mark
}
