package stdio

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
)

// line is one line of input: its text, or the size and the id of a message that
// is too long to be held. The last one says why nothing follows.
type line struct {
	text []byte
	size int64  // 0 for a blank line
	id   []byte // JSON; nil where none was found
	err  error
}

func (l line) tooLong() bool { return l.text == nil }

// ended tells whether the input has come to its end, or to the deadline that
// was set for it.
func (l line) ended() bool {
	return errors.Is(l.err, io.EOF) || errors.Is(l.err, os.ErrDeadlineExceeded)
}

// readLines reads lines on a goroutine of its own, which ends with the input or
// at the first line that comes after stop.
func readLines(in io.Reader, limit int, stop <-chan struct{}) <-chan line {
	lines := make(chan line)
	go func() {
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			l := readLine(r, limit)
			select {
			case lines <- l:
			case <-stop:
				return
			}
			if l.err != nil {
				return
			}
		}
	}()
	return lines
}

// readLine reads one line, without the white space around it. A blank line has
// the size 0. A last line needs no line break.
func readLine(r *bufio.Reader, limit int) line {
	var text []byte
	var long *idScanner
	var size int64
	for {
		chunk, err := r.ReadSlice('\n')
		size += int64(len(chunk))
		if long == nil && len(text)+len(chunk) > limit+2 { // two bytes for the line break
			long = new(idScanner)
			long.scan(text)
			text = nil
		}
		if long != nil {
			long.scan(chunk)
		} else {
			text = append(text, chunk...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long != nil {
			return line{size: size, id: long.id, err: err}
		}
		text = bytes.TrimSpace(text)
		return line{text: text, size: int64(len(text)), err: err}
	}
}
