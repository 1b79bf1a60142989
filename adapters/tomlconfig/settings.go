package tomlconfig

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Setting describes one key that a file may have.
type Setting struct {
	Table   string
	Key     string
	Unit    string // what a value is: "bytes", "seconds", "number", "true or false", "text"
	Default string // as it would stand in a file
	About   string
}

// setting is a key with the place of its value in a Config: a pointer to a bool,
// a string, an int, an int64 (bytes) or a time.Duration (seconds).
type setting struct {
	table, key string
	at         func(c *Config) any
	about      string
}

// settings are all keys, in the order in which they are documented.
var settings = []setting{
	{"toolplane", "default_backend", func(c *Config) any { return &c.Backend }, "the sandbox for runs that name none; empty is the program's own choice; at most 64 bytes"},

	{"sandbox", "time_seconds", func(c *Config) any { return &c.Caps.Run.Time }, "one run, at most a day"},
	{"sandbox", "call_time_seconds", func(c *Config) any { return &c.Caps.Run.CallTime }, "one call to a tool, at most a day, within what is left of the run"},
	{"sandbox", "memory_bytes", func(c *Config) any { return &c.Caps.Run.Memory }, "the sandbox's memory, 64 MiB to 4 GiB less 64 KiB"},
	{"sandbox", "max_calls", func(c *Config) any { return &c.Caps.Run.Calls }, "calls to tools in one run; one more fails"},
	{"sandbox", "max_calls_in_flight", func(c *Config) any { return &c.Caps.Run.InFlight }, "calls at once; more wait"},
	{"sandbox", "max_output_kept_bytes", func(c *Config) any { return &c.Caps.Run.OutputKept }, "printed text that an outcome keeps, of both streams together: beginning and end"},
	{"sandbox", "max_output_bytes", func(c *Config) any { return &c.Caps.Run.OutputTotal }, "text printed in all; more stops the run"},
	{"sandbox", "max_value_bytes", func(c *Config) any { return &c.Caps.Run.Value }, "the returned value as JSON"},
	{"sandbox", "max_answer_bytes", func(c *Config) any { return &c.Caps.Run.Answer }, "what one call answers; no less than one result and one artifact"},
	{"sandbox", "max_arguments_bytes", func(c *Config) any { return &c.Caps.Run.Args }, "the arguments of one call"},
	{"sandbox", "max_code_bytes", func(c *Config) any { return &c.Caps.Run.Code }, "the snippet's source"},
	{"sandbox", "max_inputs_bytes", func(c *Config) any { return &c.Caps.Run.Inputs }, "all inputs of a run together"},

	{"results", "enabled", func(c *Config) any { return &c.Caps.Results.Enabled }, "whether snippets can save JSON values"},
	{"results", "max_entries", func(c *Config) any { return &c.Caps.Results.Entries }, "results at once"},
	{"results", "max_total_bytes", func(c *Config) any { return &c.Caps.Results.Total }, "all results with their labels"},
	{"results", "max_entry_bytes", func(c *Config) any { return &c.Caps.Results.Entry }, "one result with its label"},
	{"results", "ttl_seconds", func(c *Config) any { return &c.Caps.Results.TTL }, "how long a result is kept"},

	{"artifacts", "enabled", func(c *Config) any { return &c.Caps.Artifacts.Enabled }, "whether snippets can save bytes"},
	{"artifacts", "max_entries", func(c *Config) any { return &c.Caps.Artifacts.Entries }, "artifacts at once"},
	{"artifacts", "max_total_bytes", func(c *Config) any { return &c.Caps.Artifacts.Total }, "all artifacts with their labels"},
	{"artifacts", "max_entry_bytes", func(c *Config) any { return &c.Caps.Artifacts.Entry }, "one artifact with its label"},
	{"artifacts", "ttl_seconds", func(c *Config) any { return &c.Caps.Artifacts.TTL }, "how long an artifact is kept"},

	{"mcp", "inline_value_bytes", func(c *Config) any { return &c.Facade.InlineValue }, "a larger value is stored and shown as a preview; at most 1 MiB"},
	{"mcp", "inline_output_bytes", func(c *Config) any { return &c.Facade.InlineOutput }, "what is shown of stdout and of stderr, each; at most 1 MiB"},
}

// Settings returns every key that a file may have, table by table.
func Settings() []Setting {
	defaults := Defaults()
	all := make([]Setting, len(settings))
	for i, s := range settings {
		all[i] = Setting{Table: s.table, Key: s.key, About: s.about}
		all[i].Unit, all[i].Default = show(s.at(&defaults))
	}
	return all
}

// show returns the unit of a setting and its value as a file would have it.
func show(at any) (unit, value string) {
	switch at := at.(type) {
	case *bool:
		return "true or false", strconv.FormatBool(*at)
	case *string:
		return "text", strconv.Quote(*at)
	case *int:
		return "number", strconv.Itoa(*at)
	case *int64:
		return "bytes", strconv.FormatInt(*at, 10)
	case *time.Duration:
		return "seconds", strconv.FormatFloat(at.Seconds(), 'f', -1, 64)
	}
	panic(fmt.Sprintf("tomlconfig: a setting of type %T", at))
}

// assign puts a value of a file in its place, or returns what was expected
// instead.
func assign(at, value any) (expected string) {
	switch at := at.(type) {
	case *bool:
		if b, ok := value.(bool); ok {
			*at = b
			return ""
		}
		return "true or false"
	case *string:
		if s, ok := value.(string); ok {
			*at = s
			return ""
		}
		return "text in quotes"
	case *int:
		if n, ok := value.(int64); ok && n == int64(int(n)) {
			*at = int(n)
			return ""
		}
		return "a whole number"
	case *int64:
		if n, ok := value.(int64); ok {
			*at = n
			return ""
		}
		return "a whole number of bytes"
	case *time.Duration:
		return assignSeconds(at, value)
	}
	panic(fmt.Sprintf("tomlconfig: a setting of type %T", at))
}

// maxSeconds is far beyond any use and far below what a time.Duration holds.
const maxSeconds = 1e9

func assignSeconds(at *time.Duration, value any) (expected string) {
	var seconds float64
	switch value := value.(type) {
	case int64:
		seconds = float64(value)
	case float64:
		seconds = value
	default:
		return "a number of seconds"
	}
	if math.IsNaN(seconds) || math.Abs(seconds) > maxSeconds {
		return "a number of seconds up to 1000000000"
	}
	*at = time.Duration(seconds * float64(time.Second))
	return ""
}
