package wasmbin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox/wasmbin"
)

func TestMalformedModulesAreRefused(t *testing.T) {
	good := plain(nil, 0x20, 0)
	with := func(id byte, content ...byte) []byte {
		m := good
		m.extra = map[byte][]byte{id: content}
		return m.bytes()
	}
	for name, wasm := range map[string][]byte{
		"nothing":                    nil,
		"another format":             []byte("\x7fELF\x01\x00\x00\x00"),
		"another version":            []byte("\x00asm\x02\x00\x00\x00"),
		"a cut section":              append([]byte(header), 1, 200),
		"an unknown section":         append([]byte(header), 42, 0),
		"a section twice":            append(good.bytes(), 10, 1, 0),
		"a start function":           with(8, 1),
		"no memory":                  with(5, 0),
		"two memories":               with(5, 2, 0, 1, 0, 1),
		"a shared memory":            with(5, 1, 3, 1, 2),
		"a 64-bit memory":            with(5, 1, 4, 1),
		"a memory of nothing":        with(5, 1, 0, 0),
		"a huge memory":              with(5, 1, 0, 0x80, 0x80, 0x04),
		"an imported memory":         with(2, append([]byte{1}, imported("host", "m", 2, 0, 1)...)...),
		"an imported global":         with(2, append([]byte{1}, imported("host", "g", 3, i32, 1)...)...),
		"an imported table":          with(2, append([]byte{1}, imported("host", "t", 1, 0x70, 0, 1)...)...),
		"a function of no type":      with(3, 1, 9),
		"a count that is too large":  with(1, 0xff, 0xff, 0xff, 0xff, 0x0f),
		"a type too few":             with(1, 2, 0x60, 0, 0),
		"an import too few":          with(2, append([]byte{2}, imported("host", "tick", 0, voidType)...)...),
		"a function too few":         with(3, 2, passType),
		"a global too few":           with(6, 2, i32, 0, 0x41, 0, 0x0b),
		"an export too few":          with(7, append([]byte{2}, exported("run", 0, 1)...)...),
		"a body too few":             with(10, append([]byte{2}, code(nil, 0x20, 0, 0x0b)...)...),
		"a segment too few":          with(11, 2, 0, 0x41, 0, 0x0b, 0),
		"a type that is no function": with(1, 1, 0x5f, 0),
		"a type with a vector":       with(1, 1, 0x60, 1, 0x7b, 0),
		"a local that is a vector":   with(10, 1, 4, 1, 1, 0x7b, 0x0b),
		"a global that is a vector":  with(6, 1, 0x7b, 0, 0x41, 0, 0x0b),
		"a passive data segment":     with(11, 1, 1, 1, 'x'),
		"a segment for memory 1":     with(11, 1, 2, 1, 0x41, 0, 0x0b, 0),
		"a place from a global":      with(11, 1, 0, 0x23, 0, 0x0b, 0),
		"a number too long":          with(3, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01),
		"a number too large":         with(3, 0xff, 0xff, 0xff, 0xff, 0x7f),
		"bytes after the end":        with(3, 1, passType, 0),
		"bodies without functions":   with(3, 0),
		"code without an end":        with(10, 1, 2, 0, 0x01),
		"too many locals":            with(10, 1, 8, 1, 0xff, 0xff, 0xff, 0xff, 0x0f, i32, 0x0b),
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			_, err := wasmbin.Parse(wasm)
			is.True(errors.Is(err, wasmbin.ErrMalformed)) // refused
		})
	}
}

func TestImageRefusesSegmentsOutsideTheMemory(t *testing.T) {
	is := is.New(t)
	m := plain(nil, 0x20, 0)
	m.data = [][]byte{join([]byte{0, 0x41, 0xff, 0xff, 0x03, 0x0b}, name("ab"))}
	parsed, err := wasmbin.Parse(m.bytes())
	is.NoErr(err)
	_, err = parsed.Image()
	is.True(errors.Is(err, wasmbin.ErrMalformed)) // it would leave the memory
}

func TestCheckFindsStateOutsideTheMemory(t *testing.T) {
	policy := wasmbin.Policy{Imports: map[string]bool{tick: true}, Exports: []string{"start"}}
	good := func() module {
		m := plain(nil, 0x20, 0)
		m.funcs = append(m.funcs, intType)
		m.codes = append(m.codes, code(nil, 0x41, 0, 0x0b))
		m.globals = [][]byte{{i32, 0, 0x41, 1, 0x0b}, {i32, 1, 0x41, 2, 0x0b}}
		m.exports = append(m.exports, exported("__stack_pointer", 3, 1), exported("start", 0, 2))
		return m
	}
	for _, c := range []struct {
		name   string
		change func(m *module)
		says   string // "" if it is fine
	}{
		{"a fitting module", func(*module) {}, ""},
		{"an import that is not allowed", func(m *module) {
			m.imports = append(m.imports, imported("wasi", "fd_write", 0, voidType))
			m.exports[0], m.exports[3] = exported("run", 0, 2), exported("start", 0, 3)
		}, "wasi.fd_write"},
		{"a memory that is not exported", func(m *module) { m.exports[1] = exported("other", 2, 0) }, "memory"},
		{"another global that changes", func(m *module) { m.globals[0][1] = 1 }, "global 0"},
		{"a stack pointer that is not exported", func(m *module) { m.exports[2] = exported("pointer", 3, 1) }, "global 1"},
		{"a missing export", func(m *module) { m.exports[3] = exported("begin", 0, 2) }, "start"},
		{"an export of another type", func(m *module) { m.exports[3] = exported("start", 0, 1) }, "start"},
		{"an export that is an import", func(m *module) { m.exports[3] = exported("start", 0, 0) }, "start"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			m := good()
			c.change(&m)
			parsed, err := wasmbin.Parse(m.bytes())
			is.NoErr(err) // parse
			err = parsed.Check(policy)
			is.Equal(err == nil, c.says == "")                           // refused or not
			is.True(err == nil || errors.Is(err, wasmbin.ErrMalformed))  // of the right kind
			is.True(err == nil || strings.Contains(err.Error(), c.says)) // naming what is wrong
		})
	}
}
