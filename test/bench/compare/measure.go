package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"toolplane/test/bench"
)

// cell is what one peer did with one workload.
type cell struct {
	summary bench.Summary // of the best pass
	failure string        // why there is none
}

// measured is all that is known of one peer.
type measured struct {
	cells map[string]cell
	cold  bench.Summary   // from its start to the first result
	rates map[int]float64 // fresh runs a second, by workers
}

// measureAll measures all kinds in turn, several times over, so that what
// disturbs the machine for a while disturbs all of them.
func measureAll(ctx context.Context, r *results, say func(string, ...any)) error {
	r.peers = make([]measured, len(r.kinds))
	open := make([]peer, len(r.kinds))
	defer func() {
		for _, p := range open {
			if p != nil {
				_ = p.close()
			}
		}
	}()
	for i, k := range r.kinds {
		r.peers[i] = measured{cells: map[string]cell{}, rates: map[int]float64{}}
		var colds []time.Duration
		for range r.effort.cold {
			if open[i] != nil {
				_ = open[i].close()
			}
			begun := time.Now()
			p, err := k.start(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", k.title, err)
			}
			open[i] = p
			if _, err := p.measure(ctx, bench.Fresh, 1, 0); err != nil {
				return fmt.Errorf("%s: %w", k.title, err)
			}
			colds = append(colds, time.Since(begun))
		}
		r.peers[i].cold = bench.Summarize(colds)
	}
	for pass := range r.effort.passes {
		say("pass %d of %d", pass+1, r.effort.passes)
		for _, w := range workloads() {
			for i, k := range r.kinds {
				if k.few && w.Name != bench.Fresh.Name {
					continue
				}
				cells := r.peers[i].cells
				cells[w.Name] = measureCell(ctx, open[i], w, r.effort, cells[w.Name])
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	for _, workers := range []int{1, 2} {
		say("fresh runs a second, workers: %d", workers)
		for i, k := range r.kinds {
			if k.few {
				continue
			}
			for range min(2, r.effort.passes) {
				rate, err := freshRate(ctx, k, workers, r.effort.rate)
				if err != nil {
					return fmt.Errorf("%s: %w", k.title, err)
				}
				r.peers[i].rates[workers] = max(r.peers[i].rates[workers], rate)
			}
		}
	}
	return nil
}

// measureCell measures a workload once more. One that has failed is not tried
// again.
func measureCell(ctx context.Context, p peer, w bench.Workload, e effort, before cell) cell {
	if before.failure != "" {
		return before
	}
	// The first run of a pass finds caches that others have filled.
	if _, err := p.measure(ctx, w, 1, 0); err != nil {
		return cell{failure: reason(err)}
	}
	s, err := p.measure(ctx, w, e.runs, e.budget)
	if err == nil {
		err = check(w, s)
	}
	if err != nil {
		return cell{failure: reason(err)}
	}
	return cell{summary: before.summary.Better(bench.Summarize(s.times))}
}

// reason is the last line of an error, short enough for a table.
func reason(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	text := lines[len(lines)-1]
	if len(text) > 120 {
		text = text[:120] + "…"
	}
	return strings.ToValidUTF8(text, "")
}
