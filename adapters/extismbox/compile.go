package extismbox

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	"toolplane/adapters/extismbox/wasmbin"
)

// engineCache is where wazero keeps compiled code, below the state directory.
const engineCache = "wazero"

// temporaryCache begins the names of directories for code that is being
// compiled; statedir removes what a crash leaves in them.
const temporaryCache = ".new-wazero-"

// compile has the guest's module compiled, or loads what was compiled before.
//
// wazero decodes, validates and hashes a module before it looks for its compiled
// code, which takes most of the time of a start, and keeps its instructions in
// memory. So the code is put where it is that of a hollow module, which is the
// same but for its functions, none of which does anything. Should wazero ever
// compile that one, the guest traps at its first call, and all is made anew.
func (b *builder) compile(e *Engine) error {
	b.trusting = false
	if b.dir == nil {
		module, err := b.derivedModule()
		if err != nil {
			return err
		}
		return e.compile(b.ctx, module, wazero.NewCompilationCache())
	}
	if hollow := b.storedHollow(); hollow != nil {
		b.trusting = true
		return e.compileWith(b.ctx, b.cachePath(), hollow)
	}
	return b.compileAnew(e)
}

// storedHollow returns the hollow module if there is compiled code for it.
func (b *builder) storedHollow() []byte {
	entry, err := b.dir.ReadBytes(b.entry)
	if err != nil || !filepath.IsLocal(string(entry)) {
		return nil
	}
	if _, err := os.Stat(filepath.Join(b.cachePath(), string(entry))); err != nil {
		return nil
	}
	hollow, err := b.dir.ReadBytes(b.hollow)
	if err != nil {
		return nil
	}
	return hollow
}

func (b *builder) cachePath() string { return filepath.Join(b.dir.Path(), engineCache) }

// forgetCompiled removes compiled code that turned out to be of no use.
func (b *builder) forgetCompiled() {
	if err := errors.Join(os.RemoveAll(b.cachePath()), b.dir.Remove(b.entry)); err != nil {
		b.notStored("compiled code", err)
	}
}

func (b *builder) derivedModule() ([]byte, error) {
	original, err := b.parseOriginal()
	if err != nil {
		return nil, err
	}
	module, err := original.Derive(wasmbin.Options{Tick: tickImport, Period: tickPeriod})
	if err != nil {
		return nil, err
	}
	b.options.Progress("compiling it for this machine")
	return module, nil
}

// compileAnew compiles the module and stores the code.
func (b *builder) compileAnew(e *Engine) error {
	module, err := b.derivedModule()
	if err != nil {
		return err
	}
	b.dir.Prune(unused)
	made, err := os.MkdirTemp(b.dir.Path(), temporaryCache)
	if err == nil {
		defer os.RemoveAll(made)
		if err = e.compileWith(b.ctx, made, module); err == nil {
			err = b.store(module, made)
		}
	}
	switch {
	case b.ctx.Err() != nil:
		return b.ctx.Err()
	case err != nil:
		b.notStored("compiled code", err)
	}
	if e.plugin == nil {
		return e.compile(b.ctx, module, wazero.NewCompilationCache())
	}
	return nil
}

// store moves compiled code to where it is that of the hollow module. That
// wazero's name for it does not tell, so the hollow module is compiled once too.
func (b *builder) store(module []byte, made string) error {
	hollow, err := wasmbin.Hollow(module)
	if err != nil {
		return err
	}
	tried, err := os.MkdirTemp(b.dir.Path(), temporaryCache)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tried)
	trial := new(Engine)
	if err := errors.Join(trial.compileWith(b.ctx, tried, hollow), trial.Close()); err != nil {
		return err
	}
	full, err := filesBelow(made)
	if err != nil {
		return err
	}
	empty, err := filesBelow(tried)
	if err != nil {
		return err
	}
	entry := ""
	for name := range empty {
		if !full[name] {
			entry = name
		}
	}
	if entry == "" {
		return errors.New("wazero keeps the code of the hollow module where that of the full one is")
	}
	for name := range full {
		target := name
		if !empty[name] {
			target = entry
		}
		if err := move(filepath.Join(made, name), filepath.Join(b.cachePath(), target)); err != nil {
			return err
		}
	}
	return errors.Join(b.dir.WriteBytes(b.hollow, hollow), b.dir.WriteBytes(b.entry, []byte(entry)))
}

// filesBelow returns the paths of all files below a directory, from there on.
func filesBelow(dir string) (map[string]bool, error) {
	files := map[string]bool{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files[filepath.FromSlash(path)] = true
		}
		return err
	})
	return files, err
}

func move(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// compileWith compiles with a cache in a directory.
func (e *Engine) compileWith(ctx context.Context, path string, module []byte) error {
	cache, err := wazero.NewCompilationCacheWithDir(path)
	if err != nil {
		return err
	}
	if err := e.compile(ctx, module, cache); err != nil {
		e.cache, e.plugin = nil, nil
		return errors.Join(err, cache.Close(context.Background()))
	}
	return nil
}

// compile takes over the cache. Nothing of Extism that a guest could reach is
// on: no hosts, paths, variables, configuration, WASI or timeout (a timeout
// would make wazero check for it in every function).
func (e *Engine) compile(ctx context.Context, module []byte, cache wazero.CompilationCache) error {
	manifest := extism.Manifest{
		Wasm:   []extism.Wasm{extism.WasmData{Data: module, Name: "main"}},
		Memory: &extism.ManifestMemory{MaxHttpResponseBytes: 0, MaxVarBytes: 0},
	}
	config := extism.PluginConfig{
		RuntimeConfig: wazero.NewRuntimeConfigCompiler().WithCompilationCache(cache).WithDebugInfoEnabled(false),
	}
	ctx = experimental.WithFunctionListenerFactory(ctx, witness{})
	const least = 2 // one alone does not heed the end of ctx
	ctx = experimental.WithCompilationWorkers(ctx, max(least, runtime.GOMAXPROCS(0)))
	var err error
	e.cache = cache
	e.plugin, err = extism.NewCompiledPlugin(ctx, manifest, config, append(hostFunctions(), wasiFunctions()...))
	return err
}
