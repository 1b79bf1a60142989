package extismbox

import (
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// message is one answer on its way to the guest. Its body must not change until
// the guest has it.
type message struct {
	status byte
	kind   byte
	id     uint32 // of a pending call
	body   []byte
}

// Status of an answer.
const (
	statusOK      = 0
	statusError   = 1
	statusPending = 2
)

// Kinds of body.
const (
	kindNone      = 0
	kindText      = 1
	kindTextASCII = 2
	kindBytes     = 3
	kindJSON      = 4
	kindJSONASCII = 5
	kindJSONBlobs = 6
)

func jsonMessage(body []byte) message {
	if isASCII(body) {
		return message{kind: kindJSONASCII, body: body}
	}
	return message{kind: kindJSON, body: body}
}

func valueMessage(v canon.Value) message {
	switch {
	case v.IsNull():
		return message{kind: kindNone}
	case v.ASCII():
		return message{kind: kindJSONASCII, body: v.Bytes()}
	default:
		return message{kind: kindJSON, body: v.Bytes()}
	}
}

// textMessage sends the characters of a string value. Only control characters,
// quotes and backslashes are escaped in a canonical string, so text is ASCII
// when its canonical form is.
func textMessage(v canon.Value) message {
	text, _ := v.Text()
	m := message{kind: kindText, body: unsafe.Slice(unsafe.StringData(text), len(text))} // read only
	if v.ASCII() {
		m.kind = kindTextASCII
	}
	return m
}

// answer returns what the guest gets for a call that was answered.
func (x *execution) answer(h *hostCall) message {
	if h.err != nil {
		return x.failure(h.err, h.answer.Value)
	}
	a := h.answer
	if n, most := a.Size(), x.job.Limits.Answer; n > most {
		return x.refusal(fault.New(fault.ToolFailed,
			"the answer of %.100s is %d bytes, more than the limit of %d: ask for less at a time", h.name, n, most))
	}
	switch {
	case len(a.Blobs) == 1 && len(a.Blobs[0].Path) == 0:
		return message{kind: kindBytes, body: a.Blobs[0].Data}
	case len(a.Blobs) > 0:
		if err := x.calls.keepBlobs(h.id, a.Blobs); err != nil {
			return x.refusal(err)
		}
		return message{kind: kindJSONBlobs, body: blobsDocument(h.id, a)}
	case a.Text && a.Value.Kind() == canon.KindString:
		return textMessage(a.Value)
	default:
		return valueMessage(a.Value)
	}
}

// blobsDocument tells the guest of a value and where blobs belong into it.
func blobsDocument(id uint32, a run.Answer) []byte {
	b := strconv.AppendUint([]byte(`{"id":`), uint64(id), 10)
	b = append(append(b, `,"value":`...), a.Value.Bytes()...)
	b = append(b, `,"blobs":[`...)
	for i, blob := range a.Blobs {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for k, step := range blob.Path {
			if k > 0 {
				b = append(b, ',')
			}
			if step.Key != "" {
				b = appendText(b, step.Key)
			} else {
				b = strconv.AppendInt(b, int64(step.Index), 10)
			}
		}
		b = append(b, ']')
	}
	return append(b, "]}"...)
}

// refusal is the answer to an operation that the host does not carry out.
func (x *execution) refusal(err error) message { return x.failure(err, canon.Value{}) }

// failure tells the guest which exception to raise. content is what a failing
// tool said, null if it said nothing.
func (x *execution) failure(err error, content canon.Value) message {
	f := x.faultOf(err)
	b := appendText([]byte(`{"class":`), f.Class().String())
	b = appendText(append(b, `,"builtin":`...), f.Class().Builtin())
	b = appendText(append(b, `,"code":`...), string(f.Code()))
	b = appendText(append(b, `,"message":`...), f.Error())
	if !content.IsNull() {
		b = append(append(b, `,"content":`...), content.Bytes()...)
	}
	m := jsonMessage(append(b, '}'))
	m.status = statusError
	return m
}

// appendText appends a string as JSON, with U+FFFD for what is not UTF-8.
func appendText(b []byte, text string) []byte {
	v, err := canon.Text(strings.ToValidUTF8(text, string(utf8.RuneError)))
	if err != nil {
		return append(b, `""`...)
	}
	return append(b, v.Bytes()...)
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
