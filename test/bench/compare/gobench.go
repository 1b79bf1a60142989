package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// metrics is what Go benchmarks reported, by "Name/sub unit".
type metrics map[string]float64

// goBenchmarks runs Go benchmarks of a package.
func goBenchmarks(ctx context.Context, root, pkg, pattern, benchtime string) (metrics, error) {
	cmd := exec.CommandContext(ctx, "go", "test", pkg, "-run", "^$", "-bench", pattern, "-benchtime", benchtime)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return parseBenchmarks(string(out)), nil
}

// processors is what go test adds to a benchmark's name.
var processors = regexp.MustCompile(`-\d+$`)

// parseBenchmarks reads the lines "BenchmarkName-2 times value unit value unit".
func parseBenchmarks(text string) metrics {
	found := metrics{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(processors.ReplaceAllString(words[0], ""), "Benchmark")
		for i := 2; i+1 < len(words); i += 2 {
			if value, err := strconv.ParseFloat(words[i], 64); err == nil {
				found[name+" "+words[i+1]] = value
			}
		}
	}
	return found
}
