package extismbox

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/run"
)

func TestCodesAreBounded(t *testing.T) {
	for name, size := range map[string]int{"many": 1, "large": maxCode} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			c := newCodes()
			defer c.close()
			again := &run.Job{Code: "again"}
			for i := range 3 * mostCodes {
				job := &run.Job{Code: fmt.Sprint(i)}
				is.Equal(c.find(job), nil)
				is.True(!c.wants(job)) // it has run once
				is.Equal(c.find(job), nil)
				is.True(c.wants(job))
				is.True(!c.wants(job)) // one is enough
				is.True(!c.wants(again))
				c.keep(keyOf(job), make([]byte, size))
				<-c.learning
				is.Equal(len(c.find(job)), size)
				c.find(again)
				is.True(len(c.known) <= mostCodes)
				is.True(c.bytes <= mostCodeBytes)
			}
			is.True(c.known[keyOf(again)] != nil)               // what runs again and again stays
			is.True(c.known[keyOf(&run.Job{Code: "0"})] == nil) // what ran long ago goes
			is.True(c.find(&run.Job{Code: fmt.Sprint(3*mostCodes - 1)}) != nil)
			total := 0
			for _, k := range c.known {
				total += len(k.code)
			}
			is.Equal(c.bytes, total)
		})
	}
}
