package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"toolplane/adapters/extismbox"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// slotMemory is what one idle slot takes, in bytes.
type slotMemory struct{ heap, private int64 }

// meeting is a bridge whose calls wait for each other.
type meeting struct {
	arrived *sync.WaitGroup
}

func (m meeting) Call(context.Context, run.Call) (run.Answer, error) {
	m.arrived.Done()
	m.arrived.Wait()
	return run.Answer{}, nil
}

func (meeting) Print(run.Stream, []byte) error { return nil }

// measureSlots fills a pool by as many runs at once and compares the process
// before and after.
func measureSlots(ctx context.Context, cacheDir string, slots int) (slotMemory, error) {
	box, err := extismbox.New(extismbox.Options{Dir: cacheDir, Ready: slots})
	if err != nil {
		return slotMemory{}, err
	}
	defer box.Close()
	runs := func(n int) error {
		var group, arrived sync.WaitGroup
		arrived.Add(n)
		errs := make([]error, n)
		for i := range n {
			group.Go(func() {
				job := run.Job{Code: "await call_tool('host:bench/meet', {})", Limits: limit.Defaults().Run}
				report, err := box.Run(ctx, job, meeting{&arrived})
				if err == nil && report.Failure != nil {
					err = errors.New(report.Failure.Message)
				}
				errs[i] = err
			})
		}
		group.Wait()
		return errors.Join(errs...)
	}
	if err := runs(1); err != nil {
		return slotMemory{}, err
	}
	heap, private := idleMemory()
	if err := runs(slots); err != nil {
		return slotMemory{}, err
	}
	heapAfter, privateAfter := idleMemory()
	added := int64(slots - 1)
	return slotMemory{heap: (heapAfter - heap) / added, private: (privateAfter - private) / added}, nil
}

// idleMemory returns the bytes of Go's heap, and of what else is in memory
// without a file behind it, after a moment in which slots are made ready.
func idleMemory() (heap, other int64) {
	time.Sleep(300 * time.Millisecond)
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	_, anonymous := memoryOf(os.Getpid())
	return int64(stats.HeapAlloc), anonymous - int64(stats.HeapInuse)
}
