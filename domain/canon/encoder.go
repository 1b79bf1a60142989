package canon

import (
	"strconv"

	"toolplane/domain/fault"
)

// Encoder builds a Value event by event, by the rules and with the faults of
// Parse: BeginObject, Key, a value, …, EndObject. The zero Encoder is strict and
// has no cap of its own. After the first error every call returns that error, so
// a caller may check Value alone; events out of order are such an error, with
// code internal. An Encoder must not be shared between goroutines.
type Encoder struct {
	w    writer
	done bool // the value is complete
	err  error
}

// NewEncoder returns an Encoder that works to opts.
func NewEncoder(opts Options) *Encoder { return &Encoder{w: writer{opts: opts}} }

// Reset forgets what was written, for another value by the same options.
func (e *Encoder) Reset() {
	e.w.reset(e.w.opts)
	e.done, e.err = false, nil
}

// Value returns the value that the events made. The Encoder is then of no use
// until Reset.
func (e *Encoder) Value() (Value, error) {
	if e.err == nil && !e.done {
		return Value{}, e.fail(e.misuse("the value is not complete"))
	}
	if e.err != nil {
		return Value{}, e.err
	}
	v, moved := e.w.value()
	if moved {
		e.w.out = nil
	}
	e.err = e.misuse("the value was taken; reset the encoder first")
	return v, nil
}

// Notes returns what a lenient Encoder repaired since the last Reset.
func (e *Encoder) Notes() []Note { return e.w.notes }

// BeginObject begins an object: Key and a value for each member, then EndObject.
func (e *Encoder) BeginObject() error { return e.begin(true) }

// EndObject ends the innermost object.
func (e *Encoder) EndObject() error { return e.end(true) }

// BeginArray begins an array: its elements, then EndArray.
func (e *Encoder) BeginArray() error { return e.begin(false) }

// EndArray ends the innermost array.
func (e *Encoder) EndArray() error { return e.end(false) }

// Key names the member whose value comes next.
func (e *Encoder) Key(name string) error { return encodeKey(e, name) }

// KeyBytes is Key for a name in UTF-8, which it copies.
func (e *Encoder) KeyBytes(name []byte) error { return encodeKey(e, name) }

// Null writes null.
func (e *Encoder) Null() error { return encodePlain(e, "null") }

// Bool writes a boolean.
func (e *Encoder) Bool(b bool) error { return encodePlain(e, strconv.FormatBool(b)) }

// Int writes an integer.
func (e *Encoder) Int(n int64) error {
	var scratch [20]byte
	return encodePlain(e, strconv.AppendInt(scratch[:0], n, 10))
}

// Uint writes an integer that is not negative.
func (e *Encoder) Uint(n uint64) error {
	var scratch [20]byte
	return encodePlain(e, strconv.AppendUint(scratch[:0], n, 10))
}

// Digits writes an integer of any size up to MaxDigits, given in decimal as JSON
// has it: a minus sign or none, no leading zeros.
func (e *Encoder) Digits(literal string) error {
	if err := e.before(); err != nil {
		return err
	}
	if !isInteger(literal) {
		return e.fail(fault.At(fault.JSONSyntax, e.w.here(), "digits that are not a decimal integer"))
	}
	n, err := integerForm(&e.w, literal)
	if err != nil {
		return e.fail(err)
	}
	return e.after(write(&e.w, literal[len(literal)-n:]))
}

// Float writes a float.
func (e *Encoder) Float(f float64) error {
	if err := e.before(); err != nil {
		return err
	}
	return e.after(e.w.writeFloat(f))
}

// Text writes a string.
func (e *Encoder) Text(s string) error { return encodeText(e, s) }

// TextBytes is Text for UTF-8 bytes, which it copies.
func (e *Encoder) TextBytes(s []byte) error { return encodeText(e, s) }

// Embed writes a whole value, without checking it again.
func (e *Encoder) Embed(v Value) error {
	if err := e.before(); err != nil {
		return err
	}
	depth := int(v.depth)
	if len(e.w.frames)+depth > MaxDepth { // what v knows is an upper bound
		depth = v.nesting()
	}
	if depth += len(e.w.frames); depth > MaxDepth {
		return e.fail(e.w.tooDeep())
	}
	e.w.depth = max(e.w.depth, depth)
	e.w.wide = e.w.wide || !v.ASCII()
	return e.after(write(&e.w, v.Bytes()))
}

func (e *Encoder) begin(object bool) error {
	if err := e.before(); err != nil {
		return err
	}
	if err := e.w.open(len(e.w.out), object); err != nil {
		return e.fail(err)
	}
	if object {
		return e.failIf(e.w.put('{'))
	}
	return e.failIf(e.w.put('['))
}

func (e *Encoder) end(object bool) error {
	if e.err != nil {
		return e.err
	}
	top := e.top()
	switch {
	case top == nil || top.object != object:
		return e.fail(e.misuse("the end of something that is not open"))
	case top.named:
		return e.fail(e.misuse("a key without a value"))
	}
	bracket := byte(']')
	if object {
		bracket = '}'
	}
	if err := e.w.put(bracket); err != nil {
		return e.fail(err)
	}
	return e.after(e.w.close(len(e.w.out)))
}

func (e *Encoder) top() *frame {
	if len(e.w.frames) == 0 {
		return nil
	}
	return &e.w.frames[len(e.w.frames)-1]
}

// before checks that a value may come now, and writes what separates it from
// the one before it.
func (e *Encoder) before() error {
	if e.err != nil {
		return e.err
	}
	switch top := e.top(); {
	case e.done:
		return e.fail(e.misuse("a second value"))
	case top == nil:
		return nil
	case top.object && !top.named:
		return e.fail(e.misuse("a member's value without a key"))
	case top.object:
		top.named = false
		return nil
	case !top.filled:
		top.filled = true
		return nil
	default:
		top.index++
		return e.failIf(e.w.put(','))
	}
}

// after ends a value.
func (e *Encoder) after(err error) error {
	if err != nil {
		return e.fail(err)
	}
	e.w.textDone()
	e.done = len(e.w.frames) == 0
	return nil
}

func encodePlain[T text](e *Encoder, s T) error {
	if err := e.before(); err != nil {
		return err
	}
	return e.after(write(&e.w, s))
}

func encodeText[T text](e *Encoder, s T) error {
	if err := e.before(); err != nil {
		return err
	}
	return e.after(writeText(&e.w, s))
}

func encodeKey[T text](e *Encoder, name T) error {
	if e.err != nil {
		return e.err
	}
	top := e.top()
	if top == nil || !top.object || top.named {
		return e.fail(e.misuse("a key where none may be"))
	}
	if top.filled {
		if err := e.w.put(','); err != nil {
			return e.fail(err)
		}
	}
	top.filled, top.named = true, true
	e.w.naming = true
	start := len(e.w.out)
	if err := writeText(&e.w, name); err != nil {
		return e.fail(err)
	}
	if err := e.w.keyDone(start, len(e.w.out)); err != nil {
		return e.fail(err)
	}
	return e.failIf(e.w.put(':'))
}

func (e *Encoder) misuse(what string) error {
	return fault.At(fault.InternalError, e.w.here(), "canon: %s", what)
}

func (e *Encoder) fail(err error) error {
	e.err = err
	return err
}

func (e *Encoder) failIf(err error) error {
	if err != nil {
		e.err = err
	}
	return err
}

// isInteger tells whether s is an integer in JSON's syntax.
func isInteger(s string) bool {
	if len(s) > 0 && s[0] == '-' {
		s = s[1:]
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) == 1 || len(s) > 1 && s[0] != '0'
}
