package extismbox_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/canon"
	"toolplane/domain/limit"
	"toolplane/domain/run"
)

// TestPreludeKeepsItsPromises runs every case of testdata/prelude_cases, whose
// README defines the format and the host that the snippets see.
func TestPreludeKeepsItsPromises(t *testing.T) {
	is := is.New(t)
	files, err := filepath.Glob("testdata/prelude_cases/*.txt")
	is.NoErr(err)
	is.True(len(files) > 0) // there are cases
	box := open(t, extismbox.Options{})
	is.NoErr(box.Prepare(t.Context())) // some cases measure time
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			for _, c := range parseCases(t, file) {
				t.Run(c.name, func(t *testing.T) { c.keep(t, box) })
			}
		})
	}
}

func TestNoTwoRunsShareRandomNumbers(t *testing.T) {
	is := is.New(t)
	box := open(t, extismbox.Options{})
	job := run.Job{
		Code:   "import random, uuid, secrets\nreturn [random.random(), str(uuid.uuid4()), secrets.token_hex(8)]",
		Limits: limit.Defaults().Run,
	}
	seen := map[string]bool{}
	for range 5 {
		report, err := box.Run(t.Context(), job, &caseHost{})
		is.NoErr(err)
		var values []any
		is.NoErr(json.Unmarshal(report.Value.Bytes(), &values))
		for _, v := range values {
			is.True(!seen[fmt.Sprint(v)]) // a number no run has seen
			seen[fmt.Sprint(v)] = true
		}
	}
}

// preludeCase is one snippet and what must come of it.
type preludeCase struct {
	name string
	code string
	want [][2]string // keyword and rest
}

func parseCases(t *testing.T, file string) []preludeCase {
	t.Helper()
	is := is.New(t)
	text, err := os.ReadFile(file)
	is.NoErr(err)
	var cases []preludeCase
	wants := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		last := len(cases) - 1
		switch {
		case strings.HasPrefix(line, "=== "):
			cases = append(cases, preludeCase{name: line[4:]})
			wants = false
		case line == "--- want":
			wants = true
		case !wants:
			cases[last].code += line + "\n"
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			keyword, rest, _ := strings.Cut(line, " ")
			cases[last].want = append(cases[last].want, [2]string{keyword, rest})
		}
	}
	return cases
}

// setting returns the rest of the line with a keyword, "" if there is none.
func (c *preludeCase) setting(keyword string) string {
	for _, w := range c.want {
		if w[0] == keyword {
			return w[1]
		}
	}
	return ""
}

func (c *preludeCase) job(t testing.TB) run.Job {
	t.Helper()
	is := is.New(t)
	job := run.Job{Code: c.code, File: c.setting("file"), Limits: limit.Defaults().Run, Helpers: []string{"cli_run", "reset_session"}}
	job.Limits.Time = 20 * time.Second
	if text := c.setting("timeout"); text != "" {
		d, err := time.ParseDuration(text)
		is.NoErr(err) // the case's timeout
		job.Limits.Time = d
	}
	if text := c.setting("inputs"); text != "" {
		inputs, err := canon.Parse([]byte(text))
		is.NoErr(err) // the case's inputs
		job.Inputs = inputs
	}
	for _, name := range strings.Fields("greet get echo none fail slow text big image denied timeout limit internal value") {
		job.Bindings = append(job.Bindings, run.Binding{Name: "up_" + name, ID: "mcp:up/" + name}, run.Binding{Name: "up." + name, ID: "mcp:up/" + name})
	}
	return job
}

// seen is what came of a case.
type seen struct {
	run.Report
	value, stdout, stderr string
	took                  time.Duration
	cancelled             int
}

// attempt is one try of a case.
type attempt struct {
	testing.TB
	problems []string
}

func (a *attempt) Errorf(format string, args ...any) {
	a.problems = append(a.problems, fmt.Sprintf(format, args...))
}

