package wasmbin_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/tetratelabs/wazero"

	"toolplane/adapters/extismbox/wasmbin"
)

func FuzzDerive(f *testing.F) {
	m := plain(oneLocal, join(countdown(0x40), []byte{0x41, 0, 0x41, 7, 0x41, 16, 0xfc, 11, 0, 0x20, 1})...)
	m.globals = [][]byte{{i32, 1, 0x41, 40, 0x0b}}
	m.data = [][]byte{join([]byte{0, 0x41, 8, 0x0b}, name("data"))}
	m.extra = map[byte][]byte{12: {1}}
	f.Add(m.bytes())
	f.Add(plain(nil, 0x20, 0).bytes())
	f.Add([]byte(header))
	compiler := wazero.NewRuntimeWithConfig(context.Background(), wazero.NewRuntimeConfigInterpreter())
	f.Cleanup(func() { _ = compiler.Close(context.Background()) })
	// The engine allocates by the lengths that a section claims. Parse has held
	// those of the sections that it reads against what is there, so the engine is
	// asked about no others.
	valid := func(wasm []byte) bool {
		if hasUnreadSection(wasm) {
			return false
		}
		c, err := compiler.CompileModule(context.Background(), wasm)
		if err == nil {
			_ = c.Close(context.Background())
		}
		return err == nil
	}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		parsed, err := wasmbin.Parse(wasm)
		if err != nil {
			if !errors.Is(err, wasmbin.ErrMalformed) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		_ = parsed.Check(wasmbin.Policy{Imports: map[string]bool{tick: true}, Exports: []string{"run"}})
		out, err := parsed.Derive(wasmbin.Options{Tick: tick, Period: 10})
		if err != nil {
			return
		}
		if _, err := wasmbin.Parse(out); err != nil {
			t.Fatalf("what was derived cannot be parsed: %v", err)
		}
		if valid(wasm) && !valid(out) {
			t.Fatal("a valid module became an invalid one")
		}
		if out, err = wasmbin.Hollow(out); err != nil || valid(wasm) && !valid(out) {
			t.Fatalf("it cannot be made hollow: %v", err)
		}
	})
}

// hasUnreadSection reports whether a module that Parse accepts has custom
// sections, tables or elements, which are passed on as they are.
func hasUnreadSection(wasm []byte) bool {
	for rest := wasm[len(header):]; len(rest) > 0; {
		if id := rest[0]; id == 0 || id == 4 || id == 9 {
			return true
		}
		length, n := binary.Uvarint(rest[1:])
		rest = rest[1+n+int(length):]
	}
	return false
}
