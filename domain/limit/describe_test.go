package limit_test

import (
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/limit"
)

func TestDescribeSaysWhatIsInForce(t *testing.T) {
	is := is.New(t)
	caps := limit.Defaults()
	caps.Run.CallTime = 90 * time.Minute
	caps.Run.OutputKept = 1000
	caps.Artifacts.Enabled = false
	is.Equal(caps.Describe(), []limit.Line{
		{"run", "at most 30s and 256 MiB of memory"},
		{"calls", "1000 a run, 64 at once, 1h30m each"},
		{"output", "10 MiB printed, 1000 bytes kept, a value of 64 MiB"},
		{"results", "in memory: 64 of at most 8 MiB, 32 MiB together, for 1h each"},
		{"artifacts", "off"},
	})
}
