package capability

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Why names are withheld, beside what Python and toolplane keep.
const (
	reasonSeveral   = "several capabilities want it"
	reasonNamespace = "a namespace and a capability both want it"
	reasonAlias     = "another capability is called so"
	reasonLetters   = "the name has no ASCII letter or digit to make an identifier of"
)

// claims are the global names that capabilities want, with the entries that
// want them.
type claims struct {
	flat     map[string][]int
	roots    map[string]map[string][]int // of namespaces: member to entries
	binaries map[string][]int
}

// assignNames gives every visible capability its friendly names and reports
// those that are withheld.
func (x *Index) assignNames() {
	c := x.claims()
	for name := range c.flat {
		x.assignFlat(name, c)
	}
	for name := range c.roots {
		x.assignScope(name, c)
	}
	for name := range c.binaries {
		x.assignBinary(name, c)
	}
	slices.SortFunc(x.collisions, func(a, b Collision) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Reason, b.Reason), strings.Compare(a.IDs[0].String(), b.IDs[0].String()))
	})
}

func (x *Index) claims() claims {
	c := claims{
		flat:     make(map[string][]int, len(x.entries)),
		roots:    make(map[string]map[string][]int),
		binaries: make(map[string][]int),
	}
	// Nearly every name is wanted once, so the claims share one slice.
	numbers := make([]int, len(x.entries))
	claim := func(names map[string][]int, name string, i int) {
		if others, ok := names[name]; ok {
			names[name] = append(others, i)
			return
		}
		names[name] = numbers[i : i+1 : i+1]
	}
	for i, e := range x.entries {
		numbers[i] = i
		namespace, name := Identifier(e.ID.Namespace()), Identifier(e.ID.Name())
		flat := Identifier(e.ID.Namespace() + "_" + e.ID.Name())
		e.key = strings.ToLower(spell(e.ID.Namespace() + "_" + e.ID.Name()))
		switch {
		case e.Hidden:
		case name == "" || namespace == "" && e.ID.Kind() != CLI:
			x.withhold(e.ID.Namespace()+"."+e.ID.Name(), reasonLetters, e.ID)
		case e.ID.Kind() == CLI:
			claim(c.binaries, name, i)
		default:
			claim(c.flat, flat, i)
			if c.roots[namespace] == nil {
				c.roots[namespace] = make(map[string][]int)
			}
			claim(c.roots[namespace], name, i)
		}
	}
	return c
}

func (x *Index) assignFlat(name string, c claims) {
	wanted := c.flat[name]
	reason := whyNoGlobal(name)
	switch {
	case reason != "":
	case len(wanted) > 1:
		reason = reasonSeveral
	case c.roots[name] != nil:
		reason = reasonNamespace
	default:
		x.globals[name] = wanted[0]
		x.entries[wanted[0]].flat = name
		return
	}
	x.withhold(name, reason, x.ids(wanted)...)
}

func (x *Index) assignScope(root string, c claims) {
	members := c.roots[root]
	reason := whyNoGlobal(root)
	if reason == "" && c.flat[root] != nil {
		reason = reasonNamespace
	}
	if reason != "" {
		var all []int
		for _, wanted := range members {
			all = append(all, wanted...)
		}
		x.withhold(root, reason, x.ids(all)...)
		return
	}
	s := &scope{members: make(map[string]int, len(members)), sorted: make([]string, 0, len(members))}
	for _, member := range slices.Sorted(maps.Keys(members)) {
		wanted := members[member]
		reason := whyNoAttribute(member)
		if reason == "" && len(wanted) > 1 {
			reason = reasonSeveral
		}
		if reason != "" {
			x.withhold(root+"."+member, reason, x.ids(wanted)...)
			continue
		}
		s.members[member] = wanted[0]
		s.sorted = append(s.sorted, member)
		x.entries[wanted[0]].scoped = root + "." + member
	}
	if len(s.members) > 0 {
		x.scopes[root] = s
	}
}

func (x *Index) assignBinary(name string, c claims) {
	wanted := c.binaries[name]
	reason := whyNoGlobal(name)
	switch {
	case reason != "":
	case len(wanted) > 1:
		reason = reasonSeveral
	case c.flat[name] != nil || c.roots[name] != nil:
		reason = reasonAlias
	default:
		x.globals[name] = wanted[0]
		x.entries[wanted[0]].flat = name
		return
	}
	x.withhold(name, reason, x.ids(wanted)...)
}
