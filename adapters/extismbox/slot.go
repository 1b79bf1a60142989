package extismbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero/experimental"

	"toolplane/adapters/extismbox/memory"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Exports of the guest.
const (
	initExport       = "guest_init"
	runExport        = "run"
	primeExport      = "prime"
	precompileExport = "precompile"
)

// Bounds on what the host itself has a guest do.
const (
	initTime  = time.Minute
	primeTime = 10 * time.Second
)

// kernelMemory bounds the memory of Extism's own module, which holds the
// prelude once and nothing else.
const kernelMemory = 16 << 20

// Slot is a place where the guest runs: a mapping of the image and an instance
// on top of it. It belongs to one goroutine at a time.
type Slot struct {
	engine  *Engine
	main    *memory.Mapping
	kernel  *memory.Mapping
	plugin  *extism.Plugin // nil between two instances
	exports exports
	ctx     context.Context
	current *execution // what runs now
	tainted bool       // the instance may have state outside its memory
}

type slotKey struct{}

// slotOf returns the slot whose guest made a host call.
func slotOf(ctx context.Context) *Slot { return ctx.Value(slotKey{}).(*Slot) }

// newSlot maps the image and makes an instance; the guest is not primed yet.
func (e *Engine) newSlot() (*Slot, error) {
	s := &Slot{engine: e}
	s.ctx = context.WithValue(context.Background(), slotKey{}, s)
	var err error
	if s.main, err = memory.Map(e.image, e.strategy); err != nil {
		return nil, err
	}
	if s.kernel, err = memory.Map(nil, e.strategy); err != nil {
		return nil, errors.Join(err, s.main.Release())
	}
	s.kernel.SetLimit(kernelMemory)
	if err = s.instantiate(); err != nil {
		return nil, errors.Join(err, s.discard())
	}
	return s, nil
}

// allocator gives the two memories of one instance: Extism instantiates its own
// module first.
type allocator struct{ kernel, main *memory.Mapping }

func (a *allocator) Allocate(_, _ uint64) experimental.LinearMemory {
	next := a.kernel
	a.kernel, a.main = a.main, nil
	if next == nil {
		panic(errors.New("a third memory"))
	}
	return next
}

func (s *Slot) instantiate() error {
	ctx := experimental.WithMemoryAllocator(s.ctx, &allocator{kernel: s.kernel, main: s.main})
	var err error
	s.plugin, err = s.engine.plugin.Instance(ctx, extism.PluginInstanceConfig{})
	s.exports = exports{}
	return err
}

// run carries out a job. code is what its snippet is compiled to; nil where that
// is not known.
func (s *Slot) run(ctx context.Context, job *run.Job, code []byte, bridge ports.Bridge) (run.Report, error) {
	x := newExecution(ctx, s, job, bridge)
	x.inbound, x.code = []byte(job.Code), code
	s.main.SetLimit(uint64(job.Limits.Memory))
	err := s.call(x, runExport, nil)
	x.end()
	return x.report(err), nil
}

// prepare calls one of the exports that run no snippet.
func (s *Slot) prepare(ctx context.Context, export string, input []byte, limit time.Duration) (*execution, error) {
	job := preparation(limit)
	x := newExecution(ctx, s, &job, rehearsal{})
	s.main.SetLimit(uint64(job.Limits.Memory))
	err := s.call(x, export, input)
	x.end()
	if x.reply.fatal != "" {
		err = errors.Join(errors.New(x.reply.fatal), err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", export, err)
	}
	return x, nil
}

// call calls an export. Whatever goes wrong leaves the instance tainted.
func (s *Slot) call(x *execution, export string, input []byte) (err error) {
	s.current = x
	s.engine.active.Add(1)
	defer func() {
		s.engine.active.Add(-1)
		s.current = nil
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
		if err != nil || x.stops.cause != nil {
			s.tainted = true
		}
	}()
	rc, err := s.invoke(export, input)
	if err == nil && rc != 0 {
		err = errFatal
	}
	return err
}

// errFatal means that an export gave up, after it has said why.
var errFatal = errors.New("the interpreter gave up")

// recycle makes the slot as good as new. The instance is kept if it ended well
// and did not grow: its memory is then all the state it has.
func (s *Slot) recycle() error {
	keep := !s.tainted && !s.main.Grown()
	if !keep {
		if err := s.close(); err != nil {
			return err
		}
	}
	if _, err := s.main.Reset(); err != nil {
		return err
	}
	if s.engine.paranoid {
		if at, differs := s.main.Difference(); differs {
			return fmt.Errorf("a reset left the memory different from its image at %#x", at)
		}
	}
	if !keep {
		if _, err := s.kernel.Reset(); err != nil {
			return err
		}
		if err := s.instantiate(); err != nil {
			return err
		}
		s.tainted = false
	}
	return s.prime()
}

// prime gives the guest its own randomness, ahead of the run.
func (s *Slot) prime() error {
	_, err := s.prepare(context.Background(), primeExport, nil, primeTime)
	return err
}

func (s *Slot) close() error {
	if s.plugin == nil {
		return nil
	}
	err := s.plugin.Close(s.ctx)
	s.plugin = nil
	return err
}

// discard frees the slot.
func (s *Slot) discard() error {
	return errors.Join(s.close(), s.main.Release(), s.kernel.Release())
}
