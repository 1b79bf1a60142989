package test

// row says what packages may import: everything else is refused. It binds their
// tests too, which may in addition import what the row's tests and anyTest say.
type row struct {
	packages string   // below the module; "x/..." is x and everything below it
	own      []string // packages of this module
	std      []string // of the standard library; nil means any
	modules  []string // packages of others, "x/..." as above
	tests    []string // packages of this module for the row's tests only
}

// pure is what the domain may use of the standard library directly. What these
// packages import themselves is another matter: fmt brings os along.
var pure = []string{
	"bytes", "cmp", "encoding/base64", "errors", "fmt", "iter", "log/slog", "maps", "math",
	"math/bits", "slices", "strconv", "strings", "sync", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// rows has one row for every package, the innermost first.
var rows = []row{
	{packages: "domain/fault", std: pure},
	{packages: "domain/canon", own: []string{"domain/fault"}, std: pure},
	{packages: "domain/handle", own: []string{"domain/fault"}, std: pure},
	{packages: "domain/limit", own: []string{"domain/fault"}, std: pure},
	{packages: "domain/ledger", own: []string{"domain/fault", "domain/handle", "domain/limit"}, std: pure},
	{packages: "domain/spelling", std: pure},
	{packages: "domain/capability", own: []string{"domain/canon", "domain/fault", "domain/spelling"}, std: pure},
	{packages: "domain/discover", own: []string{"domain/..."}, std: pure},
	{packages: "domain/run", own: []string{"domain/..."}, std: pure},
	{packages: "ports", own: []string{"domain/..."}, std: []string{"context", "time"}},
	{packages: "app", own: []string{"domain/...", "ports"}, tests: []string{"adapters/..."}},
	{packages: "adapters/argcheck", own: []string{"domain/...", "ports"}, modules: []string{"github.com/google/jsonschema-go/..."}},
	{packages: "adapters/extismbox/...", own: []string{"domain/...", "ports", "adapters/extismbox/..."}, modules: []string{
		"github.com/extism/go-sdk", "github.com/klauspost/compress/...", "github.com/tetratelabs/wazero/...", "golang.org/x/sys/...",
	}},
	{packages: "adapters/fakebox", own: []string{"domain/...", "ports"}},
	{packages: "adapters/hostfuncs", own: []string{"domain/...", "ports"}, modules: []string{"github.com/google/jsonschema-go/..."}},
	{packages: "adapters/mcpserver/...", own: []string{"domain/...", "ports", "adapters/mcpserver/..."}, modules: []string{"github.com/mark3labs/mcp-go/..."}},
	{packages: "adapters/membytes", own: []string{"domain/...", "ports"}},
	{packages: "adapters/shell", own: []string{"domain/...", "ports"}, modules: []string{
		"github.com/spf13/cobra", "github.com/spf13/pflag",
	}},
	{packages: "adapters/system", own: []string{"domain/...", "ports"}},
	{packages: "adapters/tempfiles", own: []string{"domain/...", "ports"}},
	{packages: "adapters/tomlconfig", own: []string{"domain/..."}, modules: []string{"github.com/pelletier/go-toml/v2/..."}},
	{packages: "cmd/compose", own: []string{"domain/...", "ports", "app/...", "adapters/..."}, modules: []string{"github.com/google/wire"}},
	{packages: "cmd/toolplane", own: []string{"cmd/compose"}},
	{packages: "test/contract", own: []string{"domain/...", "ports"}, modules: []string{"github.com/matryer/is", "go.uber.org/goleak"}},
	{packages: "test/footprint"},
	{packages: "test/adversarial", tests: []string{"app", "cmd/...", "test/footprint"}},
	{packages: "test/soak", tests: []string{"cmd/...", "test/footprint"}},
	{packages: "test/bench/...", own: []string{"domain/...", "app/...", "adapters/...", "cmd/...", "test/bench/..."}},
	{packages: "test/mcp", tests: []string{"adapters/...", "cmd/..."}, modules: []string{"github.com/mark3labs/mcp-go/..."}},
	{packages: "test", tests: []string{"domain/...", "ports", "app/...", "adapters/...", "cmd/..."}},
}

// anyTest is what the tests of every package may import beside its row.
var anyTest = row{
	own:     []string{"domain/...", "ports", "test/contract"},
	modules: []string{"github.com/google/jsonschema-go/...", "github.com/matryer/is", "go.uber.org/goleak", "pgregory.net/rapid"},
}

// ban refuses uses of something that an import alone does not betray. Tests are
// exempt.
type ban struct {
	in     string   // packages, as in a row
	except []string // packages, as in a row
	uses   []string // "time.Now", "fmt.Print*", or one of the words below
	why    string
}

// Words for uses that have no name of their own.
const (
	goStatement  = "go statement"
	initFunction = "func init"
	function     = "func"
)

var bans = []ban{
	{
		in: "domain/...", why: "the domain decides by its arguments alone: the time is one of them",
		uses: []string{
			"time.Now", "time.Since", "time.Until", "time.Sleep", "time.After", "time.AfterFunc", "time.Tick", "time.NewTimer", "time.NewTicker",
		},
	},
	{in: "domain/...", uses: []string{"fmt.Scan*", "slog.Default", "slog.Debug*", "slog.Info*", "slog.Warn*", "slog.Error*", "slog.Log", "slog.LogAttrs"}, why: "the domain reads, writes and logs nothing"},
	{in: "domain/...", uses: []string{goStatement}, why: "the domain does nothing by itself"},
	{in: "ports", uses: []string{function}, why: "ports are interfaces and hold no code"},
	{in: "...", uses: []string{initFunction}, why: "nothing happens because a package is imported"},
	{
		in: "...", except: []string{"cmd/toolplane", "test/bench/compare"}, uses: []string{"os.Exit", "log.Fatal*", "log.Panic*", "os.Stdout", "os.Stdin", "os.Args"},
		why: "only main is the process: everything else can be run by a test",
	},
	{in: "...", uses: []string{"fmt.Print*"}, why: "standard output belongs to whoever passes it in"},
}
