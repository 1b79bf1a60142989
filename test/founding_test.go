package test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/cmd/compose"
	"toolplane/domain/fault"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
)

// The founding design's test plan, failure table and error contract, each test
// named after its line.

func request(code string, timeout time.Duration) run.Request {
	return run.Request{Code: code, Timeout: timeout}
}

// text returns the text of a JSON string.
func text(t *testing.T, jsonText string) string {
	t.Helper()
	var s string
	is.New(t).NoErr(json.Unmarshal([]byte(jsonText), &s))
	return s
}

// capped returns a workspace with other caps.
func capped(t *testing.T, change func(*limit.Caps), sources ...ports.Source) ports.Runner {
	t.Helper()
	caps := limit.Defaults()
	change(&caps)
	w, err := newRuntime(t, compose.Options{Caps: caps}, sources...).NewWorkspace()
	is.New(t).NoErr(err)
	return w
}

func TestPlanSaveLoadRoundTripAcrossTwoRuns(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	h := text(t, succeed(t, w, `await save_result({"b": [1, 2.5, None, True, "é"], "a": 10**30})`))
	is.Equal(succeed(t, w, `await load_result("`+h+`")`),
		`{"b":[1,2.5,null,true,"é"],"a":1000000000000000000000000000000}`)
}

func TestPlanSummaryPlusHandleFlow(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	out := mustRun(t, w, `
issues = [{"id": i, "title": "secret-%d" % i} for i in range(1000)]
handle = await save_result(issues, label="issues")
return {"count": len(issues), "sample": issues[:3], "issues_handle": handle}
`)
	is.True(out.OK())
	is.True(!strings.Contains(string(out.Value.Bytes()), "secret-3")) // the full value is not in the response
	is.Equal(len(out.Results), 1)
	is.Equal(out.Results[0].Label, "issues")
	is.Equal(succeed(t, w, `len(await load_result("`+out.Results[0].Handle.Reveal()+`"))`), "1000") // the next run has it
}

func TestPlanCapEnforcementEntries(t *testing.T) {
	is := is.New(t)
	w := capped(t, func(c *limit.Caps) { c.Results.Entries = 2 })
	f := fail(t, w, "for i in range(3): await save_result(i)")
	is.Equal(f.Type, "ValueError")
	is.Equal(f.Code, fault.ResultFull)
	contains(t, f.Message, "2", "re-use an existing handle")
}

func TestPlanCapEnforcementTotalBytes(t *testing.T) {
	is := is.New(t)
	w := capped(t, func(c *limit.Caps) { c.Results.Total = 1000 })
	f := fail(t, w, "for i in range(3): await save_result('x' * 400)")
	is.Equal(f.Code, fault.ResultFull)
	contains(t, f.Message, "1000", "save a smaller projection")
}

func TestPlanCapEnforcementEntryBytes(t *testing.T) {
	is := is.New(t)
	w := capped(t, func(c *limit.Caps) { c.Results.Entry = 1000 })
	f := fail(t, w, "await save_result('x' * 1000)")
	is.Equal(f.Code, fault.ResultTooLarge)
	contains(t, f.Message, "1000", "save a smaller projection")
	succeed(t, w, "await save_result('x' * 998)") // exactly as large as it may be
	f = fail(t, w, "await save_result('x' * 998, label='l')")
	is.Equal(f.Code, fault.ResultTooLarge) // labels count
}

func TestPlanEntryFarTooLarge(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	for _, value := range []string{`"a" * 70_000_000`, `["a" * 80] * 3_000_000`} {
		f := fail(t, w, "await save_result("+value+")")
		is.Equal(f.Type, "ValueError")
		is.Equal(f.Code, fault.ResultTooLarge)
		contains(t, f.Message, "save a smaller projection")
	}
}

func TestPlanCapEnforcementTTLExpiry(t *testing.T) {
	is := is.New(t)
	w := capped(t, func(c *limit.Caps) { c.Results.TTL = time.Nanosecond })
	h := text(t, succeed(t, w, "await save_result(1)"))
	f := fail(t, w, "await load_result('"+h+"')")
	is.Equal(f.Message, "unknown or expired result handle "+h)
}

