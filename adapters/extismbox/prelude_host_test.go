package extismbox_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

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
		payload = run.Bytes(bytes.Clone(payload.Data()))
		if kind == "results" {
			value, err := canon.Parse(payload.Data())
			if err != nil {
				return run.Answer{}, err
			}
			payload = run.JSON(value)
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
