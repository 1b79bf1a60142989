package discover

import (
	"strings"

	"toolplane/domain/capability"
	"toolplane/domain/fault"
)

// What one request for descriptions may name.
const (
	MaxNames  = 100 // names
	maxAsNear = 200 // bytes of an unknown name that are shown
)

// Describe returns what is known of each name, an id, a friendly name or a helper
// such as save_result, in their order. A name that nothing has gets an entry that says so. Too many
// names are a fault of code args.invalid.
func (x *Index) Describe(names []string, detail Detail) ([]Description, error) {
	switch {
	case len(names) > MaxNames:
		return nil, fault.New(fault.ArgsInvalid, "%d names are asked for, the limit is %d; ask again for the rest", len(names), MaxNames)
	case detail > Full:
		return nil, fault.New(fault.ArgsInvalid, "there is no such detail; give brief, detailed or full")
	}
	found := make([]Description, 0, len(names))
	for _, name := range names {
		found = append(found, x.find(strings.TrimSpace(name), detail))
	}
	return found, nil
}

func (x *Index) find(name string, detail Detail) Description {
	if i, ok := x.byName[name]; ok {
		return x.describe(x.documents[i].Descriptor, detail)
	}
	id := name
	if own, ok := capability.OwnID(name); ok {
		id = own
	}
	d, err := x.capabilities.Lookup(id)
	if err == nil {
		return x.describe(d, detail)
	}
	near := x.capabilities.Suggest(name)
	text := "No capability is called " + code(clean(name, maxAsNear)) + "."
	if len(near) > 0 {
		quoted := make([]string, len(near))
		for i, id := range near {
			quoted[i] = code(id)
		}
		text += " Did you mean " + strings.Join(quoted, " or ") + "?"
	} else {
		text += " Search with a few words, or with none to list them all."
	}
	return Description{ID: clean(name, maxAsNear), Unknown: true, Near: near, Text: text}
}

// describe renders one capability.
func (x *Index) describe(d capability.Descriptor, detail Detail) Description {
	names := x.capabilities.Names(d.ID)
	about := Description{
		ID: d.ID.String(), Names: names, Call: callShape(d, names), Summary: summary(d), Source: d,
	}
	for _, tag := range d.Tags[:min(len(d.Tags), maxArguments)] {
		about.Tags = append(about.Tags, prose(tag, maxLabel))
	}
	switch detail {
	case Brief:
		about.Text = brief(about)
	case Detailed:
		about.Text = detailed(about)
	default:
		about.Text = full(about)
	}
	return about
}

// summary is the first sentence of the description, or else the title.
func summary(d capability.Descriptor) string {
	const most = 4 * maxSummary // a sentence that is cut is cut by itself
	text := sentence(clean(d.Description[:min(len(d.Description), maxRead)], most))
	if text == "" {
		text = d.Title
	}
	return prose(text, maxSummary)
}
