package wasmbin_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/matryer/is"
	"github.com/tetratelabs/wazero"

	"toolplane/adapters/extismbox/wasmbin"
)

// countdown is instructions that count local 0 down to 0 in a loop of the given
// block type, with the sum of all values in local 1.
func countdown(blockType ...byte) []byte {
	return join([]byte{0x03}, blockType, []byte{
		0x20, 1, 0x20, 0, 0x6a, 0x21, 1, // sum += n
		0x20, 0, 0x41, 1, 0x6b, 0x22, 0, // n--
		0x0d, 0, // again unless 0
		0x0b,
	})
}

var oneLocal = [][]byte{{1, i32}}

func TestLoopsTickOncePerPeriod(t *testing.T) {
	sum := []byte{0x20, 1} // the result
	for _, c := range []struct {
		name string
		body []byte
	}{
		{"plain loop", join(countdown(0x40), sum)},
		{"loop in a block", join([]byte{0x02, 0x40}, countdown(0x40), []byte{0x0b}, sum)},
		{"loop in if and else", join([]byte{0x41, 1, 0x04, 0x40}, countdown(0x40), []byte{0x05, 0x01, 0x0b}, sum)},
		{"loop with operands below it", join([]byte{0x41, 0}, countdown(0x40), sum, []byte{0x6a})},
		{"loop with a result", join(
			[]byte{0x03, i32, 0x20, 1, 0x20, 0, 0x6a, 0x21, 1, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x20, 1, 0x0b})},
		{"loop with a parameter", join(
			[]byte{0x41, 0, 0x03, passType, 0x20, 0, 0x6a, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b})},
		{"loop by table", join(
			[]byte{0x02, 0x40, 0x03, 0x40, 0x20, 1, 0x20, 0, 0x6a, 0x21, 1, 0x20, 0, 0x41, 1, 0x6b, 0x21, 0, 0x20, 0, 0x45, 0x0e, 1, 0, 1, 0x0b, 0x0b}, sum)},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			m := plain(oneLocal, c.body...)
			is.Equal(start(t, m.bytes()).run(t, 1000), uint64(500500)) // the case itself is right
			i := start(t, derive(t, m, 10))
			is.Equal(i.run(t, 1000), uint64(500500)) // the same result
			is.Equal(i.ticks, 100)                   // and a tick for every ten iterations
			i.run(t, 5)
			is.Equal(i.ticks, 100) // the count goes on from call to call
			i.run(t, 5)
			is.Equal(i.ticks, 101)
		})
	}
}

func TestNestedLoopsAreAllCounted(t *testing.T) {
	is := is.New(t)
	// local 1 counts what the inner loop does; the inner loop runs 10 times.
	inner := []byte{0x41, 10, 0x21, 2, 0x03, 0x40, 0x20, 1, 0x41, 1, 0x6a, 0x21, 1, 0x20, 2, 0x41, 1, 0x6b, 0x22, 2, 0x0d, 0, 0x0b}
	body := join([]byte{0x03, 0x40}, inner, []byte{0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 1})
	i := start(t, derive(t, plain([][]byte{{2, i32}}, body...), 11))
	is.Equal(i.run(t, 100), uint64(1000)) // 100 times 10
	is.Equal(i.ticks, 100)                // 100 outer and 1000 inner iterations
}

func TestBulkOperationsCountBySize(t *testing.T) {
	fill := []byte{0x41, 0, 0x41, 7, 0x20, 0, 0xfc, 11, 0}                // fill 0.. with 7
	copying := []byte{0x41, 0x80, 0x08, 0x41, 0, 0x20, 0, 0xfc, 10, 0, 0} // copy 0.. to 1024..
	for _, c := range []struct {
		name  string
		body  []byte
		size  uint64
		ticks int
	}{
		{"small fill", fill, 100, 0},
		{"fill", fill, 32 << 10, 1},
		{"copy", copying, 32 << 10, 1},
		{"fill and copy", join(fill, copying), 32 << 10, 2},
		{"fill of nothing", fill, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			m := plain(nil, join(c.body, []byte{0x20, 0})...)
			want := start(t, m.bytes())
			want.run(t, c.size)
			i := start(t, derive(t, m, 100))
			is.Equal(i.run(t, c.size), c.size) // the operand is where it was
			is.Equal(i.ticks, c.ticks)         // 256 bytes are an iteration
			a, _ := want.Memory().Read(0, 64<<10)
			b, _ := i.Memory().Read(0, 64<<10)
			is.True(bytes.Equal(a, b)) // the same memory
		})
	}
}

