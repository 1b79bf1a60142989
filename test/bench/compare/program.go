package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"toolplane/test/bench"
)

// program is the built command and where it keeps what it made before.
type program struct {
	binary string
	cache  string
}

// startUp is how long `toolplane run -c 'return 1+1'` takes as a process, by
// what of the cache is there.
type startUp struct {
	warm, nothing, codeOnly, imageOnly bench.Summary
}

// files is what the cache holds, in bytes.
type files struct {
	module, image, imageOnDisk, code, binary int64
}

// idle is what a server takes that waits for work.
type idle struct {
	rss, anonymous int64 // bytes; 0 where the system does not say
	call           bench.Summary
}

func buildProgram(ctx context.Context, root, dir string) (program, error) {
	p := program{binary: filepath.Join(dir, "toolplane"), cache: filepath.Join(dir, "cache")}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", p.binary, "./cmd/toolplane")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is shipped
	if out, err := cmd.CombinedOutput(); err != nil {
		return p, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return p, nil
}

// once runs the program and returns how long that took.
func (p program) once(ctx context.Context) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, p.binary, "run", "-c", "return 1+1")
	cmd.Env = append(os.Environ(), "TOOLPLANE_CACHE_DIR="+p.cache)
	begun := time.Now()
	out, err := cmd.Output()
	took := time.Since(begun)
	if err == nil && strings.TrimSpace(string(out)) != "2" {
		err = fmt.Errorf("toolplane printed %.100q", out)
	}
	return took, err
}

// many runs the program a number of times, each after the files of the cache
// that match a pattern were removed.
func (p program) many(ctx context.Context, n int, remove string) (bench.Summary, error) {
	var times []time.Duration
	for range n {
		if remove != "" {
			found, err := filepath.Glob(filepath.Join(p.cache, remove))
			if err != nil {
				return bench.Summary{}, err
			}
			for _, name := range found {
				if err := os.RemoveAll(name); err != nil {
					return bench.Summary{}, err
				}
			}
		}
		took, err := p.once(ctx)
		if err != nil {
			return bench.Summary{}, err
		}
		times = append(times, took)
	}
	return bench.Summarize(times), nil
}

func (p program) startUp(ctx context.Context, warm, cold int) (startUp, error) {
	var s startUp
	var errs [4]error
	s.nothing, errs[0] = p.many(ctx, cold, "*")
	s.codeOnly, errs[1] = p.many(ctx, cold, "*.image*")
	s.imageOnly, errs[2] = p.many(ctx, cold, "wazero")
	s.warm, errs[3] = p.many(ctx, warm, "")
	return s, errors.Join(errs[:]...)
}

func (p program) files() (files, error) {
	var f files
	info, err := os.Stat(p.binary)
	if err != nil {
		return f, err
	}
	f.binary = info.Size()
	return f, filepath.WalkDir(p.cache, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".wasm":
			f.module += info.Size()
		case ".image":
			f.image += info.Size()
			f.imageOnDisk += onDisk(info)
		default:
			f.code += info.Size()
		}
		return nil
	})
}

// settled is when a server that has nothing to do has given back what it does
// not need: it looks after three seconds.
const settled = 5 * time.Second

// idleServer starts `toolplane serve mcp`, has it run `1+1` a number of times
// and looks at it when it is idle.
func (p program) idleServer(ctx context.Context, calls int, rest time.Duration) (idle, error) {
	var result idle
	c, err := startServer(ctx, p)
	if err != nil {
		return result, err
	}
	var answer struct {
		Result struct {
			Content struct {
				OK bool `json:"ok"`
			} `json:"structuredContent"`
		}
	}
	ask := func(id int, method string, params map[string]any) error {
		answer.Result.Content.OK = false
		return errors.Join(c.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}), c.receive(&answer))
	}
	err = ask(0, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"},
	})
	if err == nil {
		err = c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	var times []time.Duration
	for i := 0; i < calls && err == nil; i++ {
		begun := time.Now()
		err = ask(i+1, "tools/call", map[string]any{"name": "execute_code", "arguments": map[string]any{"code": bench.Fresh.NewPythonFor("")}})
		times = append(times, time.Since(begun))
		if err == nil && !answer.Result.Content.OK {
			err = errors.New("execute_code did not succeed")
		}
	}
	if err == nil {
		result.call = bench.Summarize(times[1:]) // the first one may wait for the interpreter
		time.Sleep(rest)
		result.rss, result.anonymous = memoryOf(c.cmd.Process.Pid)
	}
	return result, errors.Join(err, c.end())
}

func startServer(ctx context.Context, p program) (*child, error) {
	return startChild(ctx, filepath.Dir(p.binary), "env", "TOOLPLANE_CACHE_DIR="+p.cache, p.binary, "serve", "mcp")
}

// memoryOf returns the resident memory of a process, and what of it is backed by
// no file; zeros where /proc does not say.
func memoryOf(pid int) (rss, anonymous int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		kB, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			continue
		}
		switch words[0] {
		case "VmRSS:":
			rss = kB << 10
		case "RssAnon:":
			anonymous = kB << 10
		}
	}
	return rss, anonymous
}
