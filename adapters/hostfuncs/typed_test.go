package hostfuncs_test

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"

	"toolplane/adapters/hostfuncs"
	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

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
		`{"query":1}`:                               `argument "query": expected string, got number`,
		`{"query":"a","limit":"x"}`:                 `argument "limit": expected integer, got string`,
		`{"query":"a","limit":1.5}`:                 `argument "limit": expected integer, got number 1.5`,
		`{"query":"a","limit":9223372036854775808}`: `argument "limit": 9223372036854775808 is out of range for an integer of 64 bits`,
		`{"query":"a","deep":[]}`:                   `argument "deep": expected boolean, got array`,
		`{"query":"a","quantity":1}`:                `there is no argument "quantity"`,
		`[1]`:                                       `expected an object of arguments, got array`,
		`{"query":"a","when":"never"}`:              `do not fit`,
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
