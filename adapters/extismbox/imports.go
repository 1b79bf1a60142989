package extismbox

import (
	"context"
	"math"

	extism "github.com/extism/go-sdk"
)

// userModule is the module that Extism gives host functions in.
const userModule = "extism:host/user"

// tickImport is the function that counters call.
const tickImport = userModule + ".tick"

// allowedImports lists every function that a guest may import.
func allowedImports() map[string]bool {
	allowed := map[string]bool{
		"extism:host/env.input_length":   true,
		"extism:host/env.input_load_u8":  true,
		"extism:host/env.input_load_u64": true,
	}
	for _, f := range append(hostFunctions(), wasiFunctions()...) {
		allowed[f.Namespace+"."+f.Name] = true
	}
	return allowed
}

// hostFunction makes a function of the guest's current execution. Parameters
// and results are written as 'i' for 32 and 'I' for 64 bits.
func hostFunction(module, name, params, results string, f func(x *execution, stack []uint64)) extism.HostFunction {
	h := extism.NewHostFunctionWithStack(name, func(ctx context.Context, _ *extism.CurrentPlugin, stack []uint64) {
		f(slotOf(ctx).current, stack)
	}, valueTypes(params), valueTypes(results))
	h.SetNamespace(module)
	return h
}

func valueTypes(letters string) []extism.ValueType {
	var types []extism.ValueType
	for _, l := range letters {
		t := extism.ValueTypeI32
		if l == 'I' {
			t = extism.ValueTypeI64
		}
		types = append(types, t)
	}
	return types
}

// hostFunctions are the guest's doors to the host.
func hostFunctions() []extism.HostFunction {
	return []extism.HostFunction{
		hostFunction(userModule, "recv", "ii", "i", func(x *execution, stack []uint64) {
			stack[0] = x.receive(stack[0], stack[1])
		}),
		hostFunction(userModule, "send", "iii", "", func(x *execution, stack []uint64) {
			x.send(field(uint32(stack[0])), x.view(stack[1], stack[2]))
			x.check()
		}),
		hostFunction(userModule, "call", "iiiiiii", "I", func(x *execution, stack []uint64) {
			m := x.serve(operation(uint32(stack[0])), x.view(stack[1], stack[2]), x.view(stack[3], stack[4]))
			x.check()
			stack[0] = x.deliver(m, stack[5], stack[6])
		}),
		hostFunction(userModule, "tick", "", "", func(x *execution, _ []uint64) {
			x.work++
			x.check()
		}),
	}
}

// receive copies the pending message to the guest if it has room for it.
func (x *execution) receive(dst, room uint64) uint64 {
	n := uint64(len(x.inbound))
	if n <= uint64(uint32(room)) {
		copy(x.view(dst, n), x.inbound)
		x.inbound = nil
	}
	return n
}

// deliver puts an answer where the guest wants it, or has it fetched, and
// returns what call returns: length or id, status and kind.
func (x *execution) deliver(m message, out, room uint64) uint64 {
	if m.status == statusPending {
		return uint64(m.id) | uint64(statusPending)<<32
	}
	n := uint64(len(m.body))
	if n > math.MaxUint32 {
		panic(errRange)
	}
	if n <= uint64(uint32(room)) {
		copy(x.view(out, n), m.body)
	} else {
		x.inbound = m.body
	}
	return n | uint64(m.status)<<32 | uint64(m.kind)<<40
}
