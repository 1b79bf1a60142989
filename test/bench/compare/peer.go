package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"time"

	"toolplane/test/bench"
)

// peer runs snippets, each in a sandbox as fresh as it has them.
type peer interface {
	// measure runs a workload at most n times and stops when the time is over,
	// but not before the first run has ended.
	measure(ctx context.Context, w bench.Workload, n int, within time.Duration) (sample, error)
	close() error
}

// sample is what a peer did for one measurement.
type sample struct {
	times []time.Duration // of each run, without cleaning up behind it
	total time.Duration   // of all runs, with cleaning up
	value any             // of the last run, as encoding/json decodes it
}

// kind is one way to run a snippet.
type kind struct {
	name   string
	title  string // for tables
	how    string // how it is started and what is fresh in a run
	start  func(ctx context.Context) (peer, error)
	shared bool // it is no sandbox, or a run sees what others left
	few    bool // so slow that only `1+1` is measured, a few times

	// rate replaces the usual way to measure fresh runs a second.
	rate func(ctx context.Context, workers int, within time.Duration) (float64, error)
}

// collect makes a sample of runs that a Go program starts. once returns a run's
// value and what cleans up behind it.
func collect(ctx context.Context, n int, within time.Duration, once func() (any, func() error, error)) (sample, error) {
	var s sample
	begun := time.Now()
	for len(s.times) < n && (len(s.times) == 0 || time.Since(begun) < within) {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		before := time.Now()
		value, clean, err := once()
		s.times = append(s.times, time.Since(before))
		if err != nil {
			return s, err
		}
		s.value = value
		if err := clean(); err != nil {
			return s, err
		}
	}
	s.total = time.Since(begun)
	return s, nil
}

func nothing() error { return nil }

// check compares the value of a sample with what the workload must give.
func check(w bench.Workload, s sample) error {
	var want any
	if err := json.Unmarshal([]byte(w.Value), &want); err != nil {
		return fmt.Errorf("workload %s: %w", w.Name, err)
	}
	if !reflect.DeepEqual(s.value, want) {
		return fmt.Errorf("workload %s gave %.200v instead of %.200v", w.Name, s.value, want)
	}
	return nil
}

// freshRate returns the fresh runs a second of some workers, each with a peer of
// its own.
func freshRate(ctx context.Context, k kind, workers int, within time.Duration) (float64, error) {
	if k.rate != nil {
		return k.rate(ctx, workers, within)
	}
	peers := make([]peer, workers)
	for i := range peers {
		p, err := k.start(ctx)
		if err != nil {
			return 0, err
		}
		defer p.close()
		if _, err := p.measure(ctx, bench.Fresh, 20, within); err != nil {
			return 0, err
		}
		peers[i] = p
	}
	return together(workers, func(i int) (sample, error) {
		return peers[i].measure(ctx, bench.Fresh, 1<<30, within)
	})
}

// together adds up the rates of workers that work at the same time.
func together(workers int, work func(i int) (sample, error)) (float64, error) {
	var group sync.WaitGroup
	rates, errs := make([]float64, workers), make([]error, workers)
	for i := range workers {
		group.Go(func() {
			s, err := work(i)
			errs[i] = err
			rates[i] = float64(len(s.times)) / s.total.Seconds()
		})
	}
	group.Wait()
	var sum float64
	for i, err := range errs {
		if err != nil {
			return 0, err
		}
		sum += rates[i]
	}
	return sum, nil
}