func TestPlanUnknownHandle(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	f := fail(t, w, `await load_result("res_nope")`)
	is.Equal(f.Type, "ValueError")
	is.Equal(f.Message, "unknown or expired result handle res_nope")
}

func TestPlanDisabledStore(t *testing.T) {
	w := capped(t, func(c *limit.Caps) { c.Results.Enabled = false })
	for _, code := range []string{"await save_result(1)", "await load_result('res_x')"} {
		contains(t, fail(t, w, code).Message, "results store is disabled")
	}
}

func TestPlanNonJSONValue(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	for code, says := range map[string]string{
		"{1, 2}":                           "set",
		"[object()]":                       "object",
		"{'a': {1: 2}}":                    "int",
		"b'x'":                             "save_artifact",
		"{'f': len}":                       "builtin_function_or_method",
		"[float('inf')]":                   "Infinity",
		"'\\ud800'":                        "surrogate",
		"(lambda x: x.append(x) or x)([])": "cycl",
	} {
		f := fail(t, w, "await save_result("+code+")")
		is.Equal(f.Type, "ValueError")
		contains(t, f.Message, says)
	}
}

func TestPlanCallToolReachesTheStoreWithoutBindings(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	h := text(t, succeed(t, w, `await call_tool("toolplane:results/save", {"value": {"a": [1]}, "label": "l"})`))
	is.True(strings.HasPrefix(h, "res_"))
	is.Equal(succeed(t, w, `await call_tool("toolplane:results/load", {"handle": "`+h+`"})`), `{"a":[1]}`)
}

func TestPlanHandleUnguessabilityShape(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	seen := map[string]bool{}
	for range 3 {
		h := text(t, succeed(t, w, "await save_result(1)"))
		is.True(strings.HasPrefix(h, "res_"))
		is.True(len(h) >= len("res_")+22) // 128 bits or more
		is.True(!seen[h])
		seen[h] = true
	}
}

func TestPlanLabelsAreNotAuthority(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	is.Equal(succeed(t, w, `
a = await save_result(1, label="same")
b = await save_result(2, label="same")
return [a != b, await load_result(a), await load_result(b)]
`), `[true,1,2]`)
	f := fail(t, w, `await load_result("same")`)
	is.Equal(f.Code, fault.ResultUnknown)
}

func TestContractStoreErrorsAreValueErrors(t *testing.T) {
	is := is.New(t)
	is.Equal(succeed(t, newWorkspace(t), `
try:
    rows = await load_result("res_gone")
except ValueError:
    rows = "recomputed"
return rows
`), `"recomputed"`)
}

func TestContractKnownFidelityLimits(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	is.Equal(succeed(t, w, `
import datetime
h = await save_result({"d": datetime.date(2026, 1, 2), "t": (1, 2)})
return await load_result(h)
`), `{"d":"2026-01-02","t":[1,2]}`)
}

func TestContractSavedValueDoesNotAlias(t *testing.T) {
	is := is.New(t)
	is.Equal(succeed(t, newWorkspace(t), `
x = [1]
h = await save_result(x)
x.append(2)
y = await load_result(h)
y.append(3)
return [x, y, await load_result(h)]
`), `[[1,2],[1,3],[1]]`)
}

func TestLaneArtifactsHoldBytes(t *testing.T) {
	is := is.New(t)
	w := newWorkspace(t)
	out := mustRun(t, w, `await save_artifact(bytes(range(256)), filename="all.bin", media_type="application/x-all")`)
	is.True(out.OK())
	is.Equal(len(out.Artifacts), 1)
	is.Equal(out.Artifacts[0].Filename, "all.bin")
	is.Equal(out.Artifacts[0].Bytes, int64(256))
	is.Equal(succeed(t, w, `(await load_artifact("`+out.Artifacts[0].Handle.Reveal()+`")) == bytes(range(256))`), "true")
	contains(t, fail(t, w, `await save_artifact({"a": 1})`).Message, "save_result") // JSON belongs elsewhere
}

func TestScopeRuntimesThatShareSourcesShareNoHandles(t *testing.T) {
	is := is.New(t)
	source := up()
	first, second := newWorkspace(t, source), newWorkspace(t, source)
	h := text(t, succeed(t, first, "await save_result(1)"))
	is.Equal(fail(t, second, "await load_result('"+h+"')").Code, fault.ResultUnknown)
}
