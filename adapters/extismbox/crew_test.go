package extismbox

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"
)

func newCrew(spare bool) *crew {
	c := new(crew)
	c.begin(64, func() bool { return spare })
	return c
}

func TestCrewDoesEveryTaskOnce(t *testing.T) {
	for name, spare := range map[string]bool{"with a processor to spare": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newCrew(spare)
			const tasks = 10_000
			var done [tasks]atomic.Int32
			var all sync.WaitGroup
			all.Add(tasks)
			for i := range tasks {
				c.do(func() {
					done[i].Add(1)
					all.Done()
				})
				if i%100 == 0 {
					all.Add(1) // the last one has ended, and whoever did it may look out or leave
					c.do(all.Done)
					time.Sleep(lookout / 2)
				}
			}
			all.Wait()
			for i := range tasks {
				is.Equal(done[i].Load(), int32(1))
			}
			is.Equal(c.end(), 0) // all have left
		})
	}
}

func TestCrewHasSoManyPlaces(t *testing.T) {
	is := is.New(t)
	c := newCrew(true)
	c.most = 3
	var now, most atomic.Int32
	var all sync.WaitGroup
	all.Add(50)
	for range 50 {
		c.do(func() {
			defer all.Done()
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Millisecond)
			now.Add(-1)
		})
	}
	all.Wait()
	is.True(most.Load() <= 3) // the others wait
	is.True(c.size() <= 3)
	is.Equal(c.end(), 0)
}

func TestWhoIsLeftBehindGivesItsPlaceAway(t *testing.T) {
	is := is.New(t)
	c := newCrew(true)
	c.most = 1
	end, back := make(chan struct{}), make(chan struct{})
	c.do(func() {
		<-end
		c.rejoin()
		close(back)
	})
	done := make(chan struct{})
	c.do(func() { close(done) })
	c.leaveBehind()
	<-done // though the first is not
	close(end)
	<-back
	for deadline := time.Now().Add(5 * time.Second); c.size() > 1; time.Sleep(time.Millisecond) {
		is.True(time.Now().Before(deadline)) // there is no place for both
	}
	is.Equal(c.end(), 0)
	is.Equal(c.places, 0)
}

func TestTasksOfACrewOverlap(t *testing.T) {
	is := is.New(t)
	c := newCrew(true)
	var met sync.WaitGroup
	met.Add(20)
	for range 20 {
		c.do(func() {
			met.Done()
			met.Wait()
		})
	}
	met.Wait()
	is.Equal(c.end(), 0)
}

func TestCrewStaysForTheNextTask(t *testing.T) {
	for name, spare := range map[string]bool{"with a processor to spare": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newCrew(spare)
			for _, pause := range []time.Duration{0, 10 * lookout} {
				for range 10 {
					done := make(chan struct{})
					c.do(func() { close(done) })
					<-done
					for deadline := time.Now().Add(5 * time.Second); c.idlers() == 0; {
						is.True(time.Now().Before(deadline)) // whoever is done is idle soon
					}
					time.Sleep(pause)
				}
			}
			is.Equal(c.size(), 1) // one was enough
			is.Equal(c.end(), 0)
			is.Equal(c.size(), 0)
		})
	}
}

func (c *crew) idlers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.idle)
}

func TestCrewSurvivesTheEndOfAGoroutine(t *testing.T) {
	is := is.New(t)
	c := newCrew(true)
	c.do(runtime.Goexit)
	done := make(chan struct{})
	c.do(func() { close(done) })
	<-done
	begin := time.Now()
	is.Equal(c.end(), 0)
	is.True(time.Since(begin) < heed) // nobody waits for who has gone
}

func TestCrewDoesNotWaitForTheDeaf(t *testing.T) {
	is := is.New(t)
	c := newCrew(true)
	end := make(chan struct{})
	c.do(func() { <-end })
	begin := time.Now()
	is.Equal(c.end(), 1)                  // is left behind
	is.True(time.Since(begin) < 10*heed)  // after a while
	is.True(time.Since(begin) >= heed/10) // not at once
	close(end)
	is.Equal(c.end(), 0) // and leaves in the end
}
