package wasmbin

import (
	"fmt"
	"slices"
)

// DeriveVersion changes whenever Derive or Image give other results for the
// same module, so that stored results can be told apart.
const DeriveVersion = 1

// MaxPages is the most that a derived module's memory may grow to: four
// gigabytes less one page, so that an end address always fits 32 bits.
const MaxPages = 1<<16 - 1

// Options shape a derived module.
type Options struct {
	Tick   string // the import, "module.name", that counters call; it takes and returns nothing
	Period int32  // loop iterations between two ticks; more than 0
}

// Derive returns the module without its data and with counters: at every loop,
// and weighted by size at bulk memory operations, a global that the guest
// cannot address is counted down, and at zero Tick is called.
func (m *Module) Derive(o Options) ([]byte, error) {
	tick := slices.IndexFunc(m.imports, func(i Import) bool { return i.String() == o.Tick })
	if tick < 0 || m.types[m.imports[tick].signature] != (signature{}) {
		return nil, fmt.Errorf("%w: it does not import %s as a function without parameters and results", ErrMalformed, o.Tick)
	}
	if o.Period <= 0 {
		return nil, fmt.Errorf("a period of %d; give more than 0", o.Period)
	}
	c := counter{global: uint32(len(m.globals)), tick: uint32(tick), period: o.Period}
	out, counted := []byte(magic), false
	for _, s := range m.sections {
		if !counted && s.id != customSection && sectionOrder[s.id] >= sectionOrder[globalSection] {
			out = appendSection(out, globalSection, m.globalsWith(o.Period))
			counted = true
		}
		switch s.id {
		case globalSection, dataSection, dataCountSection:
		case memorySection:
			limits := appendU32([]byte{1, flagHasMax}, m.pages)
			out = appendSection(out, memorySection, appendU32(limits, MaxPages))
		case codeSection:
			code, err := m.instrument(c)
			if err != nil {
				return nil, err
			}
			out = appendSection(out, codeSection, code)
		default:
			out = appendSection(out, s.id, s.data)
		}
	}
	return out, nil
}

// Hollow returns a module that is the same as the given one but for its
// functions: each of them traps at once.
func Hollow(wasm []byte) ([]byte, error) {
	m, err := Parse(wasm)
	if err != nil {
		return nil, err
	}
	out := []byte(magic)
	for _, s := range m.sections {
		if s.id == codeSection {
			s.data = appendU32(nil, uint32(len(m.bodies)))
			for range m.bodies {
				s.data = append(s.data, 3, 0, opUnreachable, endOfCode)
			}
		}
		out = appendSection(out, s.id, s.data)
	}
	return out, nil
}

func appendSection(out []byte, id byte, data []byte) []byte {
	out = appendU32(append(out, id), uint32(len(data)))
	return append(out, data...)
}

// globalsWith returns the global section with the counter added at its end.
func (m *Module) globalsWith(period int32) []byte {
	data := appendU32(nil, uint32(len(m.globals))+1)
	for _, s := range m.sections {
		if s.id == globalSection {
			r := &reader{data: s.data}
			r.u32()
			data = append(data, s.data[r.at:]...)
		}
	}
	data = append(data, valueTypeI32, 1, constI32)
	return append(appendS32(data, period), endOfCode)
}

// Image returns the memory as it is before any code has run: the data segments
// in their places.
func (m *Module) Image() ([]byte, error) {
	image := make([]byte, uint64(m.pages)*pageSize)
	for i, s := range m.segments {
		if uint64(s.offset)+uint64(len(s.data)) > uint64(len(image)) {
			return nil, fmt.Errorf("%w: data segment %d leaves the memory", ErrMalformed, i)
		}
		copy(image[s.offset:], s.data)
	}
	return image, nil
}
