package extismbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
	"toolplane/domain/canon"
	"toolplane/domain/fault"
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
				t.Run(c.name, func(t *testing.T) { c.check(t, box) })
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

func (c *preludeCase) job(t *testing.T) run.Job {
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

func (c *preludeCase) check(t *testing.T, box *extismbox.Sandbox) {
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
func (s *seen) checkText(t *testing.T, failure run.Failure, keyword, rest string) {
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

func hasNote(t *testing.T, notes []run.Note, want string) bool {
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
func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	is.New(t).NoErr(d.Decode(&v)) // JSON
	return v
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %q, expected %q", what, got, want)
	}
}

// caseHost is the bridge of the cases.
type caseHost struct {
	printed   [3]bytes.Buffer
	cancelled atomic.Int32

	mu   sync.Mutex
	kept map[string]run.Payload
}

func (h *caseHost) Print(stream run.Stream, text []byte) error {
	h.printed[stream].Write(text)
	return nil
}

// upstream is what the tools answer; BLOB stands in the way of JSON, so that
// what is there comes from the blobs.
var upstream = map[string]string{
	"mcp:up/none":  `null`,
	"mcp:up/big":   `{"n":123456789012345678901234567890,"f":1.0}`,
	"mcp:up/image": `[{"type":"text","text":"é"},{"type":"image","mimeType":"image/png","data":null},{"x":{"data":null}}]`,
	"mcp:up/text":  `"{\"a\": [1, 2.5]}"`,
}

var upstreamFaults = map[string]*fault.Fault{
	"mcp:up/fail":     fault.New(fault.ToolFailed, "quota exceeded"),
	"mcp:up/denied":   fault.New(fault.CallDenied, "mcp:up/denied is denied by the policy"),
	"mcp:up/timeout":  fault.New(fault.CallTimeout, "mcp:up/timeout took longer than 60 s"),
	"mcp:up/limit":    fault.New(fault.CallsTooMany, "a run may make 1000 calls"),
	"mcp:up/internal": fault.New(fault.InternalError, "internal error 42"),
	"mcp:up/value":    fault.New(fault.ArgsInvalid, "argument q is missing"),
}

func (h *caseHost) Call(ctx context.Context, call run.Call) (run.Answer, error) {
	switch call.Name {
	case "mcp:up/echo":
		return run.Answer{Value: call.Args}, nil
	case "mcp:up/greet":
		if err := h.pause(ctx, time.Millisecond); err != nil {
			return run.Answer{}, err
		}
		name, _ := call.Args.Member("name")
		text, isText := name.Text()
		if !isText {
			text = string(name.Bytes())
		}
		value, err := canon.Text("hello " + text)
		return run.Answer{Value: value, Text: true}, err
	case "mcp:up/get":
		if err := h.pause(ctx, 200*time.Millisecond); err != nil {
			return run.Answer{}, err
		}
		i, _ := call.Args.Member("i")
		if string(i.Bytes()) == "2" {
			return run.Answer{}, fault.New(fault.ToolFailed, "no item 2")
		}
		return run.Answer{Value: call.Args}, nil
	case "mcp:up/slow":
		return run.Answer{}, h.pause(ctx, time.Minute)
	}
	if strings.HasPrefix(call.Name, "toolplane:") {
		return h.store(call)
	}
	if f := upstreamFaults[call.Name]; f != nil {
		answer := run.Answer{}
		if call.Name == "mcp:up/fail" {
			if err := h.pause(ctx, time.Millisecond); err != nil {
				return answer, err
			}
			answer.Value, _ = canon.Parse([]byte(`[{"type":"text","text":"quota exceeded"}]`))
		}
		return answer, f
	}
	text, known := upstream[call.Name]
	if !known {
		return run.Answer{}, fault.New(fault.CapabilityUnknown, "unknown capability %s: did you mean mcp:up/greet?", call.Name)
	}
	value, err := canon.Parse([]byte(text))
	answer := run.Answer{Value: value, Text: call.Name == "mcp:up/text"}
	if call.Name == "mcp:up/image" {
		answer.Blobs = []run.Blob{
			{Path: []run.Step{{Index: 1}, {Key: "data"}}, Data: []byte{0x89, 'P', 'N', 'G'}},
			{Path: []run.Step{{Index: 2}, {Key: "x"}, {Key: "data"}}, Data: []byte("second")},
		}
	}
	return answer, err
}

// pause waits, and counts the calls that are given up meanwhile.
func (h *caseHost) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		h.cancelled.Add(1)
		return ctx.Err()
	}
}

// store keeps results and artifacts for the run.
func (h *caseHost) store(call run.Call) (run.Answer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	kind, action, _ := strings.Cut(strings.TrimPrefix(call.Name, "toolplane:"), "/")
	if action == "save" {
		payload := call.Payload
		if payload.IsZero() {
			value, _ := call.Args.Member("value")
			payload = run.JSON(value)
		}
		if data, isValue := payload.Value(); isValue {
			payload = run.JSON(data)
		} else {
			payload = run.Bytes(bytes.Clone(payload.Data()))
		}
		name := fmt.Sprintf("%s_%024d", kind[:3], len(h.kept))
		h.kept[name] = payload
		value, err := canon.Text(name)
		return run.Answer{Value: value}, err
	}
	handle, _ := call.Args.Member("handle")
	name, _ := handle.Text()
	payload, found := h.kept[name]
	switch value, isValue := payload.Value(); {
	case !found && kind == "results":
		return run.Answer{}, fault.New(fault.ResultUnknown, "unknown or expired result handle %s", name)
	case !found:
		return run.Answer{}, fault.New(fault.ArtifactUnknown, "unknown or expired artifact handle %s", name)
	case isValue:
		return run.Answer{Value: value}, nil
	default:
		return run.Answer{Blobs: []run.Blob{{Data: payload.Data()}}}, nil
	}
}
