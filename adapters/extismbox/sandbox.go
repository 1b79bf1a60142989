// Package extismbox is the sandbox that runs snippets in real CPython, compiled
// to WebAssembly, under Extism and wazero.
//
// The interpreter is started once and its memory kept as an image; every run
// begins on a private copy of that image and sees nothing of any other run. The
// guest reaches the host through four functions only, each checked against the
// memory that the host itself mapped, and through a stateless imitation of
// WASI without files, sockets, environment or arguments. A run can be stopped at any
// point: counters in the derived module call the host every few microseconds of
// work. Other packages use Sandbox as a ports.Sandbox.
package extismbox

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Options change how a Sandbox works. The zero Options are useful.
type Options struct {
	// Dir is the directory for what is expensive to make: the derived module,
	// compiled code, the memory image. It must be this user's alone. "" keeps
	// everything in memory.
	Dir string

	// Progress is told what is being done when something expensive has to be
	// made, which takes a second or two. It may be nil.
	Progress func(step string)

	// Logger gets defects, each under the id that the snippet sees. nil logs
	// nothing.
	Logger *slog.Logger

	// Ready is the number of slots that are kept for coming runs; 0 means two
	// for each processor.
	Ready int

	// Reset names the way in which slots are made pristine again: "scan",
	// "pagemap", "remap" or "copy", as far as the system has it. "" takes the
	// fastest.
	Reset string

	// Paranoid compares the whole memory with the image after every reset; a
	// difference is an error of the run.
	Paranoid bool
}

// Sandbox runs snippets. It may be shared.
type Sandbox struct {
	options Options

	life context.Context // ends when the sandbox closes
	end  context.CancelFunc
	work sync.WaitGroup // runs and opening

	closing  sync.Once
	closeErr error

	mu     sync.Mutex
	open   *opening
	closed bool
}

// opening is an engine on its way.
type opening struct {
	done   chan struct{}
	engine *Engine
	err    error
}

var _ ports.Sandbox = (*Sandbox)(nil)

var errClosed = errors.New("the sandbox is closed")

// New returns a sandbox. Nothing expensive happens before Prepare or the first
// Run.
func New(options Options) (*Sandbox, error) {
	s := &Sandbox{options: withDefaults(options)}
	s.life, s.end = context.WithCancel(context.Background())
	return s, nil
}

func withDefaults(options Options) Options {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	if options.Progress == nil {
		options.Progress = func(string) {}
	}
	return options
}

// Prepare makes the sandbox ready to run, so that the first Run need not. It is
// worth calling ahead of time; ctx ends the waiting, not the work.
func (s *Sandbox) Prepare(ctx context.Context) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.work.Done()
	engine, err := s.engine(ctx)
	if err != nil {
		return err
	}
	return engine.pool.prepare()
}

// enter counts a caller in, who leaves by s.work.Done.
func (s *Sandbox) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	s.work.Add(1)
	return nil
}

// engine returns the engine, which the first caller opens. After a failure the
// next caller tries again.
func (s *Sandbox) engine(ctx context.Context) (*Engine, error) {
	s.mu.Lock()
	o := s.open
	if o == nil {
		o = &opening{done: make(chan struct{})}
		s.open = o
		s.work.Go(func() { s.openEngine(o) })
	}
	s.mu.Unlock()
	select {
	case <-o.done:
		return o.engine, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Sandbox) openEngine(o *opening) {
	o.engine, o.err = openEngine(s.life, embeddedGuest(), s.options)
	if o.err != nil {
		s.mu.Lock()
		s.open = nil
		s.mu.Unlock()
	}
	close(o.done)
}

// Run carries out a job; see ports.Sandbox.
func (s *Sandbox) Run(ctx context.Context, job run.Job, bridge ports.Bridge) (run.Report, error) {
	if err := s.enter(); err != nil {
		return run.Report{}, err
	}
	defer s.work.Done()
	if err := job.Limits.Validate(); err != nil {
		return run.Report{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()

	engine, err := s.engine(ctx)
	switch {
	case ctx.Err() != nil:
		return run.Report{Failure: run.Stop(cancelled())}, nil
	case err != nil:
		return run.Report{}, err
	default:
		return engine.run(ctx, &job, bridge)
	}
}

// cancelled is why a run that its client gave up ended.
func cancelled() *fault.Fault {
	return fault.New(fault.RunCancelled, "the run was cancelled before it ended")
}

// Close stops the runs that go on, waits for them and frees everything.
func (s *Sandbox) Close() error {
	s.closing.Do(func() { s.closeErr = s.close() })
	return s.closeErr
}

func (s *Sandbox) close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.work.Wait()
	if s.open == nil || s.open.engine == nil {
		return nil
	}
	return s.open.engine.Close()
}
