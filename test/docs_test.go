package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/cmd/compose"
	"toolplane/domain/canon"
	"toolplane/domain/run"
	"toolplane/ports"
)

// promise is what the comments of a Python example say of it.
var promise = regexp.MustCompile(`(?m)(?:^|  )# (→|prints|raises) (.*)$`)

func TestPythonExamples(t *testing.T) {
	is := is.New(t)
	runtime := newRuntime(t, compose.Options{}, shop(t))
	var runner ports.Runner
	var before run.Outcome
	count := 0
	for _, b := range blocks(t, "python") {
		count++
		if !b.previous {
			workspace, err := runtime.NewWorkspace()
			is.NoErr(err)
			runner, before = workspace, run.Outcome{}
		}
		outcome, err := runner.Run(t.Context(), run.Request{Code: b.text, Previous: before.Value})
		if err != nil {
			t.Errorf("%v: %v", b, err)
			continue
		}
		if err := keepsPromises(b, outcome); err != nil {
			t.Errorf("%v: %v", b, err)
		}
		before = outcome
	}
	is.True(count > 0) // there are examples
}

// keepsPromises compares an outcome with the comments of the example.
func keepsPromises(b block, outcome run.Outcome) error {
	raises := ""
	for _, match := range promise.FindAllStringSubmatch(b.text, -1) {
		switch what := match[2]; match[1] {
		case "→":
			want, err := canon.Parse([]byte(what))
			if err != nil {
				return fmt.Errorf("the promised value: %w", err)
			}
			if !outcome.Value.Equal(want) {
				return fmt.Errorf("the value is %s, promised is %s", outcome.Value.Bytes(), want.Bytes())
			}
		case "prints":
			if !strings.Contains("\n"+outcome.Stdout.Head, "\n"+what+"\n") {
				return fmt.Errorf("it prints %q, promised is a line %q", outcome.Stdout.Head, what)
			}
		case "raises":
			raises = what
		}
	}
	switch f := outcome.Failure; {
	case f == nil && raises != "":
		return fmt.Errorf("it ends well, promised is %s", raises)
	case f != nil && f.Type != raises:
		return fmt.Errorf("it ends with %s: %s\n%s", f.Type, f.Message, f.Traceback)
	}
	return nil
}

func TestShellExamples(t *testing.T) {
	is := is.New(t)
	ci, err := fs.ReadFile(root, ".ci/run")
	is.NoErr(err)
	all := blocks(t, "sh")
	is.True(len(all) > 0) // there are examples
	t.Chdir("..")
	for _, b := range all {
		for line := range strings.Lines(b.text) {
			if err := tryCommand(t.Context(), strings.TrimSpace(line), string(ci)); err != nil {
				t.Errorf("%v: %s: %v", b, strings.TrimSpace(line), err)
			}
		}
	}
}

// tryCommand runs a toolplane command, or looks for another one in what CI runs.
func tryCommand(ctx context.Context, line, ci string) error {
	command, comment, _ := strings.Cut(line, "  # exit ")
	want := 0
	if comment != "" {
		n, err := strconv.Atoi(comment)
		if err != nil {
			return err
		}
		want = n
	}
	args, ok := strings.CutPrefix(command, "go run ./cmd/toolplane ")
	if !ok {
		args, ok = strings.CutPrefix(command, "toolplane ")
	}
	if !ok {
		if !strings.Contains(ci, "\n  "+command+"\n") {
			return errors.New("neither a toolplane command nor a line of .ci/run")
		}
		return nil
	}
	words, err := splitWords(args)
	if err != nil {
		return err
	}
	env := func(name string) string {
		if name == "TOOLPLANE_CACHE_DIR" {
			return cacheDir
		}
		return ""
	}
	var stdout, stderr bytes.Buffer
	if got := compose.Main(ctx, words, env, strings.NewReader(""), &stdout, &stderr); got != want {
		return fmt.Errorf("status %d, expected %d\n%s%s", got, want, &stdout, &stderr)
	}
	return nil
}

// splitWords splits a command line as a shell does, as far as quotes go.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		case strings.ContainsRune("|<>&;$`\\*?#", r):
			return nil, fmt.Errorf("%q needs a shell; write the example without it", r)
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %q has no end", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

func TestGoExamples(t *testing.T) {
	is := is.New(t)
	sources, err := parseTree(root)
	is.NoErr(err)
	for _, b := range blocks(t, "go") {
		found := false
		for _, s := range sources {
			text, err := fs.ReadFile(root, s.name)
			is.NoErr(err)
			found = found || strings.Contains(string(text), b.text)
		}
		if !found {
			t.Errorf("%v: no Go file of this module contains the example", b)
		}
	}
}

// TestLinksLeadSomewhere follows the links between documents.
func TestLinksLeadSomewhere(t *testing.T) {
	is := is.New(t)
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, document := range documents(t) {
		text, err := fs.ReadFile(root, document)
		is.NoErr(err)
		for _, match := range link.FindAllStringSubmatch(string(text), -1) {
			target := path.Join(path.Dir(document), match[1])
			if _, err := fs.Stat(root, target); err != nil {
				t.Errorf("%s links to %s, which is not there", document, target)
			}
		}
	}
}

// TestBrokenExamplesAreFound feeds the checks above with examples that lie.
func TestBrokenExamplesAreFound(t *testing.T) {
	is := is.New(t)
	three := run.Outcome{Value: canon.Int(3), Stdout: run.Text{Head: "hello\n"}}
	failed := run.Outcome{Failure: &run.Failure{Type: "ValueError"}}
	for _, tc := range []struct {
		text    string
		outcome run.Outcome
		keeps   bool
	}{
		{"return 3\n# → 3\n", three, true},
		{"return 3\n# → 4\n", three, false},
		{"return 3  # → 3\n", three, true},
		{"return 3  # → 4\n", three, false},
		{"return 3\n# → three\n", three, false},
		{"# prints hello\n", three, true},
		{"# prints hell\n", three, false},
		{"# raises ValueError\n", failed, true},
		{"# raises TypeError\n", failed, false},
		{"# raises ValueError\n", three, false},
		{"", failed, false},
	} {
		err := keepsPromises(block{text: tc.text}, tc.outcome)
		is.Equal(err == nil, tc.keeps) // whether the example tells the truth
	}
	for _, text := range []string{"```ruby\n```", "```python fast\n```", "```sh\n"} {
		_, err := parseBlocks("x.md", text)
		is.True(err != nil) // an example that nothing checks
	}
	for _, line := range []string{
		"make", "toolplane run -c 1 | cat", "toolplane 'run", "toolplane nothing", "toolplane --help  # exit 1", "toolplane --help  # exit x",
	} {
		is.True(tryCommand(t.Context(), line, "\n  go test ./...\n") != nil) // a command that is not as it says
	}
	is.NoErr(tryCommand(t.Context(), "go test ./...", "\n  go test ./...\n")) // what CI runs
	is.NoErr(tryCommand(t.Context(), "toolplane nothing  # exit 2", ""))      // a status that is foretold
	words, err := splitWords(`run -c 'print("a b")' --input x="1 2" ''`)
	is.NoErr(err)
	is.Equal(words, []string{"run", "-c", `print("a b")`, "--input", "x=1 2", ""}) // quotes as in a shell
}
