package canon

import (
	"bytes"

	"toolplane/domain/fault"
)

// writer is what parsing and encoding share: the bytes written so far, the open
// arrays and objects, their keys, and every rule of the canonical form.
type writer struct {
	opts Options
	out  []byte
	data []byte // the text being parsed, if any
	run  int    // from here on, data read so far is canonical but not in out yet

	frames []frame // the open containers, outermost first
	keys   []key   // the keys of the open objects, outermost first
	naming bool    // a key is being written, so faults lie at its object

	depth    int  // the deepest nesting so far
	wide     bool // something beyond ASCII was written
	replaced bool // the text being written was repaired

	notes  []Note
	merges []merge
	table  []uint32 // scratch of the search for repeated keys
	first  []uint32 // scratch of the same: where each key was named first
}

// frame is one open array or object.
type frame struct {
	start    int // where its bracket is in out
	keys     int // where its keys begin in writer.keys
	index    int // of an array: the index of the element being written
	object   bool
	repeated bool // it is known to name a key twice

	filled bool // Encoder only: it has an element or a key
	named  bool // Encoder only: a key awaits its value
}

// reserve makes room for n more bytes, or says that they would be too many.
func (w *writer) reserve(n int) error {
	if n <= cap(w.out)-len(w.out) {
		return nil
	}
	return w.grow(n)
}

func (w *writer) grow(n int) error {
	limit := w.opts.limit()
	if n > limit-len(w.out) {
		return w.tooLarge(limit)
	}
	size := max(len(w.out)+n, cap(w.out)+cap(w.out)/2, 256)
	out := make([]byte, len(w.out), min(size, limit))
	copy(out, w.out)
	w.out = out
	return nil
}

func (w *writer) tooLarge(limit int) error {
	code := w.opts.TooLarge
	if code == "" {
		code = fault.OutputTooLarge
	}
	return fault.At(code, w.here(),
		"the value is larger than %d bytes as canonical JSON; use a smaller projection", limit)
}

func (w *writer) put(c byte) error {
	if err := w.reserve(1); err != nil {
		return err
	}
	w.out = append(w.out, c)
	return nil
}

// write appends what is canonical already.
func write[T text](w *writer, s T) error {
	if err := w.reserve(len(s)); err != nil {
		return err
	}
	w.out = append(w.out, s...)
	return nil
}

// offset is where in the output the byte at data[i], the next to read, belongs.
func (w *writer) offset(i int) int { return len(w.out) + i - w.run }

// output returns a part of the output, which lies either in out or in data.
func (w *writer) output(start, end int) []byte {
	if n := len(w.out); start >= n {
		return w.data[w.run+start-n : w.run+end-n]
	}
	return w.out[start:end]
}

// flush moves what is canonical in data, up to i, to out.
func (w *writer) flush(i int) error { return w.drop(i, i) }

// drop does the same and leaves out the bytes from there to end.
func (w *writer) drop(i, end int) error {
	if err := write(w, w.data[w.run:i]); err != nil {
		return err
	}
	w.run = end
	return nil
}

// open begins an array or object, whose bracket belongs at start.
func (w *writer) open(start int, object bool) error {
	if len(w.frames) == MaxDepth {
		return w.tooDeep()
	}
	w.frames = append(w.frames, frame{start: start, keys: len(w.keys), object: object})
	w.depth = max(w.depth, len(w.frames))
	return nil
}

func (w *writer) tooDeep() error {
	return fault.At(fault.JSONDepth, w.here(), "nested deeper than %d levels; flatten the value", MaxDepth)
}

// close ends the innermost array or object, behind whose bracket is end.
func (w *writer) close(end int) error {
	top := &w.frames[len(w.frames)-1]
	if top.repeated || len(w.keys)-top.keys > fewKeys {
		if err := w.checkKeys(top, end); err != nil {
			return err
		}
	}
	w.keys = w.keys[:top.keys]
	w.frames = w.frames[:len(w.frames)-1]
	return nil
}

// value returns what was written, and whether the buffer went with it. A buffer
// with much room to spare is copied instead, so that a Value keeps alive little
// more than its own bytes.
func (w *writer) value() (v Value, moved bool) {
	v = Value{bytes: w.out, depth: uint16(w.depth)}
	if w.wide {
		v.script = beyondASCII
	}
	moved = true
	if len(w.merges) > 0 {
		v.bytes, moved = w.merged(), false
		if w.wide {
			v.script = unknownScript
		}
	}
	if cap(v.bytes)-len(v.bytes) > len(v.bytes)/4+16 {
		v.bytes, moved = bytes.Clone(v.bytes), false
	}
	return v, moved
}

// reset makes the writer ready for another value; it keeps the scratch memory,
// unless that has grown large.
func (w *writer) reset(opts Options) {
	const large = 1 << 16
	clear(w.merges) // they hold memory of their own
	*w = writer{
		opts: opts, out: w.out[:0], frames: w.frames[:0], keys: w.keys[:0],
		merges: w.merges[:0], table: w.table[:0], first: w.first[:0],
	}
	if cap(w.keys) > large || cap(w.merges) > large {
		w.keys, w.merges, w.table, w.first = nil, nil, nil, nil
	}
}
