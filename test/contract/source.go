package contract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/ports"
)

// SourceFixture is a source with three capabilities of known behaviour.
type SourceFixture struct {
	Source ports.Source
	Echo   capability.ID // answers with its argument "text", a string
	Fail   capability.ID // always fails, as a tool does, with "quota exceeded"
	Wait   capability.ID // answers only when its context ends
}

// Source checks an implementation of ports.Source. The maker gives a fixture of
// its own each time and ends it with t.Cleanup.
func Source(t *testing.T, maker func(t *testing.T) SourceFixture) {
	t.Helper()
	check(t, maker, []clause[SourceFixture]{
		{"lists_what_it_offers", "Capabilities lists every capability once, with its id.", sourceLists},
		{"schemas_are_objects", "A schema in a descriptor is a JSON object, or null where there is none.", sourceSchemas},
		{"answers", "Call answers with what the capability gave, digits and characters kept.", sourceAnswers},
		{"failure_is_a_tool_fault", "A capability that fails is a fault of class Tool that carries its message.", sourceFails},
		{"failure_leaves_no_mark", "After a failure the source answers as before.", sourceGoesOn},
		{"unknown_capability", "A capability that the source does not offer is a fault of code capability.unknown.", sourceUnknown},
		{"stops_with_its_context", "A call that is going on returns with an error when its context ends.", sourceStops},
		{"ended_context", "A call whose context has ended does not wait.", sourceEnded},
		{"concurrent_use", "Capabilities and Call may be called concurrently, and each call gets its own answer.", sourceConcurrent},
	})
}

// soon is how long something immediate may take on a busy machine.
const soon = 20 * time.Second

func textArgs(t *testing.T, text string) canon.Value {
	t.Helper()
	var e canon.Encoder
	_, _, _, _ = e.BeginObject(), e.Key("text"), e.Text(text), e.EndObject()
	v, err := e.Value()
	is.New(t).NoErr(err) // the case's text is text
	return v
}

// echo calls Echo and returns the text of its answer.
func echo(ctx context.Context, f SourceFixture, args canon.Value) (string, error) {
	answer, err := f.Source.Call(ctx, f.Echo, args)
	if err != nil {
		return "", err
	}
	text, ok := answer.Value.Text()
	if !ok {
		return "", fmt.Errorf("the answer is %v, not a text", answer.Value)
	}
	return text, nil
}

func sourceLists(t *testing.T, f SourceFixture) {
	is := is.New(t)
	list, err := f.Source.Capabilities(t.Context())
	is.NoErr(err)
	times := make(map[capability.ID]int)
	for _, d := range list {
		times[d.ID]++
		is.True(!d.ID.IsZero()) // every descriptor has an id
	}
	for id, n := range times {
		if n != 1 {
			t.Errorf("%v is listed %d times", id, n)
		}
	}
	for _, id := range []capability.ID{f.Echo, f.Fail, f.Wait} {
		is.Equal(times[id], 1) // what can be called is listed
	}
}

func sourceSchemas(t *testing.T, f SourceFixture) {
	is := is.New(t)
	list, err := f.Source.Capabilities(t.Context())
	is.NoErr(err)
	for _, d := range list {
		for _, schema := range []canon.Value{d.Input, d.Output} {
			is.True(schema.IsNull() || schema.Kind() == canon.KindObject) // an object or nothing
		}
	}
}

func sourceAnswers(t *testing.T, f SourceFixture) {
	for _, text := range []string{"plain", "", "grüße 日本語 😀", "\x00\x1f\"\\\u2028", "<a href='x'>&amp;</a>", strings.Repeat("long ", 100_000)} {
		is := is.New(t)
		got, err := echo(t.Context(), f, textArgs(t, text))
		is.NoErr(err)
		is.True(got == text) // character for character
	}
}

func sourceFails(t *testing.T, f SourceFixture) {
	is := is.New(t)
	_, err := f.Source.Call(t.Context(), f.Fail, textArgs(t, "x"))
	is.Equal(fault.CodeOf(err), fault.ToolFailed)            // a failure of the tool
	is.True(strings.Contains(err.Error(), "quota exceeded")) // with the tool's own words
}

func sourceGoesOn(t *testing.T, f SourceFixture) {
	is := is.New(t)
	_, err := f.Source.Call(t.Context(), f.Fail, textArgs(t, "x"))
	is.True(err != nil)
	got, err := echo(t.Context(), f, textArgs(t, "still here"))
	is.NoErr(err)
	is.Equal(got, "still here")
}

func sourceUnknown(t *testing.T, f SourceFixture) {
	is := is.New(t)
	id, err := capability.NewID(f.Echo.Kind(), f.Echo.Namespace(), "no_such_capability")
	is.NoErr(err)
	_, err = f.Source.Call(t.Context(), id, textArgs(t, "x"))
	is.Equal(fault.CodeOf(err), fault.CapabilityUnknown)         // unknown
	is.True(strings.Contains(err.Error(), "no_such_capability")) // by name
	_, err = f.Source.Call(t.Context(), capability.ID{}, canon.Null())
	is.Equal(fault.CodeOf(err), fault.CapabilityUnknown) // the zero id names nothing
}

func sourceStops(t *testing.T, f SourceFixture) {
	is := is.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := f.Source.Call(ctx, f.Wait, textArgs(t, "x"))
		done <- err
	}()
	// Others are answered while the call waits.
	_, err := echo(t.Context(), f, textArgs(t, "meanwhile"))
	is.NoErr(err)
	cancel()
	select {
	case err := <-done:
		is.True(err != nil) // it did not answer
	case <-time.After(soon):
		t.Fatal("the call goes on after its context has ended")
	}
}

func sourceEnded(t *testing.T, f SourceFixture) {
	is := is.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.Source.Call(ctx, f.Wait, textArgs(t, "x"))
	is.True(err != nil)                                                                   // nothing was answered
	is.True(errors.Is(err, context.Canceled) || fault.CodeOf(err) != fault.InternalError) // and it is no defect
}

func sourceConcurrent(t *testing.T, f SourceFixture) {
	var all sync.WaitGroup
	for n := range 16 {
		all.Go(func() {
			want := fmt.Sprintf("caller %d", n)
			for range 10 {
				if got, err := echo(t.Context(), f, textArgs(t, want)); err != nil || got != want {
					t.Errorf("got %q and %v, want %q", got, err, want)
				}
			}
		})
		all.Go(func() {
			if list, err := f.Source.Capabilities(t.Context()); err != nil || len(list) < 3 {
				t.Errorf("listed %d and %v", len(list), err)
			}
		})
	}
	all.Wait()
}
