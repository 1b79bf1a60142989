package extismbox

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"

	"toolplane/adapters/extismbox/memory"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Engine is the compiled guest, its image and the slots that run it.
type Engine struct {
	plugin   *extism.CompiledPlugin
	cache    wazero.CompilationCache
	strategy memory.Strategy
	image    *memory.Image
	signals  signals
	pool     *pool
	logger   *slog.Logger
	paranoid bool

	codes *codes

	active atomic.Int32 // guests that run now
}

// run carries out a job in a slot of its own.
func (e *Engine) run(ctx context.Context, job *run.Job, bridge ports.Bridge) (run.Report, error) {
	if need := e.image.Size(); uint64(job.Limits.Memory) < need {
		return run.Report{}, fault.New(fault.ArgsInvalid,
			"the limit on a run's memory is %d bytes, less than the %d that the interpreter needs to start", job.Limits.Memory, need)
	}
	code := e.codes.find(job)
	slot, err := e.pool.acquire()
	if err != nil {
		return run.Report{}, err
	}
	report, err := slot.run(ctx, job, code, bridge)
	if e.paranoid {
		err = errors.Join(err, e.pool.releaseNow(slot))
	} else {
		e.pool.release(slot)
	}
	if report.Failure != nil && report.Failure.Stopped() || !e.codes.wants(job) {
		return report, err
	}
	if e.paranoid {
		e.learn(job)
	} else {
		go e.learn(job)
	}
	return report, err
}

// Close frees everything. No run may be going on.
func (e *Engine) Close() error {
	e.codes.close()
	var err error
	if e.pool != nil {
		err = e.pool.close()
	}
	if e.plugin != nil {
		err = errors.Join(err, e.plugin.Close(context.Background()))
	}
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(context.Background()))
	}
	if e.image != nil {
		err = errors.Join(err, e.image.Close())
	}
	if e.strategy != nil {
		err = errors.Join(err, e.strategy.Close())
	}
	return err
}
