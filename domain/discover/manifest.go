package discover

import (
	"fmt"
	"strings"

	"toolplane/domain/capability"
	"toolplane/domain/limit"
)

// Bounds of a manifest, in bytes.
const (
	maxManifest   = 256 << 10
	maxCollisions = 16 << 10
	minShare      = 256 // of a namespace that is listed at all
)

// Mode is what of toolplane itself is on for a client.
type Mode struct {
	Results   limit.Store
	Artifacts limit.Store
}

// Manifest returns the whole namespace of a snippet as Markdown of at most
// 256 KiB: what is always there, which stores are on, and each namespace with
// its capabilities, of which some are only counted where they are too many.
func (x *Index) Manifest(mode Mode) string {
	var out strings.Builder
	writeHelpers(&out, mode)
	names := x.collisions()
	x.writeNamespaces(&out, maxManifest-out.Len()-len(names))
	out.WriteString(names)
	return out.String()
}

func writeHelpers(out *strings.Builder, mode Mode) {
	out.WriteString("# What a snippet can call\n\n" +
		"Capabilities are awaitable functions. Each has an id, which always works with `call_tool`, and friendly names " +
		"where these are unambiguous. Descriptions come from the tools themselves.\n\n" +
		"## Always there\n\n" +
		"- `await call_tool(id, {\"argument\": value})`: calls a capability by its id.\n" +
		"- `ToolError`: what a tool's failure raises, a RuntimeError with `.content`.\n\n" +
		"## Results\n\n")
	if r := mode.Results; r.Enabled {
		fmt.Fprintf(out, "- `await save_result(value, label=None)`: keeps a JSON value on the host and returns its handle, `res_…`.\n"+
			"- `await load_result(handle)`: returns it, in a later run too. An unknown or expired handle is a ValueError.\n"+
			"- `toolplane://results/{handle}`: the resource that serves the value.\n\n"+
			"At most %d results at once, %s each and %s in all, kept for %s.\n\n", r.Entries, limit.Size(r.Entry), limit.Size(r.Total), limit.Duration(r.TTL))
	} else {
		out.WriteString("The results store is disabled.\n\n")
	}
	out.WriteString("## Artifacts\n\n")
	if a := mode.Artifacts; a.Enabled {
		fmt.Fprintf(out, "- `await save_artifact(data, filename=None, label=None, media_type=None)`: keeps bytes on the host and returns their handle, `art_…`.\n"+
			"- `await load_artifact(handle)`: returns them, in a later run too.\n"+
			"- `toolplane://artifacts/{handle}`: the resource that serves the bytes.\n\n"+
			"At most %d artifacts at once, %s each and %s in all, kept for %s.\n\n", a.Entries, limit.Size(a.Entry), limit.Size(a.Total), limit.Duration(a.TTL))
	} else {
		out.WriteString("The artifacts store is disabled.\n\n")
	}
}

// group is the documents of one namespace, which stand together in the order of
// ids.
type group struct {
	kind        capability.Kind
	name        string
	first, last int
}

func (x *Index) groups() []group {
	var groups []group
	for i, d := range x.documents {
		n := len(groups)
		if n == 0 || groups[n-1].kind != d.ID.Kind() || groups[n-1].name != d.ID.Namespace() {
			groups = append(groups, group{kind: d.ID.Kind(), name: d.ID.Namespace(), first: i})
			n++
		}
		groups[n-1].last = i + 1
	}
	return groups
}

// writeNamespaces shares the room out among the namespaces; what one leaves goes
// to those that follow.
func (x *Index) writeNamespaces(out *strings.Builder, room int) {
	groups := x.groups()
	if len(groups) == 0 {
		out.WriteString("## Capabilities\n\nNo tool is connected.\n\n")
		return
	}
	for i, g := range groups {
		share := max(room/(len(groups)-i), minShare)
		if share > room {
			fmt.Fprintf(out, "%d more namespaces are not listed; search finds what they hold.\n\n", len(groups)-i)
			return
		}
		text := x.namespace(g, share)
		room -= len(text)
		out.WriteString(text)
	}
}

// namespace lists one namespace in at most room bytes.
func (x *Index) namespace(g group, room int) string {
	const reserve = 100 // for the line that counts the rest
	count := g.last - g.first
	noun := "capabilities"
	if count == 1 {
		noun = "capability"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "## %s (%d %s)\n\n", code(clean(g.kind.String()+":"+g.name, maxLabel)), count, noun)
	for i := g.first; i < g.last; i++ {
		if out.Len() > room-reserve {
			fmt.Fprintf(&out, "- … and %d more; search finds them.\n", g.last-i)
			break
		}
		line := x.describe(x.documents[i].Descriptor, Brief).Text + "\n"
		if out.Len()+len(line) > room-reserve {
			fmt.Fprintf(&out, "- … and %d more; search finds them.\n", g.last-i)
			break
		}
		out.WriteString(line)
	}
	out.WriteByte('\n')
	return out.String()
}

// collisions lists the friendly names that nothing got.
func (x *Index) collisions() string {
	all := x.capabilities.Collisions()
	if len(all) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString("## Names withheld\n\nNo function has these names; each capability has its id.\n\n")
	for i, c := range all {
		ids := make([]string, 0, maxMembers)
		for _, id := range c.IDs[:min(len(c.IDs), maxMembers)] {
			ids = append(ids, code(id.String()))
		}
		if more := len(c.IDs) - len(ids); more > 0 {
			ids = append(ids, fmt.Sprintf("%d more", more))
		}
		line := fmt.Sprintf("- %s: %s (%s)\n", code(clean(c.Name, maxLabel)), c.Reason, strings.Join(ids, ", "))
		if out.Len()+len(line) > maxCollisions {
			fmt.Fprintf(&out, "- … and %d more.\n", len(all)-i)
			break
		}
		out.WriteString(line)
	}
	return out.String()
}
