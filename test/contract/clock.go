package contract

import (
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/ports"
)

// Clock checks an implementation of ports.Clock.
func Clock(t *testing.T, maker func(t *testing.T) ports.Clock) {
	t.Helper()
	check(t, maker, []clause[ports.Clock]{
		{"tells_a_time", "Now is never the zero time.", clockTellsATime},
		{"never_goes_back", "A later call of Now does not give an earlier time.", clockNeverGoesBack},
		{"concurrent_use", "Now may be called concurrently.", clockConcurrent},
	})
}

func clockTellsATime(t *testing.T, c ports.Clock) {
	is.New(t).True(!c.Now().IsZero()) // some time
}

func clockNeverGoesBack(t *testing.T, c ports.Clock) {
	last := c.Now()
	for range 1000 {
		now := c.Now()
		is.New(t).True(!now.Before(last)) // not before the last one
		last = now
	}
}

func clockConcurrent(t *testing.T, c ports.Clock) {
	var all sync.WaitGroup
	times := make([]time.Time, 8)
	for i := range times {
		all.Go(func() { times[i] = c.Now() })
	}
	all.Wait()
	for _, now := range times {
		is.New(t).True(!now.IsZero()) // every caller got one
	}
}
