// Package wasmbin reads a WebAssembly module and derives from it the one that
// the sandbox runs.
//
// A guest is initialised once and its memory kept as an image; every run starts
// on a copy of it. So the derived module has no data segments (they are the
// image), a counter at every loop, and no state outside its memory: Parse and
// Check refuse a module that has some, uses instructions beyond the ones listed
// in opcode.go, or imports what is not allowed. Nothing here panics on any
// input, and nothing is allocated by a length that the input merely claims.
package wasmbin

import "fmt"

const (
	magic    = "\x00asm\x01\x00\x00\x00"
	pageSize = 64 << 10
)

// Section ids of the binary format, version 1.
const (
	customSection = iota
	typeSection
	importSection
	functionSection
	tableSection
	memorySection
	globalSection
	exportSection
	startSection
	elementSection
	codeSection
	dataSection
	dataCountSection
)

// sectionOrder gives the place of each section in a module.
var sectionOrder = [...]int{
	typeSection: 1, importSection: 2, functionSection: 3, tableSection: 4, memorySection: 5, globalSection: 6,
	exportSection: 7, startSection: 8, elementSection: 9, dataCountSection: 10, codeSection: 11, dataSection: 12,
}

type section struct {
	id   byte
	data []byte
}

// Module is a parsed module. It refers to the bytes it was parsed from, which
// must not change.
type Module struct {
	sections  []section
	types     []signature
	imports   []Import
	functions []uint32 // type of each own function
	pages     uint32   // the memory's initial size
	globals   []global
	exports   map[string]export
	bodies    []body
	segments  []segment
}

type signature struct{ params, results int }

// Import is a function that a module takes from its host.
type Import struct {
	Module, Name string
	signature    uint32
}

// String returns "module.name".
func (i Import) String() string { return i.Module + "." + i.Name }

type global struct{ mutable bool }

type export struct {
	kind  byte
	index uint32
}

// Kinds of what is exported or imported.
const (
	functionKind = iota
	tableKind
	memoryKind
	globalKind
)

// body is the code of one function: its locals as they stand in the module,
// then its instructions.
type body struct {
	groups uint32 // groups of locals
	count  uint32 // locals in all
	locals []byte
	code   []byte
}

// segment is an active data segment.
type segment struct {
	offset uint32
	data   []byte
}

// Parse reads a module.
func Parse(wasm []byte) (*Module, error) {
	r := &reader{data: wasm}
	if string(r.take(uint32(len(magic)))) != magic {
		return nil, fmt.Errorf("%w: it does not begin as a module of version 1", ErrMalformed)
	}
	m := &Module{exports: map[string]export{}}
	last := 0
	for r.more() {
		s := section{id: r.byte()}
		s.data = r.take(r.u32())
		if s.id >= byte(len(sectionOrder)) {
			r.fail("section %d is unknown", s.id)
		} else if s.id != customSection {
			if sectionOrder[s.id] <= last {
				r.fail("section %d is out of order", s.id)
			}
			last = sectionOrder[s.id]
		}
		m.sections = append(m.sections, s)
	}
	if r.err != nil {
		return nil, r.err
	}
	for _, s := range m.sections {
		if err := m.parseSection(s); err != nil {
			return nil, fmt.Errorf("section %d: %w", s.id, err)
		}
	}
	if len(m.bodies) != len(m.functions) {
		return nil, fmt.Errorf("%w: %d functions with %d bodies", ErrMalformed, len(m.functions), len(m.bodies))
	}
	return m, nil
}

func (m *Module) parseSection(s section) error {
	r := &reader{data: s.data}
	switch s.id {
	case typeSection:
		m.parseTypes(r)
	case importSection:
		m.parseImports(r)
	case functionSection:
		m.parseFunctions(r)
	case memorySection:
		m.parseMemory(r)
	case globalSection:
		m.parseGlobals(r)
	case exportSection:
		m.parseExports(r)
	case codeSection:
		m.parseCode(r)
	case dataSection:
		m.parseData(r)
	case startSection:
		r.fail("a start function, whose effects would not be part of the image")
	default: // tables, elements and custom sections are passed on as they are
		return nil
	}
	return r.end("section")
}
