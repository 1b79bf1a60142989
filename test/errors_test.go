package test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/fault"
)

// wayOut says for each code what helps.
var wayOut = map[fault.Code]string{
	fault.JSONNonFinite:     "replace NaN and Infinity by None or text; the message has the path",
	fault.JSONType:          "convert it first: `str(x)`, `list(x)`, a dict of its fields; bytes go to `save_artifact`",
	fault.JSONKey:           "make the keys text, such as `{str(k): v for k, v in d.items()}`",
	fault.JSONDepth:         "flatten it",
	fault.JSONSurrogate:     "`text.encode(\"utf-8\", \"replace\").decode()`",
	fault.JSONDuplicate:     "name each key once",
	fault.JSONSyntax:        "mend the text at the offset that the message names",
	fault.JSONNumber:        "pass it as text",
	fault.ResultUnknown:     "compute the value again and save it; handles end with their time to live, and with the process",
	fault.ResultFull:        "save a smaller projection, or go on with a handle that you have",
	fault.ResultTooLarge:    "save a smaller projection",
	fault.ResultDisabled:    "return the value, or pass it on as an input",
	fault.ArtifactUnknown:   "make the bytes again and save them; handles end with their time to live, and with the process",
	fault.ArtifactFull:      "save less, or go on with a handle that you have",
	fault.ArtifactTooLarge:  "save less, or in parts",
	fault.ArtifactDisabled:  "return what you need of it as text",
	fault.ArgsInvalid:       "the message names the argument, the input, the option or the place in the file, and what fits",
	fault.ArgsTooLarge:      "pass less; save data and pass its handle",
	fault.CLIDenied:         "use an allowed binary, or let the configuration allow this one",
	fault.BackendDenied:     "leave the backend out",
	fault.CallDenied:        "use another capability, or let the configuration allow this one",
	fault.CapabilityUnknown: "use one of the ids that the message suggests, or search",
	fault.BackendUnknown:    "use the backend that the message names, or leave it out",
	fault.CallTimeout:       "ask for less in one call, such as one page",
	fault.RunTimeout:        "do less in one run, or ask for more time within the configured limit",
	fault.RunCancelled:      "run it again",
	fault.ToolFailed:        "read the tool's message and `.content`",
	fault.ToolUnavailable:   "try again; if it stays so, look at the server that offers the tool",
	fault.CallsTooMany:      "ask for more in each call, or go on in another run",
	fault.OutputTooLarge:    "print and return less; save data under a handle",
	fault.RunCrashed:        "avoid what the message names; the next run is not affected",
	fault.InternalError:     "report it with the id in the message, under which the host's log says more",
}

func TestErrorsDocumentListsEveryCode(t *testing.T) {
	is := is.New(t)
	meanings := codeComments(t)
	var table strings.Builder
	fmt.Fprintln(&table, "| code | class | in Python | means | what helps |")
	fmt.Fprintln(&table, "|---|---|---|---|---|")
	for _, code := range fault.Codes() {
		meaning, help := meanings[code], wayOut[code]
		is.True(meaning != "") // the constant has a comment
		is.True(help != "")    // and there is a way out
		class := code.Class()
		fmt.Fprintf(&table, "| `%s` | %v | `%s` | %s | %s |\n", code, class, class.Builtin(), meaning, help)
	}
	is.Equal(len(wayOut), len(fault.Codes())) // no way out is left over
	generated(t, "docs/errors.md", "errors", table.String())
}

// codeComments reads what the comments behind the constants say.
func codeComments(t *testing.T) map[fault.Code]string {
	t.Helper()
	const name = "domain/fault/code.go"
	source, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	meanings := make(map[fault.Code]string)
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				meanings[fault.Code(text)] = strings.TrimSpace(spec.Comment.Text())
			}
		}
		return true
	})
	return meanings
}
