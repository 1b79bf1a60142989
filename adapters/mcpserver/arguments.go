package mcpserver

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolplane/adapters/mcpserver/stdio"
	"toolplane/domain/canon"
	"toolplane/domain/discover"
	"toolplane/domain/fault"
)

// arguments are those of one tool call. Its methods read one each; the first
// that does not fit is kept, and what follows does nothing.
type arguments struct {
	object canon.Value
	err    error
}

// readArguments returns the arguments of a call, whatever brought it, and
// refuses names that the tool does not have.
func readArguments(ctx context.Context, req mcp.CallToolRequest, names ...string) *arguments {
	object, ok := stdio.Arguments(ctx)
	if !ok && len(req.Params.RawArguments) > 0 {
		var err error
		if object, err = canon.Parse(req.Params.RawArguments); err != nil {
			return &arguments{err: err}
		}
	}
	a := &arguments{object: object}
	if kind := object.Kind(); kind != canon.KindObject && !object.IsNull() {
		a.fail("the arguments are one %v; give an object", kind)
	}
	for name := range object.Members() {
		if !slices.Contains(names, name) {
			a.fail("unknown argument %.60q; the arguments are %s", name, strings.Join(names, ", "))
		}
	}
	return a
}

func (a *arguments) fail(format string, args ...any) {
	if a.err == nil {
		a.err = fault.New(fault.ArgsInvalid, format, args...)
	}
}

// value returns an argument of one kind; ok is false where it is absent, null,
// or of another kind.
func (a *arguments) value(name string, required bool, kinds ...canon.Kind) (v canon.Value, ok bool) {
	v, _ = a.object.Member(name)
	switch {
	case v.IsNull() && required:
		a.fail("argument %q is missing", name)
	case !v.IsNull() && !slices.Contains(kinds, v.Kind()):
		a.fail("argument %q: expected %v, got %v", name, kinds[0], v.Kind())
	default:
		return v, !v.IsNull()
	}
	return canon.Value{}, false
}

func (a *arguments) text(name string, required bool) string {
	v, _ := a.value(name, required, canon.KindString)
	text, _ := v.Text()
	return text
}

func (a *arguments) texts(name string, required bool, most int) []string {
	v, _ := a.value(name, required, canon.KindArray)
	var all []string
	for element := range v.Elements() {
		text, ok := element.Text()
		switch {
		case !ok:
			a.fail("argument %q: expected strings, got %v", name, element.Kind())
		case len(all) == most:
			a.fail("argument %q has more than %d elements; ask for fewer at once", name, most)
			return nil
		}
		all = append(all, text)
	}
	if required && len(all) == 0 {
		a.fail("argument %q is empty", name)
	}
	return all
}

func (a *arguments) whole(name string, least, most, fallback int64) int {
	v, given := a.value(name, false, canon.KindInteger, canon.KindFloat)
	if !given {
		return int(fallback)
	}
	f, _ := v.Float64()
	if f != math.Trunc(f) || f < float64(least) || f > float64(most) {
		a.fail("argument %q: expected a whole number from %d to %d", name, least, most)
		return int(fallback)
	}
	return int(f)
}

func (a *arguments) detail(fallback discover.Detail) discover.Detail {
	switch text := a.text("detail", false); text {
	case "":
		return fallback
	case "brief":
		return discover.Brief
	case "detailed":
		return discover.Detailed
	case "full":
		return discover.Full
	default:
		a.fail(`argument "detail": expected "brief", "detailed" or "full", got %.60q`, text)
		return fallback
	}
}

// timeout returns how long a run may take, 0 for as long as the limit says, and
// a note where the limit is shorter than what was asked for.
func (a *arguments) timeout(name string, limit time.Duration) (d time.Duration, note string) {
	v, given := a.value(name, false, canon.KindFloat, canon.KindInteger)
	if !given {
		return 0, ""
	}
	seconds, ok := v.Float64()
	switch {
	case ok && seconds <= 0:
		a.fail("argument %q: expected more than 0 seconds", name)
		return 0, ""
	case !ok || seconds > limit.Seconds():
		return 0, fmt.Sprintf("%s is more than the limit on a run, which is %s and holds", name, inWords(limit))
	}
	return max(time.Duration(seconds*float64(time.Second)), 1), ""
}
