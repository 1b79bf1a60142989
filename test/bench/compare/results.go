package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"toolplane/test/bench"
)

// results is everything that one run of the comparison found out.
type results struct {
	effort       effort
	begun, ended time.Time
	machine      machine
	load         []string // load averages: before and after

	kinds []kind
	peers []measured // in the order of kinds

	startUp  startUp
	files    files
	idle     idle
	slots    slotMemory
	counters metrics
	host     metrics
}

// machine says where the numbers come from.
type machine struct {
	processor, system string
	cores             int
	versions          []string
}

func describeMachine(ctx context.Context) machine {
	m := machine{processor: "unknown", system: runtime.GOOS + "/" + runtime.GOARCH, cores: runtime.NumCPU()}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				m.processor = strings.TrimSpace(value)
			}
		}
	}
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.system += ", Linux " + strings.TrimSpace(string(text))
	}
	m.versions = append(m.versions, "Go "+strings.TrimPrefix(runtime.Version(), "go"))
	for _, c := range [][]string{{"node", "node", "--version"}, {"CPython", "python3", "--version"}} {
		if out, err := exec.CommandContext(ctx, c[1], c[2]).Output(); err == nil {
			version := strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), "Python ")
			m.versions = append(m.versions, c[0]+" "+version)
		}
	}
	return m
}

// packageVersions reads the versions of the peers from what npm installed.
func packageVersions(ctx context.Context, peers string) []string {
	var versions []string
	for _, name := range []string{"@pydantic/monty", "@pydantic/monty-linux-x64-gnu", "pyodide", "quickjs-emscripten"} {
		cmd := exec.CommandContext(ctx, "node", "-p", "require('./node_modules/"+name+"/package.json').version")
		cmd.Dir = peers
		if out, err := cmd.Output(); err == nil {
			versions = append(versions, name+" "+strings.TrimSpace(string(out)))
		}
	}
	return versions
}

// loadAverage returns the load of the last minute, "" where the system does not
// say.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// cell returns what a kind did with a workload.
func (r *results) cell(kindName string, w bench.Workload) cell {
	for i, k := range r.kinds {
		if k.name == kindName {
			return r.peers[i].cells[w.Name]
		}
	}
	return cell{}
}

// write writes both documents.
func (r *results) write(docs string) error {
	for name, text := range map[string]string{"benchmarks.md": r.markdown(), "benchmarks.svg": r.chart()} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("the results cannot be kept: %w", err)
		}
	}
	return nil
}