// TestSpareLocalIsNew proves that the local for bulk sizes is none of the
// function's own, whatever groups its locals come in.
func TestSpareLocalIsNew(t *testing.T) {
	for _, locals := range [][][]byte{nil, {{0, i32}}, {{3, i64}, {2, i32}}, {{1, i32}, {1, i64}, {1, i32}}} {
		is := is.New(t)
		body := []byte{0x41, 0, 0x41, 7, 0x41, 16, 0xfc, 11, 0, 0x20, 0}
		i := start(t, derive(t, plain(locals, body...), 100))
		is.Equal(i.run(t, 41), uint64(41)) // the parameter is untouched
	}
}

func TestDerivedModuleStartsFromItsImage(t *testing.T) {
	is := is.New(t)
	m := plain(nil, 0x20, 0, 0x28, 2, 0) // load
	m.data = [][]byte{join([]byte{0, 0x41, 8, 0x0b}, name("\x2a\x00\x00\x00")), join([]byte{0, 0x41, 9, 0x0b}, name("\x01"))}
	m.extra = map[byte][]byte{12: {2}}
	parsed, err := wasmbin.Parse(m.bytes())
	is.NoErr(err)
	image, err := parsed.Image()
	is.NoErr(err)
	is.Equal(len(image), 64<<10)                              // the declared memory
	is.Equal(image[7:14], []byte{0, 0x2a, 1, 0, 0, 0, 0})     // segments in order
	is.Equal(start(t, derive(t, m, 10)).run(t, 8), uint64(0)) // and none of it in the module
	is.Equal(start(t, m.bytes()).run(t, 8), uint64(0x012a))   // where it was
	grown := start(t, derive(t, m, 10)).Memory()
	_, ok := grown.Grow(100)
	is.True(ok) // the limit is no longer the module's
}

func TestCounterIsAddedToTheGlobals(t *testing.T) {
	is := is.New(t)
	m := plain(nil, 0x23, 0, 0x23, 1, 0x6a) // two globals
	m.globals = [][]byte{{i32, 0, 0x41, 40, 0x0b}, {i32, 1, 0x41, 2, 0x0b}}
	m.extra = map[byte][]byte{0: join(name("note"), []byte("kept"))}
	out := derive(t, m, 10)
	is.Equal(start(t, out).run(t, 0), uint64(42)) // they are the same
	is.True(bytes.Contains(out, []byte("kept")))  // custom sections too
}

func TestEveryAllowedInstructionIsPassedOn(t *testing.T) {
	is := is.New(t)
	immediates := map[byte][]byte{
		0x02: {0x40, 0x0b}, 0x03: {0x40, 0x0b}, 0x04: {0x40, 0x05, 0x0b}, 0x05: nil, 0x0b: nil,
		0x0c: {0}, 0x0d: {0}, 0x0e: {2, 0, 0, 0}, 0x10: {1}, 0x11: {passType, 0},
		0x1c: {1, i32}, 0x20: {0}, 0x21: {0}, 0x22: {0}, 0x23: {0}, 0x24: {0}, 0x3f: {0}, 0x40: {0},
		0x41: {0xff, 0xff, 0xff, 0xff, 0x07}, 0x42: {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f},
		0x43: {0x0b, 0x0b, 0x0b, 0x0b}, 0x44: {3, 3, 3, 3, 3, 3, 3, 3}, 0xd0: {0x70}, 0xd2: {1},
	}
	for op := byte(0x28); op <= 0x3e; op++ {
		immediates[op] = []byte{0, 0x80, 0x01} // an offset of 128
	}
	var body []byte
	for op := 0; op < 256; op++ {
		switch {
		case op == 0x05, op == 0x0b, op == 0xfc: // else and end stand with if; the prefix below
			continue
		case !allowed(op):
			continue
		}
		body = append(append(append(body, 0x00), byte(op)), immediates[byte(op)]...) // unreachable before each: any operands do
	}
	for sub := byte(0); sub < 8; sub++ {
		body = append(body, 0x00, 0xfc, sub)
	}
	body = append(body, 0x00, 0xfc, 10, 0, 0, 0x00, 0xfc, 11, 0, 0x00)
	m := plain(nil, body...)
	m.globals = [][]byte{{i32, 1, 0x41, 0, 0x0b}}
	m.tables = [][]byte{{0x70, 0, 1}}
	m.extra = map[byte][]byte{9: {1, 3, 0, 1, 1}} // function 1 may be referred to
	start(t, m.bytes())                           // the case is a module
	out := derive(t, m, 10)
	start(t, out)                                                 // so is what is made of it
	is.Equal(bytes.Count(out, []byte{0x42, 0x80, 0x80, 0x80}), 1) // immediates survive
}

