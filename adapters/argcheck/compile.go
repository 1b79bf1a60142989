package argcheck

import (
	"net/url"
	"slices"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

// maxNodes bounds how many schemas one schema may consist of.
const maxNodes = 20_000

// compiler makes nodes of one schema.
type compiler struct {
	root     canon.Value
	old      bool             // up to draft 07, where a reference stands alone
	byRef    map[string]*node // of references, by pointer
	nodes    int
	rare     string // the first keyword that only the library decides
	work     work   // for the values that schemas hold
	nestedID bool
}

// compile makes a schema ready. It returns the first keyword that only the
// library decides, or "".
func compile(schema canon.Value) (root *node, rare string, err error) {
	version, _ := schema.Member("$schema")
	text, _ := version.Text()
	c := compiler{root: schema, old: isOld(text), byRef: make(map[string]*node), work: maxWork}
	root = new(node)
	c.byRef[""] = root
	if err := c.fill(root, schema, true); err != nil {
		return nil, "", err
	}
	if c.rare != "" && c.nestedID {
		return nil, "", broken("it gives parts of itself ids of their own")
	}
	if root.circular() {
		return nil, "", broken("it refers to itself in a circle")
	}
	if c.rare != "" {
		root.markRare()
	}
	return root, c.rare, nil
}

// isOld reports whether a $schema names a draft in which a $ref hides what
// stands beside it.
func isOld(version string) bool {
	return strings.Contains(version, "draft-07") || strings.Contains(version, "draft-06") || strings.Contains(version, "draft-04")
}

func broken(format string, args ...any) error {
	return fault.New(fault.ArgsInvalid, "the schema cannot be used: "+format, args...)
}

func (c *compiler) node(schema canon.Value) (*node, error) {
	n := new(node)
	return n, c.fill(n, schema, false)
}

func (c *compiler) nodesOf(list canon.Value, keyword string) ([]*node, error) {
	if list.Kind() != canon.KindArray {
		return nil, broken("%q is no array", keyword)
	}
	var nodes []*node
	for schema := range list.Elements() {
		n, err := c.node(schema)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// fill makes a node of a schema.
func (c *compiler) fill(n *node, schema canon.Value, isRoot bool) error {
	if err := c.read(n, schema, isRoot); err != nil {
		return err
	}
	n.size = schema.Len()
	n.inPlace = slices.Concat(n.allOf, n.anyOf, n.oneOf, n.same)
	if n.ref != nil {
		n.inPlace = append(n.inPlace, n.ref)
	}
	return nil
}

func (c *compiler) read(n *node, schema canon.Value, isRoot bool) error {
	if c.nodes++; c.nodes > maxNodes {
		return broken("it consists of more than %d schemas", maxNodes)
	}
	if yes, ok := schema.Bool(); ok {
		n.never = !yes
		return nil
	}
	if schema.Kind() != canon.KindObject {
		return broken("a schema is an object or a boolean, not %v", schema.Kind())
	}
	if ref, ok := schema.Member("$ref"); ok && c.old {
		return c.reference(n, ref)
	}
	for keyword, value := range schema.Members() {
		if keyword == "$id" && !isRoot {
			c.nestedID = true
		}
		if err := c.keyword(n, schema, keyword, value); err != nil {
			return err
		}
	}
	return nil
}

// reference points a node to what a $ref names.
func (c *compiler) reference(n *node, ref canon.Value) error {
	text, ok := ref.Text()
	pointer, local := strings.CutPrefix(text, "#")
	if pointer, err := url.PathUnescape(pointer); ok && local && err == nil {
		if target := c.byRef[pointer]; target != nil {
			n.ref = target
			return nil
		}
		if at, ok := follow(c.root, pointer); ok {
			n.ref = new(node)
			c.byRef[pointer] = n.ref
			return c.fill(n.ref, at, false)
		}
	}
	return broken("it refers to %.80q, which is not in it", text)
}

// follow returns what a JSON pointer (RFC 6901) names in a value.
func follow(at canon.Value, pointer string) (canon.Value, bool) {
	if pointer == "" {
		return at, true
	}
	rest, ok := strings.CutPrefix(pointer, "/")
	if !ok {
		return canon.Value{}, false
	}
	for step := range strings.SplitSeq(rest, "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		var found bool
		if at.Kind() == canon.KindArray {
			at, found = element(at, step)
		} else {
			at, found = at.Member(step)
		}
		if !found {
			return canon.Value{}, false
		}
	}
	return at, true
}

func element(list canon.Value, index string) (canon.Value, bool) {
	n := 0
	for v := range list.Elements() {
		if index == string(canon.Int(int64(n)).Bytes()) {
			return v, true
		}
		n++
	}
	return canon.Value{}, false
}

// circular reports whether a value could be checked against the same schema
// over and over without getting any smaller.
func (n *node) circular() bool {
	const (
		open = 1
		done = 2
	)
	state := make(map[*node]int)
	var visit func(*node) bool
	visit = func(n *node) bool {
		switch state[n] {
		case open:
			return true
		case done:
			return false
		}
		state[n] = open
		if slices.ContainsFunc(n.inPlace, visit) {
			return true
		}
		state[n] = done
		return false
	}
	for _, each := range n.all() {
		if visit(each) {
			return true
		}
	}
	return false
}

// below returns the schemas that check parts of the value.
func (n *node) below() []*node {
	list := slices.Concat(n.prefix, n.elements, n.members, n.nouns)
	for _, name := range n.names {
		list = append(list, n.properties[name])
	}
	for _, p := range n.patterns {
		list = append(list, p.schema)
	}
	for _, one := range []*node{n.items, n.additional} {
		if one != nil {
			list = append(list, one)
		}
	}
	return list
}

// all returns n and every schema that can be reached from it.
func (n *node) all() []*node {
	seen := map[*node]bool{n: true}
	list := []*node{n}
	for i := 0; i < len(list); i++ {
		for _, next := range slices.Concat(list[i].inPlace, list[i].below()) {
			if !seen[next] {
				seen[next] = true
				list = append(list, next)
			}
		}
	}
	return list
}

// markRare marks every schema below which the library has a say.
func (n *node) markRare() {
	users := make(map[*node][]*node)
	var todo []*node
	for _, each := range n.all() {
		for _, used := range slices.Concat(each.inPlace, each.below()) {
			users[used] = append(users[used], each)
		}
		if each.rare {
			todo = append(todo, each)
		}
	}
	for len(todo) > 0 {
		each := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, user := range users[each] {
			if !user.rare {
				user.rare = true
				todo = append(todo, user)
			}
		}
	}
}
