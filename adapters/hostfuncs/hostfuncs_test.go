package hostfuncs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"go.uber.org/goleak"

	"toolplane/adapters/hostfuncs"
	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/test/contract"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type textIn struct {
	Text string `json:"text"`
}

func source(t *testing.T) *hostfuncs.Source {
	t.Helper()
	s, err := hostfuncs.New("app")
	is.New(t).NoErr(err) // "app" is a namespace
	return s
}

func id(t *testing.T, name string) capability.ID {
	t.Helper()
	id, err := capability.NewID(capability.Host, "app", name)
	is.New(t).NoErr(err) // the name is one
	return id
}

func value(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	is.New(t).NoErr(err) // the text is JSON
	return v
}

func TestSourceContract(t *testing.T) {
	contract.Source(t, func(t *testing.T) contract.SourceFixture {
		is := is.New(t)
		s := source(t)
		is.NoErr(hostfuncs.Add(s, "echo", "Answers with the text.", func(_ context.Context, in textIn) (string, error) { return in.Text, nil }))
		is.NoErr(hostfuncs.Add(s, "fail", "Fails.", func(context.Context, textIn) (string, error) { return "", errors.New("quota exceeded") }))
		is.NoErr(s.AddRaw(hostfuncs.Raw{Name: "wait", Call: func(ctx context.Context, _ canon.Value) (run.Answer, error) {
			<-ctx.Done()
			return run.Answer{}, ctx.Err()
		}}))
		return contract.SourceFixture{Source: s, Echo: id(t, "echo"), Fail: id(t, "fail"), Wait: id(t, "wait")}
	})
}

type searchIn struct {
	Query string     `json:"query" jsonschema:"What to look for."`
	Limit int        `json:"limit,omitempty"`
	Tags  []string   `json:"tags,omitempty"`
	Deep  *bool      `json:"deep,omitempty"`
	Raw   []byte     `json:"raw,omitempty"`
	Any   any        `json:"any,omitempty"`
	When  time.Time  `json:"when,omitzero"`
	IP    netip.Addr `json:"ip,omitzero"`
	Big   *big.Int   `json:"big,omitempty"`
}

func TestSchemaComesFromTheParameterStruct(t *testing.T) {
	is := is.New(t)
	s := source(t)
	is.NoErr(hostfuncs.Add(s, "search", "Searches.", func(context.Context, searchIn) ([]string, error) { return nil, nil }))
	list, err := s.Capabilities(t.Context())
	is.NoErr(err)
	is.Equal(list[0].ID.String(), "host:app/search")
	is.Equal(list[0].Description, "Searches.")
	want := `{"type":"object","properties":{` +
		`"query":{"type":"string","description":"What to look for."},"limit":{"type":"integer"},` +
		`"tags":{"type":["null","array"],"items":{"type":"string"}},"deep":{"type":["null","boolean"]},` +
		`"raw":{"type":"string","contentEncoding":"base64"},"any":true,` +
		`"when":{"type":"string","format":"date-time"},"ip":{"type":"string"},"big":true},` +
		`"required":["query"],"additionalProperties":false}`
	var got, expected any
	is.NoErr(json.Unmarshal(list[0].Input.Bytes(), &got))
	is.NoErr(json.Unmarshal([]byte(want), &expected))
	is.Equal(got, expected)
	properties, _ := list[0].Input.Member("properties")
	var order []string
	for name := range properties.Members() {
		order = append(order, name)
	}
	is.Equal(strings.Join(order, " "), "query limit tags deep raw any when ip big") // in the struct's order
	output, _ := list[0].Output.Member("items")
	is.Equal(string(output.Bytes()), `{"type":"string"}`)
}

func TestArgumentsArriveTypedAndExact(t *testing.T) {
	is := is.New(t)
	s := source(t)
	var got searchIn
	is.NoErr(hostfuncs.Add(s, "f", "", func(_ context.Context, in searchIn) (any, error) { got = in; return nil, nil }))
	_, err := s.Call(t.Context(), id(t, "f"), value(t, `{"query":"ü","limit":9007199254740993,"tags":["a"],"deep":true,"raw":"/wA=","any":{"n":123456789012345678901234567890},"when":"2026-01-02T03:04:05Z","ip":"::1","big":123456789012345678901234567890}`))
	is.NoErr(err)
	is.Equal(got.Query, "ü")
	is.Equal(got.Limit, 9007199254740993)
	is.Equal(got.Tags, []string{"a"})
	is.True(*got.Deep)
	is.Equal(got.Raw, []byte{0xff, 0})
	is.Equal(got.Any, map[string]any{"n": json.Number("123456789012345678901234567890")}) // no digit lost
	is.Equal(got.When.Unix(), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Unix())
	is.Equal(got.IP, netip.MustParseAddr("::1"))
	is.Equal(got.Big.String(), "123456789012345678901234567890")

	is.NoErr(hostfuncs.Add(s, "none", "", func(context.Context, struct{}) (string, error) { return "ok", nil }))
	answer, err := s.Call(t.Context(), id(t, "none"), canon.Null())
	is.NoErr(err) // no arguments at all are an empty object
	is.Equal(string(answer.Value.Bytes()), `"ok"`)
}

