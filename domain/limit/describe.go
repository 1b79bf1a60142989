package limit

import (
	"fmt"
	"strings"
	"time"
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
		{"run", fmt.Sprintf("at most %s and %s of memory", Duration(r.Time), Size(r.Memory))},
		{"calls", fmt.Sprintf("%d a run, %d at once, %s each", r.Calls, r.InFlight, Duration(r.CallTime))},
		{"output", fmt.Sprintf("%s printed, %s kept, a value of %s", Size(r.OutputTotal), Size(r.OutputKept), Size(r.Value))},
		{"results", c.Results.describe("in memory")},
		{"artifacts", c.Artifacts.describe("in a private temporary directory")},
	}
}

func (s Store) describe(where string) string {
	if !s.Enabled {
		return "off"
	}
	return fmt.Sprintf("%s: %d of at most %s, %s together, for %s each",
		where, s.Entries, Size(s.Entry), Size(s.Total), Duration(s.TTL))
}

// Size writes a number of bytes in the largest unit that divides it: "64 MiB".
func Size(bytes int64) string {
	for _, unit := range []struct {
		bytes int64
		name  string
	}{{GiB, "GiB"}, {MiB, "MiB"}, {KiB, "KiB"}} {
		if bytes >= unit.bytes && bytes%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", bytes/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Duration writes a duration without the units of which there are none: "1h",
// where Go has "1h0m0s".
func Duration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
