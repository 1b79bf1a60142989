package fault_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/fault"
)

func TestEveryCodeHasItsClass(t *testing.T) {
	shape := regexp.MustCompile(`^[a-z]+\.[a-z_]+$`)
	for _, code := range fault.Codes() {
		t.Run(string(code), func(t *testing.T) {
			is := is.New(t)
			if code == fault.InternalError {
				is.Equal(code.Class(), fault.Internal)
				return
			}
			is.True(shape.MatchString(string(code))) // "area.reason"
			is.True(code.Class() != fault.Internal)  // classified
			is.True(code.Class().Builtin() != "")    // catchable
		})
	}
}

// TestClassesByArea is the table of the design: an area's codes share a class
// unless they are listed here.
func TestClassesByArea(t *testing.T) {
	areas := map[string]fault.Class{
		"json": fault.Value, "result": fault.Value, "artifact": fault.Value, "args": fault.Value,
		"cli": fault.Permission, "capability": fault.Lookup, "tool": fault.Tool,
		"calls": fault.Limit, "output": fault.Limit, "internal": fault.Internal,
	}
	single := map[fault.Code]fault.Class{
		fault.BackendDenied: fault.Permission, fault.CallDenied: fault.Permission,
		fault.BackendUnknown: fault.Lookup, fault.CallTimeout: fault.Timeout,
		fault.RunTimeout: fault.Timeout, fault.RunCancelled: fault.Timeout, fault.RunCrashed: fault.Limit,
	}
	for _, code := range fault.Codes() {
		is := is.New(t)
		want, ok := single[code]
		if !ok {
			area, _, _ := strings.Cut(string(code), ".")
			want, ok = areas[area]
		}
		is.True(ok)                  // the code belongs to a known area
		is.Equal(code.Class(), want) // and has its class
	}
}

func TestBuiltinsByWhichSnippetsCatch(t *testing.T) {
	is := is.New(t)
	for class, want := range map[fault.Class]string{
		fault.Value: "ValueError", fault.Permission: "PermissionError", fault.Lookup: "LookupError",
		fault.Timeout: "TimeoutError", fault.Tool: "ToolError", fault.Limit: "RuntimeError", fault.Internal: "RuntimeError",
	} {
		is.Equal(class.Builtin(), want)
		is.True(class.String() != "")
	}
}

func TestUnlistedCodeIsInternal(t *testing.T) {
	is := is.New(t)
	is.Equal(fault.Code("made.up").Class(), fault.Internal)
}

func TestCodesAreSortedAndUnique(t *testing.T) {
	is := is.New(t)
	codes := fault.Codes()
	is.True(len(codes) > 20)
	for i := 1; i < len(codes); i++ {
		is.True(codes[i-1] < codes[i]) // sorted, no double
	}
}

func TestFaultIsMatchedByCodeAndKeepsItsCauseQuiet(t *testing.T) {
	is := is.New(t)
	cause := errors.New("password is hunter2")
	f := fault.Wrap(cause, fault.ToolUnavailable, "server %q does not answer", "linear")
	err := fmt.Errorf("calling: %w", f)
	is.True(errors.Is(err, fault.New(fault.ToolUnavailable, ""))) // by code
	is.True(!errors.Is(err, fault.New(fault.ToolFailed, "")))     // and only that code
	is.True(errors.Is(err, cause))                                // the cause can be found
	is.True(!strings.Contains(err.Error(), "hunter2"))            // but is not told
	is.Equal(fault.CodeOf(err), fault.ToolUnavailable)
	is.Equal(f.Error(), `server "linear" does not answer`)
}

func TestPathStandsBeforeTheMessage(t *testing.T) {
	is := is.New(t)
	f := fault.At(fault.JSONNonFinite, "$.rows[1]", "NaN is not JSON")
	is.Equal(f.Error(), "$.rows[1]: NaN is not JSON")
	is.Equal(f.Path(), "$.rows[1]")
	is.Equal(f.Class(), fault.Value)
	is.Equal(f.Unwrap(), nil)
}

func TestCodeOfOtherErrors(t *testing.T) {
	is := is.New(t)
	is.Equal(fault.CodeOf(nil), fault.Code(""))
	is.Equal(fault.CodeOf(context.Canceled), fault.InternalError)
}

func TestLogShowsClassAndCodeOnly(t *testing.T) {
	is := is.New(t)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "err", fault.At(fault.ResultUnknown, "$.secret", "res_secret"))
	is.True(strings.Contains(log.String(), "result.unknown"))
	is.True(strings.Contains(log.String(), "value"))
	is.True(!strings.Contains(log.String(), "secret"))
}
