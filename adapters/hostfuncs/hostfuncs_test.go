package hostfuncs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

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