func TestArgumentsThatDoNotFitNameTheArgument(t *testing.T) {
	s := source(t)
	is.New(t).NoErr(hostfuncs.Add(s, "f", "", func(context.Context, searchIn) (any, error) { return nil, nil }))
	for args, part := range map[string]string{
		`{"query":1}`:                  `argument "query": expected string, got number`,
		`{"query":"a","limit":"x"}`:    `argument "limit": expected integer, got string`,
		`{"query":"a","limit":1.5}`:    `argument "limit": expected integer, got number 1.5`,
		`{"query":"a","deep":[]}`:      `argument "deep": expected boolean, got array`,
		`{"query":"a","quantity":1}`:   `there is no argument "quantity"`,
		`[1]`:                          `expected an object of arguments, got array`,
		`{"query":"a","when":"never"}`: `do not fit`,
	} {
		t.Run(args, func(t *testing.T) {
			is := is.New(t)
			_, err := s.Call(t.Context(), id(t, "f"), value(t, args))
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
			is.True(strings.Contains(err.Error(), "host:app/f")) // names the function
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %q", err, part)
			}
		})
	}
}

func TestWhatAFunctionReturns(t *testing.T) {
	is := is.New(t)
	s := source(t)
	type row struct {
		N    int64   `json:"n"`
		HTML string  `json:"html"`
		F    float64 `json:"f"`
	}
	is.NoErr(hostfuncs.Add(s, "struct", "", func(context.Context, struct{}) (row, error) { return row{9007199254740993, "<a>&", 0.1}, nil }))
	is.NoErr(hostfuncs.Add(s, "bytes", "", func(context.Context, struct{}) ([]byte, error) { return []byte{0, 0xff}, nil }))
	is.NoErr(hostfuncs.Add(s, "value", "", func(context.Context, struct{}) (canon.Value, error) { return value(t, `[1.0]`), nil }))
	is.NoErr(hostfuncs.Add(s, "answer", "", func(context.Context, struct{}) (run.Answer, error) {
		return run.Answer{Value: canon.Int(1), Text: true}, nil
	}))
	is.NoErr(hostfuncs.Add(s, "nan", "", func(context.Context, struct{}) (float64, error) { return math.NaN(), nil }))
	is.NoErr(hostfuncs.Add(s, "nothing", "", func(context.Context, struct{}) (any, error) { return nil, nil }))

	call := func(name string) run.Answer {
		t.Helper()
		answer, err := s.Call(t.Context(), id(t, name), value(t, `{}`))
		is.NoErr(err)
		return answer
	}
	is.Equal(string(call("struct").Value.Bytes()), `{"n":9007199254740993,"html":"<a>&","f":0.1}`) // nothing escaped, no digit lost
	is.Equal(call("bytes").Blobs, []run.Blob{{Data: []byte{0, 0xff}}})                             // the whole answer is bytes
	is.True(call("bytes").Value.IsNull())
	is.Equal(string(call("value").Value.Bytes()), `[1.0]`)
	is.True(call("answer").Text)
	is.True(call("nothing").Value.IsNull())
	_, err := s.Call(t.Context(), id(t, "nan"), value(t, `{}`))
	is.Equal(fault.CodeOf(err), fault.ToolFailed)
	is.True(strings.Contains(err.Error(), "NaN")) // says what JSON cannot hold
}

func TestErrorsThatFunctionsReturn(t *testing.T) {
	is := is.New(t)
	s := source(t)
	own := fault.New(fault.CallDenied, "not for you")
	cause := errors.New("disk on fire")
	fails := map[string]error{
		"plain": fmt.Errorf("saving: %w", cause), "fault": fmt.Errorf("wrapped: %w", own),
		"long": errors.New(strings.Repeat("é", 1<<20)), "cancelled": context.Canceled,
	}
	for name, err := range fails {
		is.NoErr(hostfuncs.Add(s, name, "", func(context.Context, struct{}) (any, error) { return 1, err }))
	}
	call := func(ctx context.Context, name string) error {
		t.Helper()
		answer, err := s.Call(ctx, id(t, name), value(t, `{}`))
		is.True(answer.Value.IsNull()) // no answer beside the error
		return err
	}
	err := call(t.Context(), "plain")
	is.Equal(fault.CodeOf(err), fault.ToolFailed)
	is.Equal(err.Error(), "saving: disk on fire") // the program's own words
	is.True(errors.Is(err, cause))
	is.Equal(fault.CodeOf(call(t.Context(), "fault")), fault.CallDenied)     // faults stay what they are
	is.True(len(call(t.Context(), "long").Error()) < 9000)                   // bounded
	is.Equal(fault.CodeOf(call(t.Context(), "cancelled")), fault.ToolFailed) // not by our context
}

