package capability_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/capability"
	"toolplane/domain/fault"
)

func TestIDsReadBackAsWritten(t *testing.T) {
	for text, want := range map[string]struct {
		kind            capability.Kind
		namespace, name string
	}{
		"mcp:linear/list_issues": {capability.MCP, "linear", "list_issues"},
		"host:app/f":             {capability.Host, "app", "f"},
		"cli:bin/git":            {capability.CLI, "bin", "git"},
		"toolplane:results/save": {capability.Toolplane, "results", "save"},
		"mcp:my-up.2/a/b c:d/":   {capability.MCP, "my-up.2", "a/b c:d/"},
		"mcp:größe/日本語":          {capability.MCP, "größe", "日本語"},
	} {
		t.Run(text, func(t *testing.T) {
			is := is.New(t)
			id, err := capability.ParseID(text)
			is.NoErr(err)
			is.Equal(id.Kind(), want.kind)
			is.Equal(id.Namespace(), want.namespace)
			is.Equal(id.Name(), want.name)
			is.Equal(id.String(), text)
			is.True(!id.IsZero())
			made, err := capability.NewID(want.kind, want.namespace, want.name)
			is.NoErr(err)
			is.Equal(made, id) // both ways give the same id
		})
	}
}

func TestWhatIsNoID(t *testing.T) {
	long := strings.Repeat("x", 257)
	for text, code := range map[string]fault.Code{
		"":                   fault.CapabilityUnknown,
		"list_issues":        fault.CapabilityUnknown,
		"linear/list_issues": fault.CapabilityUnknown,
		"mcp:linear":         fault.CapabilityUnknown,
		"MCP:linear/x":       fault.CapabilityUnknown,
		"http:linear/x":      fault.CapabilityUnknown,
		":linear/x":          fault.CapabilityUnknown,
		"mcp:/x":             fault.ArgsInvalid,
		"mcp:linear/":        fault.ArgsInvalid,
		"mcp:lin\near/x":     fault.ArgsInvalid,
		"mcp:linear/x\x7f":   fault.ArgsInvalid,
		"mcp:linear/\xff":    fault.ArgsInvalid,
		"mcp:linear/a\u202e": fault.ArgsInvalid,
		"mcp:" + long + "/x": fault.ArgsInvalid,
		"mcp:linear/" + long: fault.ArgsInvalid,
	} {
		is := is.New(t)
		id, err := capability.ParseID(text)
		is.Equal(fault.CodeOf(err), code) // refused
		is.True(id.IsZero())              // and nothing comes back
		is.True(len(err.Error()) < 300)   // in a bounded message
	}
}

func TestNewIDRefusesWhatCannotBeWritten(t *testing.T) {
	is := is.New(t)
	for _, kind := range []capability.Kind{0, 5, 255} {
		_, err := capability.NewID(kind, "a", "b")
		is.Equal(fault.CodeOf(err), fault.ArgsInvalid) // no such kind
	}
	_, err := capability.NewID(capability.MCP, "a/b", "c")
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid) // a slash would end the namespace
	is.Equal(capability.ID{}.String(), "")
}

func FuzzParseID(f *testing.F) {
	f.Add("mcp:linear/list_issues")
	f.Add("toolplane:a/b/c")
	f.Add("mcp:/")
	f.Fuzz(func(t *testing.T, text string) {
		if id, err := capability.ParseID(text); err == nil && id.String() != text {
			t.Fatalf("%q reads back as %q", text, id)
		}
	})
}
