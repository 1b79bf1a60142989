package mcp_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/linetest"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// BenchmarkReturnTwo runs `return 1 + 1` in turn in process and by execute_code
// over stdio, on one workspace, so that both meet the same machine. It reports
// the middle of both times; one iteration is one run of each.
func BenchmarkReturnTwo(b *testing.B) {
	is := is.New(b)
	const code = "return 1 + 1"
	server, workspace, closeAll, err := newToolplane(b.Context(), cache, limit.Defaults())
	is.NoErr(err)
	defer closeAll()
	c := linetest.Start(b, server.Serve)
	c.Initialize()
	direct := func() {
		o, err := workspace.Run(context.Background(), run.Request{Code: code})
		is.NoErr(err)
		is.True(o.OK())
	}
	call := func() {
		is.True(c.Call("tools/call", linetest.Tool("execute_code", map[string]any{"code": code})).Error == nil)
	}
	direct() // prepares the sandbox
	call()
	var inProcess, overStdio []time.Duration
	for b.Loop() {
		inProcess = append(inProcess, timed(direct))
		overStdio = append(overStdio, timed(call))
	}
	slices.Sort(inProcess)
	slices.Sort(overStdio)
	middle := len(inProcess) / 2
	b.ReportMetric(float64(inProcess[middle]), "in-process-p50-ns")
	b.ReportMetric(float64(overStdio[middle]), "stdio-p50-ns")
}

func timed(op func()) time.Duration {
	begun := time.Now()
	op()
	return time.Since(begun)
}
