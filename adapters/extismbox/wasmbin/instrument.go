package wasmbin

import "fmt"

// bulkShift weighs bulk memory operations: 256 bytes count as one iteration.
const bulkShift = 8

// emptyBlock is the type of a block without parameters and results.
const emptyBlock = 0x40

// counter is what is inserted into a module's code.
type counter struct {
	global uint32 // counts down to 0
	tick   uint32 // the function to call then
	period int32
}

// fire appends: if the condition on the stack holds, start over and tick.
func (c counter) fire(code []byte) []byte {
	code = append(code, opIf, emptyBlock, constI32)
	code = appendS32(code, c.period)
	code = appendU32(append(code, opGlobalSet), c.global)
	code = appendU32(append(code, opCall), c.tick)
	return append(code, opEnd)
}

// atLoop appends what counts one iteration. It leaves the operands of a loop
// with parameters alone.
func (c counter) atLoop(code []byte) []byte {
	code = appendU32(append(code, opGlobalGet), c.global)
	code = append(code, constI32, 1, opI32Sub)
	code = appendU32(append(code, opGlobalSet), c.global)
	code = appendU32(append(code, opGlobalGet), c.global)
	return c.fire(append(code, opI32Eqz))
}

// afterBulk appends what counts the bytes whose number is in a local. The
// counter may fall below zero here, never further than the size of a memory.
func (c counter) afterBulk(code []byte, local uint32) []byte {
	code = appendU32(append(code, opGlobalGet), c.global)
	code = appendU32(append(code, opLocalGet), local)
	code = append(code, constI32, bulkShift, opI32ShrU, opI32Sub)
	code = appendU32(append(code, opGlobalSet), c.global)
	code = appendU32(append(code, opGlobalGet), c.global)
	return c.fire(append(code, constI32, 1, opI32LtS))
}

// instrument returns the code section with counters.
func (m *Module) instrument(c counter) ([]byte, error) {
	section := appendU32(nil, uint32(len(m.bodies)))
	var code []byte
	for i, b := range m.bodies {
		spare := uint32(m.types[m.functions[i]].params) + b.count
		instrumented, usesSpare, err := c.body(code[:0], b.code, spare)
		if err != nil {
			return nil, fmt.Errorf("function %d: %w", len(m.imports)+i, err)
		}
		code = instrumented
		head := appendU32(nil, b.groups)
		if usesSpare {
			head = appendU32(nil, b.groups+1)
		}
		head = append(head, b.locals...)
		if usesSpare {
			head = append(head, 1, valueTypeI32)
		}
		section = appendU32(section, uint32(len(head)+len(code)))
		section = append(append(section, head...), code...)
	}
	return section, nil
}

// body appends a function's code with counters to out. spare is the index of a
// local that the function does not have yet.
func (c counter) body(out, code []byte, spare uint32) (_ []byte, usesSpare bool, _ error) {
	r := &reader{data: code}
	done, open := 0, 1
	for r.more() {
		i := r.next()
		if immediates[i.op] == blockType {
			open++
		} else if i.op == opEnd {
			open--
		}
		switch {
		case r.err != nil:
		case (open == 0) != (i.to == len(code)):
			r.fail("the end of a function is not where its blocks end")
		case i.op == opLoop:
			out = c.atLoop(append(out, code[done:i.to]...))
			done = i.to
		case i.isBulk():
			out = append(out, code[done:i.from]...)
			out = appendU32(append(out, opLocalTee), spare)
			out = append(out, code[i.from:i.to]...)
			out = c.afterBulk(out, spare)
			done, usesSpare = i.to, true
		}
	}
	return append(out, code[done:]...), usesSpare, r.err
}
