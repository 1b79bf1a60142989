package wasmbin_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/matryer/is"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"toolplane/adapters/extismbox/wasmbin"
)

// A hand-made module: every test states the sections it is about.
type module struct {
	types   [][]byte
	imports [][]byte
	funcs   []byte // type of each function
	memory  []byte
	globals [][]byte
	exports [][]byte
	codes   [][]byte
	data    [][]byte
	extra   map[byte][]byte // further sections by id
	tables  [][]byte
}

const header = "\x00asm\x01\x00\x00\x00"

// Value types.
const (
	i32 = 0x7f
	i64 = 0x7e
)

// leb is unsigned LEB128.
func leb(v int) []byte { return binary.AppendUvarint(nil, uint64(v)) }

func join(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func vector(items [][]byte) []byte { return append(leb(len(items)), join(items...)...) }

func name(s string) []byte { return append(leb(len(s)), s...) }

func function(params, results string) []byte {
	return join([]byte{0x60}, name(params), name(results))
}

func imported(module, field string, kind byte, rest ...byte) []byte {
	return join(name(module), name(field), []byte{kind}, rest)
}

func exported(field string, kind byte, index int) []byte {
	return join(name(field), []byte{kind}, leb(index))
}

// code is a function's body: groups of locals, then instructions.
func code(locals [][]byte, instructions ...byte) []byte {
	body := append(vector(locals), instructions...)
	return append(leb(len(body)), body...)
}

func (m module) bytes() []byte {
	out := []byte(header)
	section := func(id byte, content []byte) {
		out = append(append(append(out, id), leb(len(content))...), content...)
	}
	vectors := map[byte][][]byte{1: m.types, 2: m.imports, 4: m.tables, 6: m.globals, 7: m.exports, 10: m.codes, 11: m.data}
	for _, id := range []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11} {
		switch content, extra := m.extra[id]; {
		case extra:
			section(id, content)
		case id == 3 && m.funcs != nil:
			section(id, append(leb(len(m.funcs)), m.funcs...))
		case id == 5 && m.memory != nil:
			section(id, m.memory)
		case len(vectors[id]) > 0:
			section(id, vector(vectors[id]))
		}
	}
	return out
}

// Indices in the modules that plain makes.
const (
	voidType = 0 // () -> ()
	intType  = 1 // () -> i32
	passType = 2 // (i32) -> i32
	twoType  = 3 // (i32, i32) -> i32
	tick     = "host.tick"
)

// plain is a module with the tick import, a memory of one page and a function
// "run" that takes an i32 and returns one.
func plain(locals [][]byte, instructions ...byte) module {
	return module{
		types: [][]byte{
			function("", ""), function("", string([]byte{i32})), function(string([]byte{i32}), string([]byte{i32})),
			function(string([]byte{i32, i32}), string([]byte{i32})),
		},
		imports: [][]byte{imported("host", "tick", 0, voidType)},
		funcs:   []byte{passType},
		memory:  []byte{1, 0, 1},
		exports: [][]byte{exported("run", 0, 1), exported("memory", 2, 0)},
		codes:   [][]byte{code(locals, append(instructions, 0x0b)...)},
	}
}

func derive(t *testing.T, m module, period int32) []byte {
	t.Helper()
	is := is.New(t)
	parsed, err := wasmbin.Parse(m.bytes())
	is.NoErr(err) // parse
	out, err := parsed.Derive(wasmbin.Options{Tick: tick, Period: period})
	is.NoErr(err) // derive
	return out
}

// instance is a module under the engine, with a counting tick.
type instance struct {
	api.Module
	ticks int
}

func start(t *testing.T, wasm []byte) *instance {
	t.Helper()
	is := is.New(t)
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() { _ = runtime.Close(ctx) })
	i := &instance{}
	_, err := runtime.NewHostModuleBuilder("host").NewFunctionBuilder().WithFunc(func() { i.ticks++ }).Export("tick").Instantiate(ctx)
	is.NoErr(err) // the host module
	i.Module, err = runtime.Instantiate(ctx, wasm)
	is.NoErr(err) // the engine accepts the module
	return i
}

func (i *instance) run(t *testing.T, arg uint64) uint64 {
	t.Helper()
	result, err := i.ExportedFunction("run").Call(context.Background(), arg)
	is.New(t).NoErr(err) // it runs
	return uint64(uint32(result[0]))
}