func TestPanicIsADefectThatSnippetsDoNotSee(t *testing.T) {
	is := is.New(t)
	s := source(t)
	is.NoErr(hostfuncs.Add(s, "panics", "", func(context.Context, struct{}) (any, error) { panic(fault.New(fault.ToolFailed, "secret")) }))
	_, err := s.Call(t.Context(), id(t, "panics"), value(t, `{}`))
	is.Equal(fault.CodeOf(err), fault.InternalError)
	is.True(strings.Contains(err.Error(), "host:app/panics"))   // the log learns where
	is.True(strings.Contains(err.Error(), "hostfuncs_test.go")) // and how
}

type node struct {
	Name string `json:"name"`
	Kids []node `json:"kids,omitempty"`
}

func TestRegistrationRefusesWhatCannotWork(t *testing.T) {
	s := source(t)
	ok := func(context.Context, struct{}) (any, error) { return nil, nil }
	is.New(t).NoErr(hostfuncs.Add(s, "taken", "", ok))
	for name, c := range map[string]struct {
		err  error
		says string
	}{
		"no name":         {hostfuncs.Add(s, "", "", ok), "name"},
		"control name":    {hostfuncs.Add(s, "a\nb", "", ok), "name"},
		"taken":           {hostfuncs.Add(s, "taken", "", ok), "registered already"},
		"nil":             {hostfuncs.Add[struct{}, any](s, "nil", "", nil), "no function"},
		"string":          {hostfuncs.Add(s, "s", "", func(context.Context, string) (any, error) { return nil, nil }), "struct or a map"},
		"pointer":         {hostfuncs.Add(s, "p", "", func(context.Context, *textIn) (any, error) { return nil, nil }), "struct or a map"},
		"int keys":        {hostfuncs.Add(s, "k", "", func(context.Context, map[int]string) (any, error) { return nil, nil }), "struct or a map"},
		"channel":         {hostfuncs.Add(s, "c", "", func(context.Context, struct{ C chan int }) (any, error) { return nil, nil }), "chan int"},
		"nested int keys": {hostfuncs.Add(s, "n", "", func(context.Context, struct{ M map[int]string }) (any, error) { return nil, nil }), "keys must be strings"},
		"recursive":       {hostfuncs.Add(s, "r", "", func(context.Context, node) (any, error) { return nil, nil }), "no JSON Schema"},
		"func answer":     {hostfuncs.Add(s, "f", "", func(context.Context, struct{}) (func(), error) { return nil, nil }), "func()"},
		"raw nil":         {s.AddRaw(hostfuncs.Raw{Name: "x"}), "no function"},
		"raw schema":      {s.AddRaw(hostfuncs.Raw{Name: "x", Input: canon.Bool(true), Call: func(context.Context, canon.Value) (run.Answer, error) { return run.Answer{}, nil }}), "no object"},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(fault.CodeOf(c.err), fault.ArgsInvalid)
			is.True(strings.Contains(c.err.Error(), c.says))
		})
	}
	is := is.New(t)
	list, err := s.Capabilities(t.Context())
	is.NoErr(err)
	is.Equal(len(list), 1) // nothing half registered
	_, err = hostfuncs.New("a/b")
	is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
	is.NoErr(hostfuncs.Add(s, "tree", "", func(context.Context, struct{}) (node, error) { return node{}, nil })) // fine to return
}

func ExampleAdd() {
	type search struct {
		Query string `json:"query" jsonschema:"What the title contains."`
		Limit int    `json:"limit,omitempty"`
	}
	titles := []string{"Crash on start", "Slow search", "Crash on exit"}

	s, err := hostfuncs.New("tracker")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = hostfuncs.Add(s, "search", "Finds issues by title.", func(_ context.Context, in search) ([]string, error) {
		var found []string
		for _, title := range titles {
			if strings.Contains(title, in.Query) && (in.Limit == 0 || len(found) < in.Limit) {
				found = append(found, title)
			}
		}
		return found, nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	list, _ := s.Capabilities(context.Background())
	fmt.Println(list[0].ID, capability.NewIndex(list).Names(list[0].ID))
	args, _ := canon.Parse([]byte(`{"query":"Crash"}`))
	answer, err := s.Call(context.Background(), list[0].ID, args)
	fmt.Println(string(answer.Value.Bytes()), err)
	args, _ = canon.Parse([]byte(`{"query":"Crash","limit":"two"}`))
	_, err = s.Call(context.Background(), list[0].ID, args)
	fmt.Println(err)
	// Output:
	// host:tracker/search [tracker.search tracker_search]
	// ["Crash on start","Crash on exit"] <nil>
	// host:tracker/search: argument "limit": expected integer, got string
}
