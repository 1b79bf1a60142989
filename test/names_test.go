package test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/hostfuncs"
	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/run"
)

// numbers returns a source of n tools that answer with their number.
func numbers(t *testing.T, n int) *hostfuncs.Source {
	t.Helper()
	is := is.New(t)
	source, err := hostfuncs.New("many")
	is.NoErr(err)
	for i := range n {
		is.NoErr(source.AddRaw(hostfuncs.Raw{Name: fmt.Sprintf("t%d", i), Call: func(context.Context, canon.Value) (run.Answer, error) {
			return run.Answer{Value: canon.Int(int64(i))}, nil
		}}))
	}
	return source
}

// TestNamesThatAreMadeWhileTheSnippetRuns reaches one of 5,000 tools in every
// way that does not write its name out.
func TestNamesThatAreMadeWhileTheSnippetRuns(t *testing.T) {
	w := newWorkspace(t, numbers(t, 5000))
	const name = `"many_t" + str(4999)`
	for _, code := range []string{
		"m = many; return await m.t4999()",
		`return await getattr(many, f"t{4999}")()`,
		"return await globals()[" + name + "]()",
		"import builtins; return await builtins.eval(" + name + ")()",
		"import builtins; return await builtins.globals()[" + name + "]()",
		"def f(): pass\nreturn await f.__globals__[" + name + "]()",
		"import sys; return await sys._getframe().f_globals[" + name + "]()",
		"import __main__; return await getattr(__main__, " + name + ")()",
		"import sys; return await sys.modules[__name__].__dict__[" + name + "]()",
		"import importlib; return await vars(importlib.import_module('__ma' + 'in__'))[" + name + "]()",
		"import operator, inspect; return await operator.attrgetter('f_glo' + 'bals')(inspect.currentframe())[" + name + "]()",
		"return await many_\uff544999()", // a wide t
		"return await many.\uff544999()",
	} {
		t.Run(code, func(t *testing.T) {
			is := is.New(t)
			out, err := w.Run(t.Context(), run.Request{Code: code})
			is.NoErr(err)
			is.Equal(out.Failure, nil)
			is.Equal(string(out.Value.Bytes()), "4999")
		})
	}
}

func TestMisspeltFriendlyNameIsSuggested(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop(t))
	out, err := w.Run(t.Context(), run.Request{Code: "return await shop_find_order(customer='ann')"})
	is.NoErr(err)
	is.Equal(out.Failure.Type, "NameError")
	is.True(strings.Contains(out.Failure.Traceback, "Did you mean: 'shop_find_orders'?"))
}

// TestLettersThatPythonFolds asks Python itself which letters of identifiers it
// takes for ASCII ones.
func TestLettersThatPythonFolds(t *testing.T) {
	is := is.New(t)
	out, err := newWorkspace(t).Run(t.Context(), run.Request{Code: `
import unicodedata
return [
    c for c in map(chr, range(0x80, 0x110000))
    if ("a" + c).isidentifier() and any(n.isascii() for n in unicodedata.normalize("NFKC", c))
]
`})
	is.NoErr(err)
	is.Equal(out.Failure, nil)
	id, err := capability.ParseID("host:app/f")
	is.NoErr(err)
	x := capability.NewIndex([]capability.Descriptor{{ID: id}})
	count := 0
	for letter := range out.Value.Elements() {
		text, _ := letter.Text()
		names, _ := x.Mentioned("a" + text)
		if len(names) != 2 {
			t.Errorf("%+q may stand for another letter", text)
		}
		count++
	}
	is.True(count > 900) // Python knows of many
}
