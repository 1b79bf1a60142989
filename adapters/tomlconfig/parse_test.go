package tomlconfig_test

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/tomlconfig"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
)

func TestEmptyFileIsTheDefaults(t *testing.T) {
	for _, text := range []string{"", "\uFEFF", "# nothing\n", "[results]\n[mcp]\n", "results = {}"} {
		is := is.New(t)
		config, err := tomlconfig.Parse("x.toml", []byte(text))
		is.NoErr(err)
		is.Equal(config, tomlconfig.Defaults())
	}
}

func TestEveryTableIsRead(t *testing.T) {
	is := is.New(t)
	config, err := tomlconfig.Parse("x.toml", []byte(`
mcp.inline_value_bytes = 1_000
artifacts = { enabled = false, ttl_seconds = 0.5 }

[toolplane]
default_backend = "extism"

[sandbox]
time_seconds = 5
call_time_seconds = 2.5
memory_bytes = 0x8000000
max_calls = 10
max_calls_in_flight = 2

[results]
enabled = true
max_entries = 3
max_total_bytes = 3000
max_entry_bytes = 1000
ttl_seconds = 60
`))
	is.NoErr(err)
	want := tomlconfig.Defaults()
	want.Backend = "extism"
	want.Caps.Run.Time, want.Caps.Run.CallTime = 5*time.Second, 2500*time.Millisecond
	want.Caps.Run.Memory, want.Caps.Run.Calls, want.Caps.Run.InFlight = 128<<20, 10, 2
	want.Caps.Results = limit.Store{Enabled: true, Entries: 3, Total: 3000, Entry: 1000, TTL: time.Minute}
	want.Caps.Artifacts.Enabled, want.Caps.Artifacts.TTL = false, time.Second/2
	want.Facade.InlineValue = 1000
	is.Equal(config, want)
}

// TestEveryCapHasASetting changes each cap by its setting, so that a cap that is
// added later cannot be forgotten.
func TestEveryCapHasASetting(t *testing.T) {
	is := is.New(t)
	var text strings.Builder
	table := ""
	for _, s := range tomlconfig.Settings() {
		if s.Table != table {
			table = s.Table
			fmt.Fprintf(&text, "[%s]\n", table)
		}
		value := map[string]string{"bytes": "67108863", "seconds": "7", "number": "9", "true or false": "false", "text": `"other"`}[s.Unit]
		if s.Key == "memory_bytes" {
			value = "67108864"
		}
		if s.Table == "mcp" {
			value = "7"
		}
		fmt.Fprintf(&text, "%s = %s\n", s.Key, value)
	}
	config, err := tomlconfig.Parse("x.toml", []byte(text.String()))
	is.NoErr(err)
	same := equalLeaves("", reflect.ValueOf(config), reflect.ValueOf(tomlconfig.Defaults()))
	is.Equal(same, []string{".Path"}) // everything else has another value
}

func TestSettingsMustAgreeInAnyOrder(t *testing.T) {
	is := is.New(t)
	_, err := tomlconfig.Parse("x.toml", []byte("[artifacts]\nmax_entry_bytes = 100_000_000\n[sandbox]\nmax_answer_bytes = 100_000_000\n"))
	is.NoErr(err) // each alone would contradict a default
	_, err = tomlconfig.Parse("x.toml", []byte("[sandbox]\nmax_answer_bytes = 1000\n"))
	is.True(err != nil) // what may be saved could not be loaded
	is.True(strings.HasPrefix(err.Error(), "x.toml:2:1: max_answer_bytes in [sandbox]: "))
	is.True(strings.Contains(err.Error(), "could be saved and not loaded"))
	_, err = tomlconfig.Parse("x.toml", []byte("[sandbox]\nmax_answer_bytes = 70_000_000\n[artifacts]\nmax_entry_bytes = 80_000_000\nmax_entries = 3\n"))
	is.True(strings.HasPrefix(err.Error(), "x.toml:4:1: max_entry_bytes in [artifacts]: ")) // the last that matters
}

// equalLeaves names the fields in which two structs are equal.
func equalLeaves(path string, a, b reflect.Value) []string {
	if a.Kind() != reflect.Struct {
		if a.Equal(b) {
			return []string{path}
		}
		return nil
	}
	var same []string
	for i := range a.NumField() {
		same = append(same, equalLeaves(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))...)
	}
	return same
}