// keep tries a case. One that the clock ends gets several tries: others may take the
// processor away for longer than a stopped run has left.
func (c *preludeCase) keep(t *testing.T, box *extismbox.Sandbox) {
	tries := 1
	if c.setting("timeout") != "" || c.setting("within") != "" {
		tries = 8
	}
	a := &attempt{}
	for range tries {
		a = &attempt{TB: t}
		if c.check(a, box); len(a.problems) == 0 {
			return
		}
	}
	for _, p := range a.problems {
		t.Error(p)
	}
}

func (c *preludeCase) check(t testing.TB, box *extismbox.Sandbox) {
	host := &caseHost{kept: map[string]run.Payload{}}
	begin := time.Now()
	report, err := box.Run(t.Context(), c.job(t), host)
	s := seen{
		Report: report, value: string(report.Value.Bytes()), stdout: host.printed[run.Stdout].String(),
		stderr: host.printed[run.Stderr].String(), took: time.Since(begin), cancelled: int(host.cancelled.Load()),
	}
	is.New(t).NoErr(err) // the sandbox works
	failure := run.Failure{}
	if s.Failure != nil {
		failure = *s.Failure
	}
	told, notes, failing := 0, "", false
	for _, w := range c.want {
		switch keyword, rest := w[0], w[1]; keyword {
		case "inputs", "file", "timeout":
		case "error":
			failing = true
			equal(t, "error", failure.Type, rest)
		case "notes":
			notes = rest
		case "note":
			told++
			if !hasNote(t, s.Notes, rest) {
				t.Errorf("no note %s among %q", rest, s.Notes)
			}
		case "within":
			d, err := time.ParseDuration(rest)
			if err != nil || s.took > d {
				t.Errorf("took %v, more than %s (%v)", s.took, rest, err)
			}
		case "line":
			equal(t, "line", strings.TrimPrefix(strconv.Itoa(failure.Line), "0"), rest)
		case "code":
			equal(t, "code", string(failure.Code), rest)
		case "cancelled":
			equal(t, "cancelled calls", strconv.Itoa(s.cancelled), rest)
		case "value":
			equal(t, "value", decoded(t, s.value), decoded(t, rest))
		default:
			s.checkText(t, failure, keyword, rest)
		}
	}
	if failing != (s.Failure != nil) {
		t.Errorf("failed: %v, expected: %v: %+v", s.Failure != nil, failing, failure)
	}
	if notes == "" {
		notes = strconv.Itoa(told)
	}
	if notes != "any" && notes != strconv.Itoa(len(s.Notes)) {
		t.Errorf("%d notes, expected %s: %q", len(s.Notes), notes, s.Notes)
	}
}

// checkText compares a text: with a JSON string, or with a regular expression
// (keyword~) that matches or (keyword!) does not.
func (s *seen) checkText(t testing.TB, failure run.Failure, keyword, rest string) {
	t.Helper()
	texts := map[string]string{
		"value": s.value, "stdout": s.stdout, "stderr": s.stderr, "message": failure.Message, "traceback": failure.Traceback,
	}
	name := strings.TrimRight(keyword, "~!")
	text, known := texts[name]
	if !known {
		t.Fatalf("unknown keyword %q", keyword)
	}
	if name == keyword {
		equal(t, name, any(text), decoded(t, rest))
		return
	}
	matched, err := regexp.MatchString("(?s)"+rest, text)
	if err != nil || matched != strings.HasSuffix(keyword, "~") {
		t.Errorf("%s %q against %s: matches: %v (%v)", name, text, rest, matched, err)
	}
}

func hasNote(t testing.TB, notes []run.Note, want string) bool {
	t.Helper()
	path, pattern, _ := strings.Cut(want, " ")
	expression, err := regexp.Compile("(?s)" + pattern)
	is.New(t).NoErr(err) // the case's pattern
	for _, n := range notes {
		if n.Path == strings.TrimPrefix(path, "-") && expression.MatchString(n.Text) {
			return true
		}
	}
	return false
}

// decoded reads JSON, its numbers to the letter.
func decoded(t testing.TB, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	is.New(t).NoErr(d.Decode(&v)) // JSON
	return v
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %q, expected %q", what, got, want)
	}
}
