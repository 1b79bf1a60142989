package capability

import (
	"maps"
	"slices"

	"toolplane/domain/spelling"
)

// MaxUnwritten bounds how many names a snippet gets that it does not write out;
// most capabilities have two.
const MaxUnwritten = 20_000

// Mention is a friendly name that a snippet may use, and what it stands for.
type Mention struct {
	Name string // flat or scoped
	ID   ID
}

// Mentioned returns the friendly names that a snippet may use, sorted, and how
// many more it might have used. It reads the source as a sequence of words,
// strings and comments included, so it may return a name too many but misses
// none that is written out. A word right after a dot is an attribute: it counts
// behind its namespace, or as a way to names that are not written out.
//
// A scoped name is returned where it is written out ("linear.list_issues").
// Where a namespace stands alone or before something it does not hold, as in
// getattr(linear, name), all its names are returned, and all names there are
// where globals, eval and their like are used, or letters that Python takes for
// others; both up to MaxUnwritten names. For a flat name that is misspelt the
// nearest real one is returned, so that Python can suggest it. An input's name
// hides a binary that is called so.
func (x *Index) Mentioned(code string, inputs ...string) (names []Mention, left int) {
	m := mentions{index: x, found: make(map[string]int), room: MaxUnwritten}
	for i := 0; i < len(code); {
		switch c := code[i]; {
		case c == '\\': // of an escape in a string, whose letter belongs to no word
			i += 2
		case isWordStart(c):
			end := wordEnd(code, i)
			i = end + m.see(code[i:end], code[end:], i > 0 && code[i-1] == '.')
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
	names = make([]Mention, 0, len(m.found))
	for _, name := range slices.Sorted(maps.Keys(m.found)) {
		names = append(names, Mention{Name: name, ID: x.entries[m.found[name]].ID})
	}
	return names, m.left
}

// mentions collects what one snippet mentions.
type mentions struct {
	index      *Index
	found      map[string]int  // friendly name to entry
	seen       map[string]bool // namespaces that were added whole, and words that were taken for misspelt
	room, left int             // for names that are not written out, and how many found none
	misspelt   int             // words that were compared with names
	everything bool
}

// see takes one word of the source and what follows it, of which it returns how
// much it has used up.
func (m *mentions) see(word, rest string, afterDot bool) int {
	if !afterDot { // an attribute is no global
		if i, ok := m.index.globals[word]; ok {
			m.found[word] = i
			return 0
		}
		if s := m.index.scopes[word]; s != nil {
			return m.seeScope(word, s, rest)
		}
	}
	switch {
	case m.everything:
	case dynamic[word] || folds(word):
		m.everything = true
	case !afterDot:
		m.suggest(word)
	}
	return 0
}

// seeScope takes the name of a namespace, as see does.
func (m *mentions) seeScope(root string, s *scope, rest string) int {
	member, end := attribute(rest)
	if i, ok := s.members[member]; ok {
		m.found[root+"."+member] = i
		return end
	}
	if m.first(root) {
		for _, member := range s.sorted {
			m.add(root+"."+member, s.members[member])
		}
	}
	return 0
}

// first reports whether a namespace or a word is seen for the first time.
func (m *mentions) first(name string) bool {
	if m.seen[name] {
		return false
	}
	if m.seen == nil {
		m.seen = make(map[string]bool)
	}
	m.seen[name] = true
	return true
}

// add adds a name that is not written out, if there is room for it.
func (m *mentions) add(name string, entry int) {
	if _, known := m.found[name]; known || name == "" {
		return
	}
	if m.room == 0 {
		m.left++
		return
	}
	m.room--
	m.found[name] = entry
}

func (m *mentions) addEverything() {
	for i, e := range m.index.entries {
		m.add(e.scoped, i)
		m.add(e.flat, i)
	}
}

// maxMisspelt bounds how many words of one snippet are compared with names, whose
// number may be large.
const maxMisspelt = 32

// suggest adds the flat name that comes nearest to a word which begins with a
// namespace and names nothing.
func (m *mentions) suggest(word string) {
	if len(word) > maxSuggestFor || m.misspelt == maxMisspelt {
		return
	}
	best, distance, compared := -1, spelling.Slips(len(word))+1, false
	for i := 1; i < len(word); i++ {
		if word[i] != '_' {
			continue
		}
		s := m.index.scopes[word[:i]]
		if s == nil {
			continue
		}
		if !compared {
			if !m.first(word) {
				return
			}
			compared = true
			m.misspelt++
		}
		for _, member := range s.sorted {
			entry := s.members[member]
			flat := m.index.entries[entry].flat
			if d := spelling.Distance(word, flat, distance-1); flat != "" && d < distance {
				best, distance = entry, d
			}
		}
	}
	if best >= 0 {
		m.add(m.index.entries[best].flat, best)
	}
}

// attribute returns the word after a dot at the beginning of the text, or "", and
// where it ends. White space may stand on both sides of the dot, line ends
// included.
func attribute(text string) (word string, end int) {
	i := skipSpace(text, 0)
	if i >= len(text) || text[i] != '.' {
		return "", 0
	}
	i = skipSpace(text, i+1)
	if i >= len(text) || !isWordStart(text[i]) {
		return "", 0
	}
	end = wordEnd(text, i)
	return text[i:end], end
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
