package wasmbin

// Encodings that appear in several sections.
const (
	functionType  = 0x60
	flagHasMax    = 0x01
	endOfCode     = 0x0b
	constI32      = 0x41
	constI64      = 0x42
	constF32      = 0x43
	constF64      = 0x44
	refNull       = 0xd0
	refFunc       = 0xd2
	valueTypeI32  = 0x7f
	valueTypeF64  = 0x7c // with i64 and f32 in between
	funcReference = 0x70
	externalRef   = 0x6f
	activeSegment = 0
)

// isValueType reports whether values of a type are supported: numbers and the
// references of WebAssembly 2.0.
func isValueType(t byte) bool {
	return valueTypeF64 <= t && t <= valueTypeI32 || t == funcReference || t == externalRef
}

func (m *Module) parseTypes(r *reader) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		if r.byte() != functionType {
			r.fail("a type that is not a function's")
		}
		var s signature
		s.params, s.results = r.valueTypes(), r.valueTypes()
		m.types = append(m.types, s)
	}
}

func (m *Module) parseImports(r *reader) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		i := Import{Module: r.name(), Name: r.name()}
		if kind := r.byte(); kind != functionKind {
			r.fail("%.80q is imported and is no function (kind %d)", i.String(), kind)
		}
		i.signature = m.typeIndex(r)
		m.imports = append(m.imports, i)
	}
}

func (m *Module) typeIndex(r *reader) uint32 {
	t := r.u32()
	if int64(t) >= int64(len(m.types)) {
		r.fail("type %d does not exist", t)
	}
	return t
}

func (m *Module) parseFunctions(r *reader) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		m.functions = append(m.functions, m.typeIndex(r))
	}
}

func (m *Module) parseMemory(r *reader) {
	if n := r.count(); n != 1 {
		r.fail("%d memories; exactly one is supported", n)
	}
	flags := r.byte()
	if flags&^flagHasMax != 0 {
		r.fail("a shared or 64-bit memory (flags %#x)", flags)
	}
	m.pages = r.u32()
	if flags&flagHasMax != 0 {
		r.u32()
	}
	if m.pages == 0 || m.pages > maxInitialPages {
		r.fail("a memory that begins with %d pages; 1 to %d are supported", m.pages, maxInitialPages)
	}
}

func (m *Module) parseGlobals(r *reader) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		r.valueType()
		mutable := r.byte()
		if mutable > 1 {
			r.fail("mutability %#x", mutable)
		}
		constant(r)
		m.globals = append(m.globals, global{mutable: mutable == 1})
	}
}

// constant reads a constant expression. ok tells that it is one i32.const.
func constant(r *reader) (value int32, ok bool) {
	switch op := r.byte(); op {
	case constI32:
		value, ok = int32(r.signed(32)), true
	case constI64:
		r.signed(64)
	case constF32:
		r.take(4)
	case constF64:
		r.take(8)
	case refNull:
		r.valueType()
	case refFunc:
		r.u32()
	default:
		r.fail("a constant expression with opcode %#x", op)
	}
	if r.byte() != endOfCode {
		r.fail("a constant expression of several instructions")
	}
	return value, ok && r.err == nil
}

func (m *Module) parseExports(r *reader) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		name := r.name()
		m.exports[name] = export{kind: r.byte(), index: r.u32()}
	}
}

func (m *Module) parseCode(r *reader) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		code := r.take(r.u32())
		if r.err != nil {
			return
		}
		b, err := parseBody(code)
		if err != nil {
			r.err = err
			return
		}
		m.bodies = append(m.bodies, b)
	}
}

func parseBody(data []byte) (body, error) {
	r := &reader{data: data}
	b := body{groups: r.u32()}
	start, total := r.at, uint64(0)
	for n := b.groups; n > 0 && r.err == nil; n-- {
		total += uint64(r.u32())
		r.valueType()
	}
	if total >= maxLocals {
		r.fail("%d locals", total)
	}
	if r.err != nil {
		return body{}, r.err
	}
	b.count, b.locals, b.code = uint32(total), data[start:r.at], data[r.at:]
	if len(b.code) == 0 || b.code[len(b.code)-1] != endOfCode {
		r.fail("a function without an end")
	}
	return b, r.err
}

// maxInitialPages bounds what Image allocates: 256 MiB.
const maxInitialPages = 4096

// maxLocals bounds the locals of a function as engines do.
const maxLocals = 50_000

func (m *Module) parseData(r *reader) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		if flags := r.u32(); flags != activeSegment {
			r.fail("a data segment that is not active (flags %d)", flags)
		}
		offset, ok := constant(r)
		if !ok {
			r.fail("a data segment without a constant place")
		}
		m.segments = append(m.segments, segment{offset: uint32(offset), data: r.take(r.u32())})
	}
}
