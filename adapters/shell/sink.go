package shell

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unicode/utf8"
)

// sink is one of the two streams that the command line writes to. It is safe
// for concurrent use.
type sink struct {
	colour bool

	// The error of the first write that failed; nothing is written after it. It can be
	// asked for while a write waits for its reader.
	err atomic.Pointer[error]

	mu      sync.Mutex
	w       io.Writer
	midLine bool // the last byte written did not end a line
}

// Unwrap returns what the stream writes to.
func (s *sink) Unwrap() io.Writer { return s.w }

// Write writes all of p, or returns the error that ended the stream.
func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.failed(); err != nil {
		return 0, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	n, err := s.w.Write(p)
	if err != nil {
		s.err.Store(&err)
	}
	s.midLine = p[len(p)-1] != '\n'
	return n, err
}

// failed returns the error that ended the stream, or nil.
func (s *sink) failed() error {
	if err := s.err.Load(); err != nil {
		return *err
	}
	return nil
}

// endLine makes what comes next start a line of its own.
func (s *sink) endLine() {
	s.mu.Lock()
	open := s.midLine
	s.mu.Unlock()
	if open {
		_, _ = s.Write([]byte("\n")) // a failure stays
	}
}

// line writes one message on a line of its own. The label stands out on a
// terminal that shows colours.
func (s *sink) line(colour, label, text string) {
	s.endLine()
	if s.colour {
		label = colour + label + plain
	}
	fmt.Fprintln(s, label+printable(strings.TrimRight(text, "\n"), "\n\t"))
}

// printable writes what a terminal would act on as in a Go string, except for the
// characters of keep: names from the command line and texts of exceptions may
// hold anything.
func printable(text, keep string) string {
	const joiners = "\u200c\u200d" // inside words and emoji
	var b strings.Builder
	for i, r := range text {
		switch _, n := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case strconv.IsGraphic(r) || strings.ContainsRune(keep+joiners, r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// What a terminal takes for colours: SGR sequences of ECMA-48.
const (
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// wantsColour reports whether w is a terminal whose user has not asked for plain
// text (https://no-color.org).
func wantsColour(w io.Writer, env func(string) string) bool {
	if env("NO_COLOR") != "" || env("TERM") == "dumb" {
		return false
	}
	if runtime.GOOS == "windows" && env("WT_SESSION") == "" && env("TERM") == "" {
		return false // the old console shows the sequences themselves
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&fs.ModeCharDevice != 0
}

// complain says what is wrong with the call as a whole.
func (c *call) complain(text string) { c.err.line(red, "toolplane: ", text) }

// note says what the user should know of a run that ended.
func (c *call) note(text string) { c.err.line(yellow, "note: ", text) }

// outputFailed returns the exit for a standard output that takes no more. That
// nobody reads on is no trouble worth a word.
func (c *call) outputFailed() *exit {
	err := c.out.failed()
	if closedPipe(err) {
		return &exit{status: statusPipe}
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathErr.Err
	}
	return &exit{status: statusFailed, cause: fmt.Errorf("standard output: %w", err)}
}

func closedPipe(err error) bool {
	const windowsNoData = syscall.Errno(232)
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) ||
		runtime.GOOS == "windows" && errors.Is(err, windowsNoData)
}