// allowed lists the single-byte opcodes that the package documents.
func allowed(op int) bool {
	in := func(from, to int) bool { return from <= op && op <= to }
	return in(0x00, 0x05) || op == 0x0b || in(0x0c, 0x11) || in(0x1a, 0x1c) || in(0x20, 0x24) || in(0x28, 0xc4) ||
		in(0xd0, 0xd2) || op == 0xfc
}

func TestOtherInstructionsAreRefused(t *testing.T) {
	is := is.New(t)
	try := func(instructions ...byte) error {
		parsed, err := wasmbin.Parse(plain(nil, instructions...).bytes())
		is.NoErr(err) // code is looked at when counters go in
		_, err = parsed.Derive(wasmbin.Options{Tick: tick, Period: 10})
		return err
	}
	for op := 0; op < 256; op++ {
		if !allowed(op) {
			is.True(errors.Is(try(byte(op), 0, 0, 0, 0), wasmbin.ErrMalformed)) // an unknown opcode
		}
	}
	for sub := byte(8); sub < 127; sub++ {
		if sub != 10 && sub != 11 {
			is.True(errors.Is(try(0xfc, sub, 0, 0), wasmbin.ErrMalformed)) // memory.init, data.drop, tables
		}
	}
	for _, c := range [][]byte{{0xfc, 10, 1, 0}, {0xfc, 11, 1}, {0x3f, 1}, {0x28, 0x40, 0, 0}, {0x41}, {0x42, 0x80}, {0x0e, 0xff, 0xff, 0x03}} {
		is.True(errors.Is(try(c...), wasmbin.ErrMalformed)) // another memory, or cut
	}
	for _, kind := range []byte{0x7b, 0x6e, 0x64, 0x63, 0x60, 0x41} {
		is.True(errors.Is(try(0x03, kind, 0x0b), wasmbin.ErrMalformed))                               // a loop of an unknown type
		is.True(errors.Is(try(0x41, 0, 0x41, 0, 0x41, 0, 0x1c, 1, kind, 0x1a), wasmbin.ErrMalformed)) // select
		is.True(errors.Is(try(0xd0, kind, 0x1a), wasmbin.ErrMalformed))                               // ref.null
	}
}

func TestHollowModuleIsTheSameButForItsFunctions(t *testing.T) {
	is := is.New(t)
	m := plain(oneLocal, join(countdown(0x40), []byte{0x20, 1})...)
	full := derive(t, m, 10)
	hollow, err := wasmbin.Hollow(full)
	is.NoErr(err)
	is.True(len(hollow) < len(full))
	again, err := wasmbin.Hollow(hollow)
	is.NoErr(err)
	is.True(bytes.Equal(again, hollow)) // nothing is left to take out

	runtime := wazero.NewRuntime(t.Context())
	defer runtime.Close(t.Context())
	f, err := runtime.CompileModule(t.Context(), full)
	is.NoErr(err)
	h, err := runtime.CompileModule(t.Context(), hollow)
	is.NoErr(err)
	is.Equal(len(h.ExportedFunctions()), len(f.ExportedFunctions()))
	is.Equal(len(h.ImportedFunctions()), len(f.ImportedFunctions()))
	is.Equal(len(h.ExportedMemories()), len(f.ExportedMemories()))

	_, err = wasmbin.Hollow([]byte("no module"))
	is.True(errors.Is(err, wasmbin.ErrMalformed))
}

func TestDeriveNeedsItsTick(t *testing.T) {
	is := is.New(t)
	parsed, err := wasmbin.Parse(plain(nil, 0x20, 0).bytes())
	is.NoErr(err)
	_, err = parsed.Derive(wasmbin.Options{Tick: "host.other", Period: 10})
	is.True(errors.Is(err, wasmbin.ErrMalformed)) // not imported
	_, err = parsed.Derive(wasmbin.Options{Tick: tick})
	is.True(err != nil) // no period
	m := plain(nil, 0x20, 0)
	m.imports = [][]byte{imported("host", "tick", 0, intType)}
	parsed, err = wasmbin.Parse(m.bytes())
	is.NoErr(err)
	_, err = parsed.Derive(wasmbin.Options{Tick: tick, Period: 10})
	is.True(errors.Is(err, wasmbin.ErrMalformed)) // of another type
}
