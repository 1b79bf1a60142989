package test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/hostfuncs"
	"toolplane/cmd/compose"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// order and its like are the types of a program that embeds toolplane.
type order struct {
	ID    int64    `json:"id"`
	Total float64  `json:"total"`
	Tags  []string `json:"tags"`
}

type findOrders struct {
	Customer string `json:"customer" jsonschema:"the customer's name"`
	Limit    int    `json:"limit,omitempty"`
}

// shop returns a source of typed Go functions.
func shop(t *testing.T) *hostfuncs.Source {
	t.Helper()
	is := is.New(t)
	s, err := hostfuncs.New("shop")
	is.NoErr(err)
	is.NoErr(hostfuncs.Add(s, "find_orders", "Finds a customer's orders.", func(_ context.Context, in findOrders) ([]order, error) {
		if in.Customer == "nobody" {
			return nil, errors.New("no such customer: nobody")
		}
		orders := []order{{ID: 1 << 60, Total: 9.5, Tags: []string{"a"}}, {ID: 2, Total: 20.25, Tags: []string{}}}
		if in.Limit > 0 {
			orders = orders[:in.Limit]
		}
		return orders, nil
	}))
	is.NoErr(hostfuncs.Add(s, "refund", "Refunds an order.", func(_ context.Context, in struct {
		ID int64 `json:"id"`
	},
	) (string, error) {
		return fmt.Sprintf("refunded %d", in.ID), nil
	}))
	is.NoErr(hostfuncs.Add(s, "crash", "Panics.", func(context.Context, struct{}) (string, error) { panic("secret detail") }))
	is.NoErr(hostfuncs.Add(s, "slow", "Takes 50 ms.", func(ctx context.Context, _ struct{}) (string, error) {
		select {
		case <-time.After(50 * time.Millisecond):
			return "done", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}))
	return s
}

func TestSnippetComposesTypedGoFunctions(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop(t))
	is.Equal(succeed(t, w, `
orders = await shop.find_orders(customer="ann")
done = [await shop_refund(id=o["id"]) for o in orders if o["total"] < 10]
return {"total": sum(o["total"] for o in orders), "done": done, "first": orders[0]["id"]}
`), `{"total":29.75,"done":["refunded 1152921504606846976"],"first":1152921504606846976}`)
}

func TestErrorsOfGoFunctionsAreCatchable(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop(t))
	is.Equal(succeed(t, w, `
out = []
for call in (
    lambda: shop.find_orders(customer="nobody"),
    lambda: shop.find_orders(customer=5),
    lambda: shop.find_orders(),
    lambda: shop.refund(id=1, amount=3),
    lambda: shop.crash(),
):
    try:
        out.append(await call())
    except ValueError as e:
        out.append(["ValueError", "argument" in str(e) and ("customer" in str(e) or "amount" in str(e))])
    except ToolError as e:
        out.append(["ToolError", str(e)])
    except RuntimeError as e:
        out.append(["RuntimeError", "secret" in str(e)])
return out
`), `[["ToolError","no such customer: nobody"],["ValueError",true],["ValueError",true],["ValueError",true],["RuntimeError",false]]`)
}

func TestHostCallsInFlightOverlap(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t, shop(t))
	succeed(t, w, "1") // warm
	start := time.Now()
	is.Equal(succeed(t, w, `
import asyncio
return len(await asyncio.gather(*[shop.slow() for _ in range(10)]))
`), "10")
	is.True(time.Since(start) < 400*time.Millisecond) // ten times 50 ms one after another would take 500
}

func TestCallsOfAStoppedRunEnd(t *testing.T) {
	is := is.New(t)
	s, err := hostfuncs.New("app")
	is.NoErr(err)
	var began, ended atomic.Int32
	is.NoErr(hostfuncs.Add(s, "wait", "Waits for ever.", func(ctx context.Context, _ struct{}) (string, error) {
		began.Add(1)
		<-ctx.Done()
		ended.Add(1)
		return "", ctx.Err()
	}))
	w := newWorkspace(t, s)
	out, err := w.Run(t.Context(), request("import asyncio\nawait asyncio.gather(*[app.wait() for _ in range(8)])", 300*time.Millisecond))
	is.NoErr(err)
	is.Equal(out.Failure.Code, fault.RunTimeout)
	is.Equal(began.Load(), int32(8))
	is.Equal(ended.Load(), int32(8)) // every call was ended before the run was over
}

func TestCallersContextEndsTheRun(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	succeed(t, w, "1") // warm
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	start := time.Now()
	out, err := w.Run(ctx, run.Request{Code: "while True: pass"})
	is.NoErr(err)
	is.Equal(out.Failure.Code, fault.RunCancelled)
	is.True(time.Since(start) < 3*time.Second)
}

func TestSecondRunSeesNothingOfTheFirst(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	succeed(t, w, `
import builtins, os, sys, json, asyncio, random
leak = "here"
builtins.len = lambda x: 42
builtins.leak = 1
os.environ["LEAK"] = "1"
sys.modules["leak"] = sys
json.leak = 1
sys.path.append("leak")
sys.setrecursionlimit(99)
random.seed(1)
asyncio.leak = 1
dict_leak = {}.__class__
sys.stdout.leak = 1
return 1
`)
	is.Equal(succeed(t, w, `
import builtins, os, sys, json, asyncio
return [
    "leak" in globals(), len([1]), hasattr(builtins, "leak"), "LEAK" in os.environ, "leak" in sys.modules,
    hasattr(json, "leak"), "leak" in sys.path, sys.getrecursionlimit() == 99, hasattr(asyncio, "leak"), hasattr(sys.stdout, "leak"),
]
`), `[false,1,false,false,false,false,false,false,false,false]`)
}

func TestRunsDrawDifferentRandomness(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	seen := map[string]bool{}
	for range 3 {
		got := succeed(t, w, "import random, uuid, secrets\nreturn [random.random(), str(uuid.uuid4()), secrets.token_hex(8)]")
		is.True(!seen[got])
		seen[got] = true
	}
}

func TestAnEmbeddedRuntimeKeepsItsCacheInMemory(t *testing.T) {
	is := is.New(t)
	r, err := compose.NewRuntime(compose.Options{})
	is.NoErr(err)
	defer r.Close()
	w, err := r.NewWorkspace()
	is.NoErr(err)
	is.Equal(succeed(t, w, "1+1"), "2")
	is.True(!strings.Contains(succeed(t, w, "import os\nlist(os.environ)"), "=")) // and the snippet no environment
}
