package extismbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"toolplane/adapters/extismbox/memory"
	"toolplane/adapters/extismbox/statedir"
	"toolplane/adapters/extismbox/wasmbin"
)

// tickPeriod is the number of loop iterations between two ticks. Less costs the
// guest speed, more makes stops late; see docs/benchmarks.md.
const tickPeriod = 10_000

// unused is the age at which files go when a new version of the guest comes.
const unused = 30 * 24 * time.Hour

// builder makes an engine step by step and takes from the state directory what
// was made before.
type builder struct {
	ctx      context.Context // ends when nobody waits any more
	guest    guest
	options  Options
	dir      *statedir.Dir // nil without one
	original *wasmbin.Module
	hollow   string // name of the hollow module's file
	entry    string // name of the file that tells where its compiled code is
	image    string // name of the image's file
	trusting bool   // the compiled code of an earlier process is used
}

// openEngine makes the engine, in tens of milliseconds when everything was made
// before. It gives up soon after ctx has ended.
func openEngine(ctx context.Context, source guest, options Options) (*Engine, error) {
	b := &builder{ctx: ctx, guest: source, options: options}
	module := key("module", source.hash, fmt.Sprint(wasmbin.DeriveVersion, tickPeriod), wazeroVersion(), runtime.GOARCH)
	b.hollow, b.entry = module+".wasm", module+".entry"
	b.image = key("image", module, string(source.prelude)) + ".image"
	if options.Dir != "" {
		dir, err := statedir.Open(options.Dir)
		if err != nil {
			return nil, err
		}
		defer dir.Close()
		b.dir = dir
	}
	e, err := b.open()
	if err != nil && b.trusting && ctx.Err() == nil {
		b.notStored("compiled code", err)
		b.forgetCompiled()
		e, err = b.open()
	}
	if b.original != nil {
		debug.FreeOSMemory() // compiling has taken hundreds of megabytes
	}
	return e, err
}

func (b *builder) open() (*Engine, error) {
	e := &Engine{logger: b.options.Logger, paranoid: b.options.Paranoid, codes: newCodes()}
	if err := b.build(e); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// key names a file by everything that shapes it.
func key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// wazeroVersion returns the version of the engine in this program.
func wazeroVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/tetratelabs/wazero" {
			return m.Version
		}
	}
	return "unknown"
}

func (b *builder) build(e *Engine) error {
	var err error
	if e.strategy, err = memory.OpenStrategy(b.options.Reset); err != nil {
		return err
	}
	if err = b.compile(e); err != nil {
		return err
	}
	if err = b.ctx.Err(); err != nil {
		return err
	}
	if err = b.openImage(e); err != nil {
		return err
	}
	e.pool = newPool(e, b.options.Ready)
	if !b.trusting {
		return nil
	}
	slot, err := e.primedSlot() // whether the code can be trusted shows in a guest
	if err == nil {
		e.pool.add(slot)
	}
	return err
}

// parseOriginal unpacks and checks the guest's module, once.
func (b *builder) parseOriginal() (*wasmbin.Module, error) {
	if b.original != nil {
		return b.original, nil
	}
	b.options.Progress("unpacking the Python interpreter, once for this machine")
	wasm, err := b.guest.module()
	if err != nil {
		return nil, err
	}
	m, err := wasmbin.Parse(wasm)
	if err != nil {
		return nil, err
	}
	if err := m.Check(wasmbin.Policy{Imports: allowedImports(), Exports: []string{initExport, runExport, primeExport, precompileExport}}); err != nil {
		return nil, err
	}
	b.original = m
	return m, nil
}

// notStored tells that something has to be made again next time.
func (b *builder) notStored(what string, err error) {
	b.options.Logger.Warn("the cache directory does not take what was made", slog.String("what", what), slog.Any("error", err))
}

// openImage maps the stored image, or makes it.
func (b *builder) openImage(e *Engine) error {
	if b.dir != nil {
		f, size, err := b.dir.Open(b.image)
		if err == nil {
			return e.useStored(f, size)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	content, err := b.initialise(e)
	if err != nil {
		return err
	}
	if b.dir != nil {
		f, size, err := b.storeImage(content)
		if err == nil {
			return e.useStored(f, size)
		}
		b.notStored("image", err)
	}
	return e.useImage(content)
}

func (b *builder) storeImage(content []byte) (*os.File, int64, error) {
	write := func(f *os.File) error { return memory.WriteSparse(f, content) }
	if err := b.dir.Write(b.image, int64(len(content)), write); err != nil {
		return nil, 0, err
	}
	return b.dir.Open(b.image)
}

// initialise starts the guest on the memory that its data segments describe.
// It returns the memory afterwards, followed by the guest's signal block.
func (b *builder) initialise(e *Engine) ([]byte, error) {
	original, err := b.parseOriginal()
	if err != nil {
		return nil, err
	}
	b.options.Progress("starting it once, to keep its memory")
	initial, err := original.Image()
	if err != nil {
		return nil, err
	}
	image, err := memory.NewImage(initial)
	if err != nil {
		return nil, err
	}
	e.image = image
	content, err := e.initialise(b.ctx, b.guest.prelude)
	e.image = nil
	return content, errors.Join(err, image.Close())
}
