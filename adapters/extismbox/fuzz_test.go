package extismbox

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox/memory"
)

// FuzzGuest calls host functions as a hostile guest would: with any numbers, on
// any memory. They answer, or panic in one of the ways that end a run.
func FuzzGuest(f *testing.F) {
	is := is.New(f)
	image, err := memory.NewImage(make([]byte, 16*memory.PageSize))
	is.NoErr(err)
	strategy, err := memory.OpenStrategy(memory.Copy)
	is.NoErr(err)
	f.Cleanup(func() { is.NoErr(errors.Join(strategy.Close(), image.Close())) })
	functions := guestFunctions()
	for i := range functions {
		f.Add(uint8(i), uint64(0), uint64(8), uint64(64), uint64(8), uint64(128), uint64(1000), []byte("1 0"))
		f.Add(uint8(i), uint64(1), uint64(0xfffffff0), uint64(0xffffffff), uint64(1), uint64(0xffffffff), uint64(0), []byte(`{"path":"$"}`))
	}
	f.Fuzz(func(t *testing.T, which uint8, a, b, c, d, e, g uint64, content []byte) {
		is := is.New(t)
		main, err := memory.Map(image, strategy)
		is.NoErr(err)
		defer func() { is.NoErr(main.Release()) }()
		copy(main.Bytes(), content)
		engine := &Engine{logger: slog.New(slog.DiscardHandler), signals: signals{evalBreaker: 4, isTripped: 8, interrupt: 12}}
		job := preparation(5 * time.Millisecond)
		x := newExecution(context.Background(), &Slot{engine: engine, main: main}, &job, rehearsal{})
		defer x.end()
		defer func() {
			switch p := recover().(type) {
			case nil, *exit:
			case error:
				is.True(errors.Is(p, errRange) || errors.Is(p, errStopped)) // the panics that end a run
			default:
				t.Errorf("panic: %v", p)
			}
		}()
		functions[int(which)%len(functions)](x, []uint64{a, b, c, d, e, g, 0, 0, 0})
	})
}

// guestFunctions returns all that a guest may call.
func guestFunctions() []func(x *execution, stack []uint64) {
	functions := []func(x *execution, stack []uint64){
		func(x *execution, s []uint64) { x.receive(s[0], s[1]) },
		func(x *execution, s []uint64) { x.send(field(uint32(s[0]%20)), x.view(s[1], s[2])) },
		func(x *execution, s []uint64) { x.deliver(jsonMessage([]byte(`{"x":1}`)), s[0], s[1]) },
	}
	for op := range operation(10) {
		functions = append(functions, func(x *execution, s []uint64) {
			x.deliver(x.serve(op, x.view(s[0], s[1]), x.view(s[2], s[3])), s[4], s[5])
			x.check()
		})
	}
	for _, w := range wasiTable() {
		functions = append(functions, func(x *execution, s []uint64) { w.f(x, s) })
	}
	return functions
}
