package tomlconfig

import (
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// entryKind tells how an entry is written.
type entryKind uint8

const (
	valueEntry entryKind = iota
	tableEntry
	listEntry // [[name]]
)

// entry is a table or a key as it stands in the file.
type entry struct {
	path    []string
	offsets []int // of the path's parts, where they are written
	kind    entryKind
}

// entries returns all tables and keys in their order. What their values are is
// the tree's business.
func (d *document) entries() ([]entry, error) {
	var found []entry
	var table entry
	var p unstable.Parser
	p.Reset(d.data)
	for p.NextExpression() {
		switch node := p.Expression(); node.Kind {
		case unstable.Table:
			table = keyOf(node, entry{}, tableEntry)
			found = append(found, table)
		case unstable.ArrayTable:
			table = keyOf(node, entry{}, listEntry)
			found = append(found, table)
		case unstable.KeyValue:
			found = appendValue(found, node, table)
		}
	}
	return found, p.Error()
}

// appendValue adds a key and, if it is a table in braces, the keys in it.
func appendValue(found []entry, node *unstable.Node, table entry) []entry {
	e := keyOf(node, table, valueEntry)
	value := node.Value()
	if value.Kind != unstable.InlineTable || len(e.path) > 1 {
		return append(found, e)
	}
	e.kind = tableEntry
	found = append(found, e)
	for it := value.Children(); it.Next(); {
		found = appendValue(found, it.Node(), e)
	}
	return found
}

// keyOf returns the entry of a node that has a key.
func keyOf(node *unstable.Node, table entry, kind entryKind) entry {
	e := entry{path: slices.Clip(table.path), offsets: slices.Clip(table.offsets), kind: kind}
	for it := node.Key(); it.Next(); {
		part := it.Node()
		e.path = append(e.path, string(part.Data))
		e.offsets = append(e.offsets, int(part.Raw.Offset))
	}
	return e
}
