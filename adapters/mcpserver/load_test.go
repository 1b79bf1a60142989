package mcpserver_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/mcpserver/fakehost"
	"toolplane/adapters/mcpserver/linetest"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

// TestManyMixedCalls sends 10,000 requests of all kinds, some of which are
// cancelled at any moment: each of the others is answered once, and neither a
// run nor a byte is left over. TestMain looks for goroutines.
func TestManyMixedCalls(t *testing.T) {
	is := is.New(t)
	const requests, clients = 10_000, 64
	var begun, ended atomic.Int64
	large := fakehost.MustParse(`"` + strings.Repeat("é", 1<<20) + `"`)
	counted := func(s fakehost.Snippet) fakehost.Snippet {
		return func(ctx context.Context, h *fakehost.Host, req run.Request) (run.Outcome, error) {
			begun.Add(1)
			defer ended.Add(1)
			return s(ctx, h, req)
		}
	}
	host := &fakehost.Host{Capabilities: capabilities(), Snippets: map[string]fakehost.Snippet{
		"quick": counted(fakehost.Value("1")),
		"large": counted(fakehost.Ends(run.Outcome{Value: large, Stdout: run.Text{Head: strings.Repeat("é", 1<<19), Size: 1 << 40}})),
		"hang":  counted(fakehost.Hangs),
		"panic": counted(func(context.Context, *fakehost.Host, run.Request) (run.Outcome, error) { panic("at the disco") }),
	}}
	artifact := host.Save(handle.Artifact, run.Bytes(make([]byte, 100<<10)), run.Pointer{})
	largest := host.Save(handle.Artifact, run.Bytes(make([]byte, 5<<20)), run.Pointer{})
	c := connect(t, host, all)
	kinds := []func(id string) string{
		func(id string) string { return executeLine(id, "quick") },
		func(id string) string { return executeLine(id, "quick") },
		func(id string) string { return executeLine(id, "large") },
		func(id string) string { return executeLine(id, "panic") },
		func(id string) string { return executeLine(id, "unknown") },
		func(id string) string {
			return linetest.Request(id, "tools/call", linetest.Tool("search_capabilities", map[string]any{"query": ""}))
		},
		func(id string) string { return linetest.Request(id, "ping", nil) },
		func(id string) string { return linetest.Request(id, "tools/list", nil) },
		func(id string) string {
			uri := artifact.URI()
			if strings.HasSuffix(id, "77") { // megabytes are not to be all that this test is about
				uri = largest.URI()
			}
			return linetest.Request(id, "resources/read", map[string]any{"uri": uri})
		},
		func(id string) string { return executeLine(id, strings.Repeat("x", 100_000)) },
	}
	var cancelled atomic.Int64
	var working sync.WaitGroup
	for client := range clients {
		random := rand.New(rand.NewPCG(1, uint64(client)))
		working.Go(func() {
			for i := client; i < requests; i += clients {
				id := fmt.Sprint(i)
				switch random.IntN(8) {
				case 0: // cancelled at once, whatever it is
					c.Send(kinds[random.IntN(len(kinds))](id) + linetest.Cancel(id))
					cancelled.Add(1)
				case 1: // cancelled while it runs or waits
					c.Send(executeLine(id, "hang"))
					c.Call("ping", nil)
					c.Send(linetest.Cancel(id))
					cancelled.Add(1)
				default:
					c.Send(kinds[random.IntN(len(kinds))](id))
					if answer := c.Await(id); answer.Size > 9<<20 {
						t.Errorf("an answer has %d bytes", answer.Size)
					}
				}
			}
		})
	}
	working.Wait()
	c.CloseInput()
	is.NoErr(c.Wait())
	is.Equal(begun.Load(), ended.Load()) // no run is left
	answers := 0
	for i := range requests {
		n := len(c.Answers(fmt.Sprint(i)))
		is.True(n <= 1) // never two answers
		answers += n
	}
	is.True(answers >= requests-int(cancelled.Load())) // a cancellation may come too late
}

func executeLine(id, text string) string {
	return linetest.Request(id, "tools/call", linetest.Tool("execute_code", code(text)))
}
