package capability

import (
	"unicode"

	"toolplane/domain/fault"
)

// CheckInputs reports the first name that cannot be an input of a run, that is,
// a global that the client gives: one that is no identifier, that Python or
// toolplane keep, or that would hide a capability or a namespace. A binary's
// name may be taken: the input then hides the binary's friendly name.
func (x *Index) CheckInputs(names []string) error {
	for _, name := range names {
		if !IsIdentifier(name) {
			return fault.New(fault.ArgsInvalid, "%.80q cannot be an input: give it a name of letters, digits and underscores that does not begin with a digit", name)
		}
		reason := whyNoGlobal(name)
		if i, taken := x.globals[name]; reason == "" && taken && x.entries[i].ID.Kind() != CLI {
			reason = "it would hide the capability " + x.entries[i].text
		}
		if x.scopes[name] != nil {
			reason = "it would hide the namespace of the capability " + x.entries[x.scopes[name].members[x.scopes[name].sorted[0]]].text
		}
		if reason != "" {
			return fault.New(fault.ArgsInvalid, "%.80q cannot be an input: %s; give it another name", name, reason)
		}
	}
	return nil
}

// IsIdentifier reports whether a name can be a Python identifier. It is
// stricter than Python beyond ASCII: letters and digits only, no marks.
func IsIdentifier(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != ""
}
