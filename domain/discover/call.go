package discover

import (
	"strconv"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
)

// What a call shape shows at most.
const (
	maxParameters  = 32
	maxDefinitions = 6   // named objects that are explained
	maxExplanation = 600 // bytes of all explanations
)

// callShape returns how a snippet calls a capability, in Python's notation:
//
//	await linear.list_issues(query: str, limit: int = 20)
//
// Required parameters come first; one that may be left out has its default, or
// "..." where the schema names none. A capability without a friendly name is
// called by id. What the names of objects stand for follows as a comment; in it
// and in types, "name"? is a member that may be left out. Schemas are untrusted:
// names that are no identifiers and texts are quoted, and what is too long or
// too deep is cut.
func callShape(d capability.Descriptor, names []string) string {
	t := newTypist(d.Input)
	parameters := t.parameters()
	var call string
	if len(names) > 0 {
		call = "await " + names[0] + "(" + strings.Join(keywordParameters(parameters), ", ") + ")"
	} else {
		var members []string
		for _, p := range parameters {
			members = append(members, p.member())
		}
		call = "await call_tool(" + strconv.Quote(d.ID.String()) + ", {" + strings.Join(members, ", ") + "})"
	}
	if explained := t.explain(); explained != "" {
		call += "  # " + explained
	}
	return call
}

// explain says what the mentioned names stand for, and the names that these
// mention.
func (t *typist) explain() string {
	var text strings.Builder
	for i := 0; i < len(t.mentioned); i++ {
		n := t.mentioned[i]
		line := n.name + " = " + t.members(t.fields(n.schema), 1)
		if i == maxDefinitions || text.Len()+len(line) > maxExplanation {
			text.WriteString("; …")
			break
		}
		if i > 0 {
			text.WriteString("; ")
		}
		text.WriteString(line)
	}
	return strings.TrimPrefix(text.String(), "; ")
}

// parameter is one parameter of a call; the one that stands for others has
// stars before its name and nothing else.
type parameter struct {
	name     string
	kind     string
	fallback string // the default, "" of a parameter that is required
}

func (p parameter) isStar() bool { return p.kind == "" }

// typed returns what follows the parameter's name.
func (p parameter) typed() string {
	if p.fallback == "" {
		return ": " + p.kind
	}
	return ": " + p.kind + " = " + p.fallback
}

// member returns the parameter as a member of a dict.
func (p parameter) member() string {
	if p.isStar() {
		return p.name
	}
	return quote(p.name, maxTypeName) + p.typed()
}

// keywordParameters returns the parameters as those of a function; names that
// no function's parameter can have stand in a dict at the end.
func keywordParameters(parameters []parameter) []string {
	var plain, members []string
	for _, p := range parameters {
		switch {
		case p.isStar():
			plain = append(plain, p.name)
		case isParameter(p.name):
			plain = append(plain, p.name+p.typed())
		default:
			members = append(members, p.member())
		}
	}
	if len(members) > 0 {
		plain = append(plain, "**{"+strings.Join(members, ", ")+"}")
	}
	return plain
}

// isParameter tells whether a name is shown as that of a function's parameter.
func isParameter(name string) bool {
	return len(name) <= 2*maxTypeName && capability.IsIdentifier(name) && !capability.IsKeyword(name)
}

// parameters returns the parameters that the schema describes.
func (t *typist) parameters() []parameter {
	schema, _ := t.resolve(t.root)
	fields := t.fields(schema)
	if len(fields) == 0 && takesAnything(schema) {
		return []parameter{{name: "**arguments"}}
	}
	var parameters []parameter
	for i, f := range fields {
		if i == maxParameters {
			return append(parameters, parameter{name: "**more"})
		}
		p := parameter{name: f.name, kind: t.name(f.schema, 0)}
		if !f.required {
			p.fallback = t.defaultOf(f.schema)
		}
		parameters = append(parameters, p)
	}
	return parameters
}

// defaultOf returns the default of what may be left out, "..." if none is named.
func (t *typist) defaultOf(schema canon.Value) string {
	if value, ok := t.said(schema, "default"); ok {
		return t.value(value)
	}
	return "..."
}

// said returns what a schema says, or else the one that it refers to.
func (t *typist) said(schema canon.Value, word string) (canon.Value, bool) {
	if value, ok := schema.Member(word); ok {
		return value, true
	}
	resolved, _ := t.resolve(schema)
	return resolved.Member(word)
}
