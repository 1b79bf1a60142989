package limit

import (
	"fmt"
	"strings"
)

// Line is one line of what is in force.
type Line struct {
	Name string
	Text string
}

// Describe says in a few lines what the caps allow, for the operator.
func (c Caps) Describe() []Line {
	r := c.Run
	return []Line{
		{"run", fmt.Sprintf("at most %s and %s of memory", duration(r.Time.String()), size(r.Memory))},
		{"calls", fmt.Sprintf("%d a run, %d at once, %s each", r.Calls, r.InFlight, duration(r.CallTime.String()))},
		{"output", fmt.Sprintf("%s printed, %s kept, a value of %s", size(r.OutputTotal), size(r.OutputKept), size(r.Value))},
		{"results", c.Results.describe("in memory")},
		{"artifacts", c.Artifacts.describe("in a private temporary directory")},
	}
}

func (s Store) describe(where string) string {
	if !s.Enabled {
		return "off"
	}
	return fmt.Sprintf("%s: %d of at most %s, %s together, for %s each",
		where, s.Entries, size(s.Entry), size(s.Total), duration(s.TTL.String()))
}

// size returns a number of bytes in the largest unit that divides it.
func size(n int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{GiB, "GiB"}, {MiB, "MiB"}, {KiB, "KiB"}} {
		if n >= unit.bytes && n%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", n/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// duration drops the units of which there are none: "1h0m0s" becomes "1h".
func duration(text string) string {
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
