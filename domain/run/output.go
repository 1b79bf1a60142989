package run

import (
	"fmt"
	"unicode/utf8"
)

// Text is what was kept of a stream: all of it, or its head and its tail.
type Text struct {
	Head string
	Tail string // "" when nothing was left out
	Size int64  // bytes that were printed in all
}

// Cut reports whether something was left out between head and tail.
func (t Text) Cut() bool { return t.Size > t.Kept() }

// Kept returns the number of bytes that were kept.
func (t Text) Kept() int64 { return int64(len(t.Head) + len(t.Tail)) }

// String joins what was kept, and says how much is missing.
func (t Text) String() string {
	if !t.Cut() {
		return t.Head + t.Tail
	}
	return fmt.Sprintf("%s\n[… %d of %d bytes left out …]\n%s", t.Head, t.Size-t.Kept(), t.Size, t.Tail)
}

// Fit returns the text cut down to at most the given number of bytes.
func (t Text) Fit(keep int64) Text {
	if t.Kept() <= keep {
		return t
	}
	half := int(keep / 2)
	head, tail := t.Head, t.Tail
	if !t.Cut() {
		tail = head
	}
	return Text{
		Head: trimTail(head[:min(half, len(head))]), Tail: trimHead(tail[max(0, len(tail)-half):]), Size: t.Size,
	}
}

// Recorder keeps the head and the tail of what is written to it, within a
// number of bytes fixed beforehand. It is not safe for concurrent use.
type Recorder struct {
	head, tail []byte
	half       int
	start      int // where in the ring the tail begins
	size       int64
}

// NewRecorder returns a recorder that keeps at most the given number of bytes.
func NewRecorder(keep int64) *Recorder {
	return &Recorder{half: int(max(keep/2, 1))}
}

// Write records text.
func (r *Recorder) Write(text []byte) {
	r.size += int64(len(text))
	if room := r.half - len(r.head); room > 0 && len(r.tail) == 0 {
		n := min(room, len(text))
		r.head = append(r.head, text[:n]...)
		text = text[n:]
	}
	if len(text) >= r.half {
		r.tail, r.start = append(r.tail[:0], text[len(text)-r.half:]...), 0
		return
	}
	if room := r.half - len(r.tail); room > 0 {
		n := min(room, len(text))
		r.tail = append(r.tail, text[:n]...)
		text = text[n:]
	}
	for len(text) > 0 {
		n := copy(r.tail[r.start:], text)
		text = text[n:]
		r.start = (r.start + n) % r.half
	}
}

// Size returns the number of bytes written so far.
func (r *Recorder) Size() int64 { return r.size }

// Text returns what was kept, cut at character boundaries.
func (r *Recorder) Text() Text {
	head := string(r.head)
	tail := string(r.tail[r.start:]) + string(r.tail[:r.start])
	if int64(len(head)+len(tail)) == r.size {
		return Text{Head: head + tail, Size: r.size}
	}
	return Text{Head: trimTail(head), Tail: trimHead(tail), Size: r.size}
}

// trimTail drops an incomplete character at the end.
func trimTail(s string) string {
	for i := 1; i <= utf8.UTFMax && i <= len(s); i++ {
		if b := s[len(s)-i]; utf8.RuneStart(b) {
			if !utf8.FullRuneInString(s[len(s)-i:]) {
				return s[:len(s)-i]
			}
			break
		}
	}
	return s
}

// trimHead drops the rest of a character at the beginning.
func trimHead(s string) string {
	for i := range min(utf8.UTFMax, len(s)) {
		if utf8.RuneStart(s[i]) {
			return s[i:]
		}
	}
	if len(s) < utf8.UTFMax {
		return ""
	}
	return s // no text at all
}
