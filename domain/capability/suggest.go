package capability

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"toolplane/domain/fault"
	"toolplane/domain/spelling"
)

const (
	maxSuggestions = 3
	maxSuggestFor  = 200 // bytes of a name that is worth the search
)

// unknown is the fault for a name that no capability has.
func (x *Index) unknown(name string) *fault.Fault {
	near := x.Suggest(name)
	switch {
	case len(near) > 0:
		last := len(near) - 1
		list := near[last]
		if last > 0 {
			list = strings.Join(near[:last], ", ") + " or " + list
		}
		return fault.New(fault.CapabilityUnknown, "no capability has the id %.120q; did you mean %s?", name, list)
	case !strings.Contains(name, ":") || !strings.Contains(name, "/"):
		return fault.New(fault.CapabilityUnknown, "no capability has the id %.120q; ids look like \"mcp:linear/list_issues\"", name)
	default:
		return fault.New(fault.CapabilityUnknown, "no capability has the id %.120q", name)
	}
}

// Suggest returns the ids that someone who wrote the given id or friendly name
// may have meant, the likeliest first and at most three: those spelled nearly
// so, then the same name in another namespace, and where there is neither, what
// the namespace holds. Hidden capabilities are suggested for toolplane ids only.
func (x *Index) Suggest(name string) []string {
	if len(name) > maxSuggestFor {
		return nil
	}
	w := newWanted(name)
	type candidate struct {
		text  string
		score int
	}
	var near, same []candidate
	for _, e := range x.entries {
		if e.Hidden && !strings.HasPrefix(name, Toolplane.String()+":") {
			continue
		}
		if score, ok := w.score(e); ok {
			near = append(near, candidate{e.text, score})
		} else if len(near) == 0 && w.namespace != "" && strings.EqualFold(spell(w.namespace), spell(e.ID.Namespace())) {
			same = append(same, candidate{e.text, spelling.Distance(w.name, e.nameKey(), maxSuggestFor)})
		}
	}
	if len(near) == 0 {
		near = same
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.score, b.score) })
	near = near[:min(len(near), maxSuggestions)]
	texts := make([]string, len(near))
	for i, c := range near {
		texts[i] = c.text
	}
	return texts
}

// nameKey returns the part of the entry's key that stands for its name alone.
func (e *entry) nameKey() string {
	return e.key[max(len(e.key)-utf8.RuneCountInString(e.ID.Name()), 0):]
}

// wanted is a name that was not found, taken apart.
type wanted struct {
	namespace string // as written; "" where it is not told from the name
	full      string // comparable with an entry's key
	name      string // comparable with the part of the key that is the name
}

func newWanted(text string) wanted {
	var w wanted
	name := text
	if _, rest, ok := strings.Cut(text, ":"); ok {
		text = rest
		name = rest
	}
	for _, separator := range []string{"/", "."} {
		if before, after, ok := strings.Cut(text, separator); ok {
			w.namespace, name = before, after
			break
		}
	}
	w.full = strings.ToLower(spell(text))
	w.name = strings.ToLower(spell(name))
	return w
}

// score tells how far an entry is from what was wanted, if it is near at all.
func (w wanted) score(e *entry) (int, bool) {
	best, found := 0, false
	take := func(score int) {
		if !found || score < best {
			best, found = score, true
		}
	}
	if most := spelling.Slips(len(w.full)); w.full != "" {
		if d := spelling.Distance(w.full, e.key, most); d <= most {
			take(2 * d)
		}
	}
	if w.name != "" {
		most := spelling.Slips(len(w.name))
		if d := spelling.Distance(w.name, e.nameKey(), most); d <= most {
			take(2*d + 3)
		}
	}
	return best, found
}
