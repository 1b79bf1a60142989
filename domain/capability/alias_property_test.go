package capability_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolplane/domain/capability"
)

// never are names that no capability may get, whatever it is called.
var never = []string{
	"call_tool", "save_result", "load_result", "save_artifact", "load_artifact", "cli_run", "reset_session", "previous",
	"list", "dir", "print", "is", "for", "ToolError",
}

func TestNamesAreUnambiguousWhateverCapabilitiesAreCalled(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "a_b", "a-b", "a b", "save", "result", "list", "dir", "is", "for", "call", "tool", "previous", "ü", "1", "_", "__x__"})
	kind := rapid.SampledFrom([]string{"mcp", "host", "cli"})
	rapid.Check(t, func(t *rapid.T) {
		var list []capability.Descriptor
		for range rapid.IntRange(1, 12).Draw(t, "number") {
			id, err := capability.ParseID(kind.Draw(t, "kind") + ":" + part.Draw(t, "namespace") + "/" + part.Draw(t, "name"))
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, capability.Descriptor{ID: id, Hidden: rapid.IntRange(0, 5).Draw(t, "hidden") == 0})
		}
		list = slices.CompactFunc(list, func(a, b capability.Descriptor) bool { return a.ID == b.ID })
		x := capability.NewIndex(list)
		checkNames(t, x)

		shuffled := rapid.Permutation(unique(list)).Draw(t, "order")
		y := capability.NewIndex(shuffled)
		z := capability.NewIndex(unique(list))
		if a, b := fmt.Sprint(friendly(y), withheld(y)), fmt.Sprint(friendly(z), withheld(z)); a != b {
			t.Fatalf("the order of the capabilities matters:\n%s\n%s", a, b)
		}
	})
}

// unique drops the descriptors whose id came before.
func unique(list []capability.Descriptor) []capability.Descriptor {
	seen := make(map[capability.ID]bool)
	var kept []capability.Descriptor
	for _, d := range list {
		if !seen[d.ID] {
			seen[d.ID] = true
			kept = append(kept, d)
		}
	}
	return kept
}

func checkNames(t *rapid.T, x *capability.Index) {
	owner := make(map[string]string)
	roots := make(map[string]bool)
	for d := range x.Visible() {
		for _, name := range x.Names(d.ID) {
			if owner[name] != "" {
				t.Fatalf("%s is the name of %s and %s", name, owner[name], d.ID)
			}
			owner[name] = d.ID.String()
			root, _, scoped := strings.Cut(name, ".")
			roots[root] = roots[root] || scoped
			if slices.Contains(never, root) {
				t.Fatalf("%s got the name %s", d.ID, name)
			}
			if got, _ := x.Mentioned(name); len(got) != 1 || got[0].ID != d.ID || got[0].Name != name {
				t.Fatalf("%s stands for %v", name, got)
			}
			if x.CheckInputs([]string{root}) == nil && d.ID.Kind() != capability.CLI {
				t.Fatalf("an input may hide %s", name)
			}
		}
		if len(x.Names(d.ID)) < 2 && d.ID.Kind() != capability.CLI && !reported(x, d.ID) {
			t.Fatalf("%s lacks a name and nothing is reported", d.ID)
		}
		if len(x.Names(d.ID)) == 0 && !reported(x, d.ID) {
			t.Fatalf("%s has no name and nothing is reported", d.ID)
		}
	}
	for name := range owner {
		if !strings.Contains(name, ".") && roots[name] {
			t.Fatalf("%s is a capability and a namespace", name)
		}
	}
	for _, c := range x.Collisions() {
		if owner[c.Name] != "" && len(c.IDs) > 0 && slices.ContainsFunc(c.IDs, func(id capability.ID) bool { return owner[c.Name] == id.String() }) {
			t.Fatalf("%s was withheld from %v and given to it", c.Name, c.IDs)
		}
	}
}

func reported(x *capability.Index, id capability.ID) bool {
	return slices.ContainsFunc(x.Collisions(), func(c capability.Collision) bool { return slices.Contains(c.IDs, id) })
}
