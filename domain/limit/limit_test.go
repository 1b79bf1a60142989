package limit_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/fault"
	"toolplane/domain/limit"
)

func TestDefaultsAreTheDocumentedOnesAndValid(t *testing.T) {
	is := is.New(t)
	c := limit.Defaults()
	is.NoErr(c.Validate())
	is.Equal(c.Run.Time, 30*time.Second)
	is.Equal(c.Run.CallTime, time.Minute)
	is.Equal(c.Run.Memory, int64(256<<20))
	is.Equal(c.Run.Calls, 1000)
	is.Equal(c.Run.InFlight, 64)
	is.Equal(c.Run.OutputKept, int64(1<<20))
	is.Equal(c.Run.OutputTotal, int64(10<<20))
	is.Equal(c.Run.Value, int64(64<<20))
	is.Equal(c.Run.Answer, int64(64<<20))
	is.Equal(c.Results, limit.Store{Enabled: true, Entries: 64, Total: 32 << 20, Entry: 8 << 20, TTL: time.Hour})
	is.Equal(c.Artifacts, limit.Store{Enabled: true, Entries: 32, Total: 256 << 20, Entry: 64 << 20, TTL: time.Hour})
}

func TestValidateNamesTheCapThatCannotWork(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*limit.Caps)
		says   string
	}{
		"no time":         {func(c *limit.Caps) { c.Run.Time = 0 }, "time is 0s"},
		"a week":          {func(c *limit.Caps) { c.Run.Time = 7 * 24 * time.Hour }, "at most 24h"},
		"no call time":    {func(c *limit.Caps) { c.Run.CallTime = -1 }, "call time"},
		"little memory":   {func(c *limit.Caps) { c.Run.Memory = 1 << 20 }, "memory"},
		"much memory":     {func(c *limit.Caps) { c.Run.Memory = 4 << 30 }, "memory"},
		"no calls":        {func(c *limit.Caps) { c.Run.Calls = 0 }, "calls is 0"},
		"none in flight":  {func(c *limit.Caps) { c.Run.InFlight = 0 }, "in flight"},
		"no kept output":  {func(c *limit.Caps) { c.Run.OutputKept = 0 }, "kept output"},
		"no output":       {func(c *limit.Caps) { c.Run.OutputTotal = 0 }, "output"},
		"no value":        {func(c *limit.Caps) { c.Run.Value = 0 }, "value"},
		"no answer":       {func(c *limit.Caps) { c.Run.Answer = 0 }, "answers"},
		"no arguments":    {func(c *limit.Caps) { c.Run.Args = 0 }, "arguments"},
		"no code":         {func(c *limit.Caps) { c.Run.Code = 0 }, "code"},
		"no inputs":       {func(c *limit.Caps) { c.Run.Inputs = 0 }, "inputs"},
		"no entries":      {func(c *limit.Caps) { c.Results.Entries = 0 }, "results limit on entries"},
		"no total":        {func(c *limit.Caps) { c.Results.Total = -5 }, "results limit on total bytes is -5"},
		"no entry bytes":  {func(c *limit.Caps) { c.Artifacts.Entry = 0 }, "artifacts limit on bytes per entry"},
		"no time to live": {func(c *limit.Caps) { c.Artifacts.TTL = 0 }, "artifacts limit on time to live"},

		"endless calls":     {func(c *limit.Caps) { c.Run.Calls = 1_000_001 }, "calls is 1000001; give 1 to 1000000"},
		"endless in flight": {func(c *limit.Caps) { c.Run.InFlight = 1_000_001 }, "in flight is 1000001; give 1 to 1000000"},
		"endless kept":      {func(c *limit.Caps) { c.Run.OutputKept = 4 << 30 }, "kept output is 4294967296; give 1 to 4294901760"},
		"endless output":    {func(c *limit.Caps) { c.Run.OutputTotal = math.MaxInt64 }, "output is 9223372036854775807; give 1 to 4294901760"},
		"endless value":     {func(c *limit.Caps) { c.Run.Value = math.MaxInt64 }, "value is"},
		"endless answers":   {func(c *limit.Caps) { c.Run.Answer = math.MaxInt64 }, "answers is"},
		"endless arguments": {func(c *limit.Caps) { c.Run.Args = math.MaxInt64 }, "arguments is"},
		"endless code":      {func(c *limit.Caps) { c.Run.Code = math.MaxInt64 }, "code is"},
		"endless inputs":    {func(c *limit.Caps) { c.Run.Inputs = math.MaxInt64 }, "inputs is"},
		"endless entries":   {func(c *limit.Caps) { c.Results.Entries = 1_000_001 }, "results limit on entries is 1000001; give 1 to 1000000"},
		"endless total":     {func(c *limit.Caps) { c.Results.Total = 1<<40 + 1 }, "results limit on total bytes is 1099511627777; give 1 to 1099511627776"},
		"endless entry":     {func(c *limit.Caps) { c.Artifacts.Entry = math.MaxInt64 }, "artifacts limit on bytes per entry is"},
		"for ever":          {func(c *limit.Caps) { c.Artifacts.TTL = 366 * 24 * time.Hour }, "artifacts limit on time to live is 8784h0m0s; give more than 0 and at most 8760h0m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			caps := limit.Defaults()
			c.change(&caps)
			err := caps.Validate()
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid) // refused
			is.True(strings.Contains(err.Error(), c.says)) // by its name
		})
	}
}

func TestLargestCapsAreValid(t *testing.T) {
	is := is.New(t)
	const size, count = 4<<30 - 64<<10, 1_000_000
	store := limit.Store{Enabled: true, Entries: count, Total: 1 << 40, Entry: size, TTL: 365 * 24 * time.Hour}
	is.NoErr(limit.Caps{
		Run: limit.Run{
			Time: 24 * time.Hour, CallTime: 24 * time.Hour, Memory: size, Calls: count, InFlight: count, OutputKept: size,
			OutputTotal: size, Value: size, Answer: size, Args: size, Code: size, Inputs: size,
		},
		Results: store, Artifacts: store,
	}.Validate())
}

func TestDisabledStoreNeedsNoCaps(t *testing.T) {
	is := is.New(t)
	c := limit.Defaults()
	c.Results, c.Artifacts = limit.Store{}, limit.Store{}
	is.NoErr(c.Validate())
}

func TestWhatCanBeSavedCanBeLoaded(t *testing.T) {
	is := is.New(t)
	caps := limit.Defaults()
	caps.Run.Answer = caps.Artifacts.Entry - 1
	is.True(strings.Contains(caps.Validate().Error(), "one artifact may have")) // it could be saved and not loaded
	caps.Artifacts.Enabled = false
	is.NoErr(caps.Validate()) // a store that is off asks for nothing
}
