package wasmbin

import "fmt"

// stackPointer is the name under which a linker exports the one global that may
// change: code leaves it as it found it.
const stackPointer = "__stack_pointer"

// Policy is what a guest may need and must offer.
type Policy struct {
	Imports map[string]bool // "module.name" of every function that may be imported
	Exports []string        // functions that must exist, without parameters and with one result
}

// Check reports the first way in which the module does not fit the policy or
// keeps state outside its memory.
func (m *Module) Check(p Policy) error {
	for _, i := range m.imports {
		if !p.Imports[i.String()] {
			return fmt.Errorf("%w: it imports %.80q, which no guest may", ErrMalformed, i.String())
		}
	}
	if e, ok := m.exports["memory"]; !ok || e.kind != memoryKind || m.pages == 0 {
		return fmt.Errorf("%w: it has no memory of its own that it exports", ErrMalformed)
	}
	for _, name := range p.Exports {
		if err := m.checkFunction(name); err != nil {
			return err
		}
	}
	pointer, ok := m.exports[stackPointer]
	for i, g := range m.globals {
		if g.mutable && !(ok && pointer.kind == globalKind && pointer.index == uint32(i)) {
			return fmt.Errorf("%w: global %d changes and is not %s", ErrMalformed, i, stackPointer)
		}
	}
	return nil
}

func (m *Module) checkFunction(name string) error {
	e, ok := m.exports[name]
	own := int64(e.index) - int64(len(m.imports))
	if !ok || e.kind != functionKind || own < 0 || own >= int64(len(m.functions)) {
		return fmt.Errorf("%w: it exports no function %s", ErrMalformed, name)
	}
	if s := m.types[m.functions[own]]; s != (signature{results: 1}) {
		return fmt.Errorf("%w: %s takes %d and returns %d values", ErrMalformed, name, s.params, s.results)
	}
	return nil
}
