// Program compare measures toolplane and what one would use in its place, in
// turn and in one run, and writes docs/benchmarks.md and docs/benchmarks.svg.
//
//	go run ./test/bench/compare [-quick] [-docs DIR]
//
// It takes about six minutes on a quiet machine and measures nothing well on a
// busy one. test/bench/install brings the peers that npm has; python3 and node
// must be there. Peers that are missing are left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"toolplane/test/bench"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(doMain(ctx, os.Args[1:], os.Stderr))
}

// effort is how much is measured.
type effort struct {
	quick      bool
	passes     int
	budget     time.Duration // for one peer's workload in one pass
	runs       int           // at most, in one pass
	rate       time.Duration // for one measurement of fresh runs a second
	warm, cold int           // processes started with and without caches
	slots      int
	counters   string // -benchtime of the benchmark of the counters
	benchmarks string // -benchtime of the Go benchmarks
}

var (
	full  = effort{passes: 5, budget: 250 * time.Millisecond, runs: 1000, rate: time.Second, warm: 30, cold: 3, slots: 40, counters: "10x", benchmarks: "2s"}
	quick = effort{quick: true, passes: 2, budget: 50 * time.Millisecond, runs: 100, rate: 200 * time.Millisecond, warm: 3, cold: 1, slots: 10, counters: "1x", benchmarks: "3x"}
)

func doMain(ctx context.Context, args []string, stderr io.Writer) int {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	short := flags.Bool("quick", false, "measure a little of everything, to see that it works")
	docs := flags.String("docs", "", "write to this folder instead of the module's docs")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return 2
	}
	e := full
	if *short {
		e = quick
	}
	if err := compare(ctx, e, *docs, func(format string, args ...any) {
		fmt.Fprintf(stderr, time.Now().Format("15:04:05 ")+format+"\n", args...)
	}); err != nil {
		fmt.Fprintln(stderr, "compare:", err)
		return 1
	}
	return 0
}

// compare measures everything and writes the documents.
func compare(ctx context.Context, e effort, docs string, say func(string, ...any)) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	if docs == "" {
		docs = filepath.Join(root, "docs")
	}
	dir, err := os.MkdirTemp("", "toolplane-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	say("building")
	r := results{effort: e, begun: time.Now(), machine: describeMachine(ctx), load: []string{loadAverage()}}
	r.machine.versions = append(r.machine.versions, packageVersions(ctx, filepath.Join(root, peersFolder))...)
	p, err := buildProgram(ctx, root, dir)
	if err != nil {
		return err
	}
	say("starting the program %d times without caches and %d times with", 3*e.cold, e.warm)
	if r.startUp, err = p.startUp(ctx, e.warm, e.cold); err != nil {
		return err
	}
	if r.files, err = p.files(); err != nil {
		return err
	}
	if r.idle, err = p.idleServer(ctx, e.runs, settled); err != nil {
		return fmt.Errorf("serve mcp: %w", err)
	}
	if r.slots, err = measureSlots(ctx, p.cache, e.slots); err != nil {
		return err
	}
	say("running the Go benchmarks")
	if r.counters, err = goBenchmarks(ctx, root, "./adapters/extismbox", "BenchmarkCounters", e.counters); err != nil {
		return err
	}
	if r.host, err = goBenchmarks(ctx, root, "./test/bench", "Gather|Blob|Result|Discovery|Sandbox|Source|Call|RawCall|Stop|BesideSpinners", e.benchmarks); err != nil {
		return err
	}
	if r.kinds, err = allKinds(ctx, root, p.cache); err != nil {
		return err
	}
	if err := measureAll(ctx, &r, say); err != nil {
		return err
	}
	r.ended = time.Now()
	r.load = append(r.load, loadAverage())
	return r.write(docs)
}

func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	name := strings.TrimSpace(string(out))
	if err == nil && filepath.Base(name) != "go.mod" {
		err = errors.New("run it inside the module")
	}
	return filepath.Dir(name), err
}

// peersFolder is where npm installs them.
var peersFolder = filepath.Join("test", "bench", "_peers")

// allKinds lists toolplane and the peers that are installed.
func allKinds(ctx context.Context, root, cache string) ([]kind, error) {
	peers := filepath.Join(root, peersFolder)
	kinds := []kind{{
		name: "toolplane", title: "toolplane", rate: toolplaneRate(cache),
		how:   "in this Go process through `app.Workspace.Run`, CPython 3.13 in WebAssembly; the whole memory is fresh",
		start: func(ctx context.Context) (peer, error) { return startToolplane(ctx, cache) },
	}}
	if _, err := os.Stat(filepath.Join(peers, montyBinary)); err == nil {
		kinds = append(kinds, kind{
			name: "monty-process", title: "Monty, pooled process",
			how:   "`monty subprocess`, kept, driven by Go over its pipe; a new session, values encoded ahead of time; a subset of Python",
			start: func(ctx context.Context) (peer, error) { return startMonty(ctx, peers) },
		})
	}
	for _, k := range []*kind{
		nodeKind(peers, "monty-addon", "@pydantic/monty", "Monty, node addon", "in a node process, measured there; a new interpreter; a subset of Python", false),
		nodeKind(peers, "quickjs", "quickjs-emscripten", "QuickJS in WebAssembly", "in a node process, measured there; a new context; JavaScript", false),
		nodeKind(peers, "pyodide-globals", "pyodide", "Pyodide, globals reset", "in a node process, measured there; new globals, all else is shared between runs", false),
		nodeKind(peers, "pyodide-load", "pyodide", "Pyodide, loaded anew", "in a node process, measured there; `loadPyodide` for each run", true),
	} {
		if k != nil {
			k.shared = k.name == "pyodide-globals"
			kinds = append(kinds, *k)
		}
	}
	out, err := exec.CommandContext(ctx, "python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return kinds, nil // there is no CPython to compare with
	}
	python := strings.TrimSpace(string(out)) // the program itself, not a script that finds it
	answers, err := answers()
	if err != nil {
		return nil, err
	}
	return append(kinds, kind{
		name: "prefork", title: "CPython, forked", shared: true, how: "a child of a warm CPython for each run, JSON over a socket; no sandbox",
		start: func(ctx context.Context) (peer, error) { return startPrefork(ctx, python, peers, answers) },
	}, kind{
		name: "process", title: "CPython, process", shared: true, how: "`python3 -I` for each run, JSON over its pipes; no sandbox",
		start: func(context.Context) (peer, error) { return processPeer{python, peers, answers}, nil },
	}), nil
}

// workloads are what every peer is measured by.
func workloads() []bench.Workload {
	return append([]bench.Workload{bench.Fresh, bench.OneCall, bench.HundredCalls, bench.RowsAsText, bench.RowsAsObjects}, bench.Compute...)
}
