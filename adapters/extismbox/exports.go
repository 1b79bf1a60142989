package extismbox

import (
	"context"
	"slices"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// keepStacks is how many calls the engine's stack of an export is kept for:
// growing it costs more than the rest of a short call, but a snippet may have
// made it large.
const keepStacks = 32

// exports is the functions of one instance.
//
// Extism makes a dozen calls into its own module around each call of a plugin,
// to pass an input and an output that only guest_init has, and each of those
// calls gets a new stack: 280 KB for a run. So Extism makes the first call of an
// instance, from which the instance's module is known, and the others are made
// directly.
type exports struct {
	module api.Module // nil before the first call
	found  map[string]api.Function
	calls  int // since found was empty
}

// invoke calls an export and returns what it returns.
func (s *Slot) invoke(export string, input []byte) (uint32, error) {
	if s.exports.module == nil || len(input) > 0 {
		rc, _, err := s.plugin.CallWithContext(s.ctx, export, input)
		return rc, err
	}
	results, err := s.exports.function(export).Call(context.WithValue(s.ctx, extism.PluginCtxKey("plugin"), s.plugin))
	if err != nil {
		return 0, err
	}
	return api.DecodeU32(results[0]), nil
}

func (e *exports) function(name string) api.Function {
	if e.calls++; e.calls > keepStacks || e.found == nil {
		e.found, e.calls = map[string]api.Function{}, 1
	}
	if e.found[name] == nil {
		e.found[name] = e.module.ExportedFunction(name)
	}
	return e.found[name]
}

// forgetStacks gives the stacks back; they are made again when they are needed.
func (e *exports) forgetStacks() { e.found = nil }

// witness is told when the export is called that every instance is first
// called by, and notes the instance's module.
type witness struct{}

var (
	_ experimental.FunctionListenerFactory = witness{}
	_ experimental.FunctionListener        = witness{}
)

func (w witness) NewFunctionListener(f api.FunctionDefinition) experimental.FunctionListener {
	if slices.Contains(f.ExportNames(), primeExport) {
		return w
	}
	return nil
}

func (witness) Before(ctx context.Context, m api.Module, _ api.FunctionDefinition, _ []uint64, _ experimental.StackIterator) {
	slotOf(ctx).exports.module = m
}

func (witness) After(context.Context, api.Module, api.FunctionDefinition, []uint64) {}

func (witness) Abort(context.Context, api.Module, api.FunctionDefinition, error) {}