func TestFaultsNameThePlaceAndTheWayOut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "[results]\nmax_entrys = 3", `x.toml:2:1: unknown key "max_entrys" in [results]; did you mean "max_entries"?`},
		{"half a key", "[results]\n  ttl = 3", `x.toml:2:3: unknown key "ttl" in [results]; did you mean "ttl_seconds"?`},
		{"more than a key", "[sandbox]\nmax_memory_bytes = 3", `x.toml:2:1: unknown key "max_memory_bytes" in [sandbox]; did you mean "memory_bytes"?`},
		{"letters swapped", "[sandbox]\nmax_clals = 3", `x.toml:2:1: unknown key "max_clals" in [sandbox]; did you mean "max_calls"?`},
		{"a key of another table", "[mcp]\nttl_seconds = 3", `x.toml:2:1: unknown key "ttl_seconds" in [mcp]; it belongs to [results] or [artifacts]`},
		{"nothing near", "[mcp]\nxyzzy = 3", `x.toml:2:1: unknown key "xyzzy" in [mcp]; the keys are inline_value_bytes, inline_output_bytes`},
		{"a key without a table", "ttl_seconds = 3", `x.toml:1:1: unknown key "ttl_seconds" outside of any table; it belongs to [results] or [artifacts]`},
		{"any key without a table", "xyzzy = 3", `x.toml:1:1: unknown key "xyzzy" outside of any table; put it below its table`},
		{"unknown table", "\n[result]\n", `x.toml:2:2: unknown table [result]; did you mean [results]?`},
		{"a table of later", "[policy]\ndeny = []", `x.toml:1:2: unknown table [policy]; the tables are [toolplane], [sandbox], [results], [artifacts], [mcp]`},
		{"a table below", "[mcp.servers.x]\ncommand = 'x'", `x.toml:1:6: unknown key "servers" in [mcp]; the keys are inline_value_bytes, inline_output_bytes`},
		{"dotted", "a.b = 3", `x.toml:1:1: unknown table [a]; the tables are [toolplane], [sandbox], [results], [artifacts], [mcp]`},
		{"in braces", "results = { max_entry = 3 }", `x.toml:1:13: unknown key "max_entry" in [results]; did you mean "max_entry_bytes"?`},
		{"a list of tables", "[[results]]\nenabled = true", `x.toml:1:3: "results" must be a table: write [results] on a line of its own and the keys below it`},
		{"a value for a table", "results = true", `x.toml:1:1: "results" must be a table: write [results] on a line of its own and the keys below it`},
		{"a table for a value", "[results.ttl_seconds]\nx = 1", `x.toml:1:10: ttl_seconds in [results] must be a number of seconds, not a table`},
		{"text for a number", "[results]\nmax_entries = '3'", `x.toml:2:1: max_entries in [results] must be a whole number, not text`},
		{"fraction of bytes", "[results]\nmax_entry_bytes = 1.5", `x.toml:2:1: max_entry_bytes in [results] must be a whole number of bytes, not the number 1.5`},
		{"number for a flag", "[results]\nenabled = 1", `x.toml:2:1: enabled in [results] must be true or false, not the number 1`},
		{"flag for text", "[toolplane]\ndefault_backend = true", `x.toml:2:1: default_backend in [toolplane] must be text in quotes, not true or false`},
		{"a date for seconds", "[results]\nttl_seconds = 2026-01-02", `x.toml:2:1: ttl_seconds in [results] must be a number of seconds, not a date or time`},
		{"a list", "[results]\nttl_seconds = [1]", `x.toml:2:1: ttl_seconds in [results] must be a number of seconds, not a list`},
		{"nan", "[results]\nttl_seconds = nan", `x.toml:2:1: ttl_seconds in [results] must be a number of seconds up to 1000000000, not the number NaN`},
		{"for ever", "[results]\nttl_seconds = 1_000_000_001", `x.toml:2:1: ttl_seconds in [results] must be a number of seconds up to 1000000000, not the number 1000000001`},
		{"out of bounds", "[sandbox]\nmax_calls = 5\nmemory_bytes = 5", `x.toml:3:1: memory_bytes in [sandbox]: the limit on a run's memory is 5 bytes; give 67108864 to 4294901760`},
		{"the largest number", "[sandbox]\nmax_code_bytes = 9223372036854775807", `x.toml:2:1: max_code_bytes in [sandbox]: the limit on a run's code is 9223372036854775807; give 1 to 4294901760`},
		{"more than a year", "[results]\nttl_seconds = 100_000_000", `x.toml:2:1: ttl_seconds in [results]: the results limit on time to live is 27777h46m40s; give more than 0 and at most 8760h0m0s`},
		{"nothing at all", "[artifacts]\nenabled = false\nmax_entries = 0", `x.toml:3:1: max_entries in [artifacts]: the artifacts limit on entries is 0; give 1 to 1000000`},
		{"too much inline", "[mcp]\ninline_output_bytes = 2_000_000", `x.toml:2:1: inline_output_bytes in [mcp]: the limit on inline output is 2000000 bytes; give 1 to 1048576`},
		{"too long a name", "[toolplane]\ndefault_backend = '" + strings.Repeat("x", 65) + "'", `x.toml:2:1: default_backend in [toolplane]: the backend's name has 65 bytes; give at most 64`},
		{"not ASCII", "results = { \"é\" = 3, max_entries = '' }", `x.toml:1:13: unknown key "é" in [results]; the keys are enabled, max_entries, max_total_bytes, max_entry_bytes, ttl_seconds`},
		{"columns count characters", `toolplane = { default_backend = "é", x = 3 }`, `x.toml:1:38: unknown key "x" in [toolplane]; the keys are default_backend`},
		{"control characters", "\"a\\u001b[31m\" = 3", `x.toml:1:1: unknown key "a\x1b[31m" outside of any table; put it below its table`},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			_, err := tomlconfig.Parse("x.toml", []byte(c.text))
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
			is.Equal(err.Error(), c.want)
		})
	}
}

func TestWhatIsNoTOMLIsNamedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ name, text, place string }{
		{"no value", "[results]\nenabled =\n", "x.toml:2:"},
		{"a key twice", "[results]\nenabled = true\nenabled = false\n", "x.toml:3:1: "},
		{"a table twice", "[results]\n[mcp]\n[results]\n", "x.toml:3:"},
		{"open bracket", "[results", "x.toml:1:"},
		{"not text", "[results]\n# \xff\n", "x.toml:2:"},
		{"a number out of range", "[results]\n\nmax_entries = 99999999999999999999", "x.toml:3:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			_, err := tomlconfig.Parse("x.toml", []byte(c.text))
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
			if !strings.HasPrefix(err.Error(), c.place) {
				t.Errorf("%q does not begin with %q", err, c.place)
			}
		})
	}
}

// What a file holds may be long, and meant for a terminal.
func TestMessagesAreShortAndPlain(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for name, text := range map[string]string{
		"a key twice":          long + " = 1\n" + long + " = 2",
		"a table twice":        "[" + long + "]\n[" + long + "]",
		"a key in a table":     "[sandbox]\n" + long + " = 1",
		"a key in no table":    long + " = 1",
		"a table":              "[" + long + "]",
		"invisible characters": "[sandbox]\n'" + strings.Repeat("\U0010ffff", 80) + "' = 1",
		"escapes twice":        `"\u001b[31m" = 1` + "\n" + `"\u001b[31m" = 2`,
		"line ends":            `["a\nb"]` + "\n" + `["a\nb"]`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tomlconfig.Parse("x.toml", []byte(text))
			isPlain(t, err.Error())
		})
	}
}

func isPlain(t *testing.T, message string) {
	t.Helper()
	if len(message) > 600 {
		t.Errorf("a message of %d bytes", len(message))
	}
	if strings.ContainsFunc(message, func(r rune) bool { return !strconv.IsPrint(r) }) {
		t.Errorf("not fit for a terminal: %q", message)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"[results]\nmax_entries = 3", "results = { enabled = false }", "a.b.c = [1, {x = 2}]", "[[mcp]]\n", "[sandbox]\r\ntime_seconds = 1e9\r\n",
		"\"\" = 1", "[mcp.\"\"]", "x = '''\n'''", "[results.enabled.x]\ny = 07:32:00",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		config, err := tomlconfig.Parse("x.toml", text)
		if err == nil {
			if err := config.Validate(); err != nil {
				t.Fatalf("accepted what cannot work: %v", err)
			}
			return
		}
		var line, column int
		if n, _ := fmt.Sscanf(err.Error(), "x.toml:%d:%d: ", &line, &column); n != 2 || line < 1 || column < 1 || fault.CodeOf(err) != fault.ArgsInvalid {
			t.Fatalf("the fault names no place: %q", err)
		}
		if lines := strings.Count(string(text), "\n") + 1; line > lines {
			t.Fatalf("line %d of %d: %q", line, lines, err)
		}
		isPlain(t, err.Error())
	})
}
