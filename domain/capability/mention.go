package capability

import (
	"maps"
	"slices"
)

// maxWhole bounds how many names of one namespace, or of all namespaces, are
// given to a snippet that does not say which it needs.
const maxWhole = 512

// Mention is a friendly name that a snippet may use, and what it stands for.
type Mention struct {
	Name string // flat or scoped
	ID   ID
}

// Mentioned returns the friendly names that a snippet may use, sorted. It reads
// the source as a sequence of words, strings and comments included, so it may
// return a name too many but misses none that is written out. A word right
// after a dot is an attribute and counts only behind its namespace.
//
// A scoped name is returned where it is written out ("linear.list_issues").
// Where a namespace stands alone or before something it does not hold, as in
// getattr(linear, name), all its names are returned, and all names there are
// where dir, globals, eval and their like are used; both up to 512 names. An
// input's name hides a binary that is called so.
func (x *Index) Mentioned(code string, inputs ...string) []Mention {
	m := mentions{index: x, found: make(map[string]int)}
	for i := 0; i < len(code); {
		switch c := code[i]; {
		case c == '\\': // of an escape in a string, whose letter belongs to no word
			i += 2
		case isWordStart(c):
			end := wordEnd(code, i)
			if i == 0 || code[i-1] != '.' { // an attribute is no global
				m.see(code[i:end], code[end:])
			}
			i = end
		case isDigit(c):
			i = wordEnd(code, i)
		default:
			i++
		}
	}
	if m.everything {
		m.addEverything()
	}
	for _, name := range inputs {
		delete(m.found, name)
	}
	result := make([]Mention, 0, len(m.found))
	for _, name := range slices.Sorted(maps.Keys(m.found)) {
		result = append(result, Mention{Name: name, ID: x.entries[m.found[name]].ID})
	}
	return result
}

// mentions collects what one snippet mentions.
type mentions struct {
	index      *Index
	found      map[string]int // friendly name to entry
	everything bool
}

// see takes one word of the source and what follows it.
func (m *mentions) see(word, rest string) {
	if i, ok := m.index.globals[word]; ok {
		m.found[word] = i
		return
	}
	s := m.index.scopes[word]
	if s == nil {
		m.everything = m.everything || dynamic[word]
		return
	}
	if member := attribute(rest); member != "" {
		if i, ok := s.members[member]; ok {
			m.found[word+"."+member] = i
			return
		}
	}
	m.addScope(word, s, maxWhole)
}

// addScope adds the names of a namespace, up to a number of them, and returns
// how many it added.
func (m *mentions) addScope(root string, s *scope, most int) int {
	n := min(len(s.sorted), most)
	for _, member := range s.sorted[:n] {
		m.found[root+"."+member] = s.members[member]
	}
	return n
}

func (m *mentions) addEverything() {
	left := maxWhole
	for _, name := range slices.Sorted(maps.Keys(m.index.globals)) {
		if left == 0 {
			return
		}
		m.found[name] = m.index.globals[name]
		left--
	}
	for _, root := range slices.Sorted(maps.Keys(m.index.scopes)) {
		left -= m.addScope(root, m.index.scopes[root], left)
	}
}

// attribute returns the word after a dot at the beginning of the text, or "".
// White space may stand on both sides of the dot, line ends included.
func attribute(text string) string {
	i := skipSpace(text, 0)
	if i >= len(text) || text[i] != '.' {
		return ""
	}
	i = skipSpace(text, i+1)
	if i >= len(text) || !isWordStart(text[i]) {
		return ""
	}
	return text[i:wordEnd(text, i)]
}

// skipSpace returns the index of the first character from i on that is neither
// white space nor the backslash of a continued line.
func skipSpace(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || '\t' <= text[i] && text[i] <= '\r' || text[i] == '\\') {
		i++
	}
	return i
}

// isWordStart reports whether a word can begin with this byte. Every byte
// beyond ASCII counts as a letter.
func isWordStart(c byte) bool { return c >= 0x80 || isWord(c) && !isDigit(c) }

func wordEnd(text string, i int) int {
	for i < len(text) && (text[i] >= 0x80 || isWord(text[i])) {
		i++
	}
	return i
}
