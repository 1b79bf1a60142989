package wasmbin

// immediate is what follows an opcode in the code.
type immediate uint8

const (
	refused     immediate = iota // the zero value: instructions nobody has vetted
	nothing                      // no immediate
	blockType                    // a value type or a type index
	index                        // one index: local, global, function, label
	twoIndices                   // call_indirect
	labels                       // br_table
	types                        // select with types
	memoryPlace                  // alignment and offset
	zeroByte                     // the memory's index, which is 0
	i32Value                     // i32.const
	i64Value                     // i64.const
	fourBytes                    // f32.const
	eightBytes                   // f64.const
	heapType                     // ref.null
	prefixed                     // 0xfc and another opcode
)

// Opcodes that are named where they are handled.
const (
	opUnreachable = 0x00
	opLoop        = 0x03
	opIf          = 0x04
	opEnd         = 0x0b
	opCall        = 0x10
	opLocalGet    = 0x20
	opLocalTee    = 0x22
	opGlobalGet   = 0x23
	opGlobalSet   = 0x24
	opI32Eqz      = 0x45
	opI32LtS      = 0x48
	opI32Sub      = 0x6b
	opI32ShrU     = 0x76
	opPrefix      = 0xfc
	opMemoryCopy  = 10
	opMemoryFill  = 11
)

// immediates tells what follows each opcode: WebAssembly 1.0 with sign
// extension, the value-producing parts of the reference types, and through the
// prefix 0xfc saturating conversions and bulk memory. table.get, table.set,
// SIMD, threads, exceptions, tail calls and garbage collection stay refused.
var immediates = func() (t [256]immediate) {
	fill := func(from, to int, i immediate) {
		for op := from; op <= to; op++ {
			t[op] = i
		}
	}
	fill(0x00, 0x01, nothing)     // unreachable, nop
	fill(0x02, 0x04, blockType)   // block, loop, if
	t[0x05] = nothing             // else
	t[opEnd] = nothing            // end
	fill(0x0c, 0x0d, index)       // br, br_if
	t[0x0e] = labels              // br_table
	t[0x0f] = nothing             // return
	t[opCall] = index             // call
	t[0x11] = twoIndices          // call_indirect
	fill(0x1a, 0x1b, nothing)     // drop, select
	t[0x1c] = types               // select with types
	fill(0x20, 0x24, index)       // local.*, global.*
	fill(0x28, 0x3e, memoryPlace) // loads and stores
	fill(0x3f, 0x40, zeroByte)    // memory.size, memory.grow
	t[0x41], t[0x42], t[0x43], t[0x44] = i32Value, i64Value, fourBytes, eightBytes
	fill(0x45, 0xc4, nothing) // numeric, sign extension
	t[refNull] = heapType     // ref.null
	t[0xd1] = nothing         // ref.is_null
	t[refFunc] = index        // ref.func
	t[opPrefix] = prefixed
	return t
}()

// instruction is one decoded instruction: code[from:to] of its function.
type instruction struct {
	op       byte
	sub      uint32 // after the prefix
	from, to int
}

// isBulk reports whether the instruction's work grows with its last operand.
func (i instruction) isBulk() bool {
	return i.op == opPrefix && (i.sub == opMemoryCopy || i.sub == opMemoryFill)
}

// next reads one instruction.
func (r *reader) next() instruction {
	i := instruction{from: r.at}
	i.op = r.byte()
	switch immediates[i.op] {
	case refused:
		r.at = i.from
		r.fail("opcode %#x is not supported", i.op)
	case nothing:
	case blockType:
		r.blockType()
	case index:
		r.u32()
	case twoIndices, memoryPlace:
		if a := r.u32(); a > 31 && immediates[i.op] == memoryPlace {
			r.fail("an access to another memory")
		}
		r.u32()
	case labels:
		for n := r.count() + 1; n > 0 && r.err == nil; n-- {
			r.u32()
		}
	case types:
		r.valueTypes()
	case zeroByte:
		r.zero()
	case i32Value:
		r.signed(32)
	case i64Value:
		r.signed(64)
	case fourBytes:
		r.take(4)
	case eightBytes:
		r.take(8)
	case heapType:
		r.valueType()
	case prefixed:
		i.sub = r.prefixed()
	}
	i.to = r.at
	return i
}

// prefixed reads what follows the prefix 0xfc. memory.init, data.drop,
// elem.drop and everything that changes a table would be state outside the
// memory.
func (r *reader) prefixed() uint32 {
	sub := r.u32()
	switch {
	case sub < 8: // saturating conversions
	case sub == opMemoryCopy:
		r.zero()
		r.zero()
	case sub == opMemoryFill:
		r.zero()
	default:
		r.fail("opcode %#x %d is not supported", opPrefix, sub)
	}
	return sub
}

func (r *reader) zero() {
	if b := r.byte(); b != 0 {
		r.fail("memory %d", b)
	}
}
