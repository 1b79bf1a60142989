package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"unicode/utf8"
)

// byteOrderMark is what some editors put in front of UTF-8 text.
var byteOrderMark = []byte("\uFEFF")

// errTooLarge is the error of a source with more bytes than it may have.
var errTooLarge = errors.New("too large")

// readFile reads a file of at most most bytes; when the size is known, more is
// refused before anything is read.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, reason(err))
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, reason(err))
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory; give a file", path)
	case info.Mode().IsRegular() && info.Size() > most:
		return nil, errTooLarge
	}
	data, err := readAll(f, most)
	if err != nil && !errors.Is(err, errTooLarge) {
		err = fmt.Errorf("%s: %w", path, reason(err))
	}
	return data, err
}

// readAll reads at most most bytes, without a byte order mark.
func readAll(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, min(most, math.MaxInt64-1)+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, errTooLarge
	}
	return bytes.TrimPrefix(data, byteOrderMark), nil
}

// errNoFile is said alike on every system.
var errNoFile = errors.New("no such file")

// reason returns an error without the name of the file and of the system call.
func reason(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errNoFile
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

// invalidUTF8 returns where the first byte is that is not UTF-8.
func invalidUTF8(data []byte) (offset int, found bool) {
	if utf8.Valid(data) {
		return 0, false
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n <= 1 {
			return i, true
		}
		i += n
	}
}
