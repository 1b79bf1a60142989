package capability

import (
	"iter"
	"slices"
	"strings"
)

// Collision is a name that was withheld from the capabilities that wanted it.
// All of them can be called by id, except the one a duplicate id hides.
type Collision struct {
	Name   string // as a snippet would write it
	IDs    []ID   // sorted
	Reason string // a clause, such as "the name is a Python builtin"
}

// Index finds capabilities by id and decides on their friendly names. Make it
// with NewIndex; it does not change and may be used concurrently.
//
// A capability of any kind but CLI has two friendly names, flat
// ("linear_list_issues") and scoped ("linear.list_issues"), made of the
// identifiers of its namespace and its name; an allow-listed binary has its own
// ("git"). A name that two capabilities want goes to neither. A namespace that
// is called like another capability's flat name, and that flat name, are both
// withheld. Binaries come last: any other capability's claim withholds theirs.
// No friendly name is reserved, a builtin or a keyword. Hidden capabilities
// have none.
type Index struct {
	entries    []*entry // sorted by id
	byID       map[string]int
	globals    map[string]int // flat names and binaries
	scopes     map[string]*scope
	collisions []Collision
}

// entry is one capability with the friendly names that it got.
type entry struct {
	Descriptor
	text   string // of the id
	key    string // flat name in lower case, by which near names are found
	scoped string // "" where withheld
	flat   string // "" where withheld; of a binary, its name
}

// scope is the namespace object of one identifier; several namespaces may share
// it.
type scope struct {
	members map[string]int // identifier to entry
	sorted  []string       // the members
}

// NewIndex makes an index. Of several descriptors with one id the first counts.
func NewIndex(descriptors []Descriptor) *Index {
	x := &Index{
		entries: make([]*entry, 0, len(descriptors)),
		byID:    make(map[string]int, len(descriptors)),
		globals: make(map[string]int, len(descriptors)),
		scopes:  make(map[string]*scope),
	}
	memory := make([]entry, len(descriptors))
	for i, d := range descriptors {
		memory[i] = entry{Descriptor: d, text: d.ID.String()}
		x.entries = append(x.entries, &memory[i])
	}
	slices.SortStableFunc(x.entries, func(a, b *entry) int { return strings.Compare(a.text, b.text) })
	x.entries = slices.CompactFunc(x.entries, func(first, later *entry) bool {
		if first.text != later.text {
			return false
		}
		x.withhold(later.text, "another capability with this id came first", later.ID)
		return true
	})
	for i, e := range x.entries {
		x.byID[e.text] = i
	}
	x.assignNames()
	return x
}

// Lookup returns the capability of a canonical id. Its fault is
// capability.unknown and says which ids come near.
func (x *Index) Lookup(id string) (Descriptor, error) {
	if i, ok := x.byID[id]; ok {
		return x.entries[i].Descriptor, nil
	}
	return Descriptor{}, x.unknown(id)
}

// Visible iterates over the capabilities that are not hidden, sorted by id.
func (x *Index) Visible() iter.Seq[Descriptor] {
	return func(yield func(Descriptor) bool) {
		for _, e := range x.entries {
			if !e.Hidden && !yield(e.Descriptor) {
				return
			}
		}
	}
}

// Names returns the friendly names that a capability got, the one to prefer
// first.
func (x *Index) Names(id ID) []string {
	i, ok := x.byID[id.String()]
	if !ok {
		return nil
	}
	var got []string
	for _, name := range []string{x.entries[i].scoped, x.entries[i].flat} {
		if name != "" {
			got = append(got, name)
		}
	}
	return got
}

// Collisions returns every name that was withheld, sorted by name.
func (x *Index) Collisions() []Collision { return slices.Clone(x.collisions) }

func (x *Index) withhold(name, reason string, ids ...ID) {
	slices.SortFunc(ids, func(a, b ID) int { return strings.Compare(a.String(), b.String()) })
	x.collisions = append(x.collisions, Collision{Name: name, IDs: ids, Reason: reason})
}

// ids returns the ids of some entries.
func (x *Index) ids(entries []int) []ID {
	ids := make([]ID, len(entries))
	for i, e := range entries {
		ids[i] = x.entries[e].ID
	}
	return ids
}
