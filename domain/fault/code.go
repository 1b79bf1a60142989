package fault

import (
	"maps"
	"slices"
)

// Code is the stable name of one kind of fault, as "area.reason". Codes are
// append-only: a published code keeps its meaning and its class for ever.
// docs/errors.md lists them all.
type Code string

// The codes, grouped by the area that raises them.
const (
	JSONNonFinite Code = "json.nonfinite" // NaN, ±Infinity, or a literal that overflows to them
	JSONType      Code = "json.type"      // a type JSON does not have
	JSONKey       Code = "json.key"       // an object key that is not a string
	JSONDepth     Code = "json.depth"     // nested deeper than the limit
	JSONSurrogate Code = "json.surrogate" // text with a lone surrogate or invalid UTF-8
	JSONDuplicate Code = "json.duplicate" // an object that names a key twice
	JSONSyntax    Code = "json.syntax"    // not JSON at all
	JSONNumber    Code = "json.number"    // an integer with more digits than the limit

	ResultUnknown  Code = "result.unknown"   // no live result has this handle
	ResultFull     Code = "result.full"      // a cap on the whole store would be exceeded
	ResultTooLarge Code = "result.too_large" // one entry exceeds the cap on entries
	ResultDisabled Code = "result.disabled"  // the results store is off

	ArtifactUnknown  Code = "artifact.unknown"   // no live artifact has this handle
	ArtifactFull     Code = "artifact.full"      // a cap on the whole store would be exceeded
	ArtifactTooLarge Code = "artifact.too_large" // one artifact exceeds the cap on artifacts
	ArtifactDisabled Code = "artifact.disabled"  // the artifacts store is off

	ArgsInvalid  Code = "args.invalid"   // arguments, inputs or options that do not fit what was declared
	ArgsTooLarge Code = "args.too_large" // arguments larger than the callee takes

	CLIDenied     Code = "cli.denied"     // a binary or invocation outside the allow-list
	BackendDenied Code = "backend.denied" // a sandbox that this client may not choose
	CallDenied    Code = "call.denied"    // a capability that policy, or its nature, refuses to this caller

	CapabilityUnknown Code = "capability.unknown" // no capability has this name
	BackendUnknown    Code = "backend.unknown"    // no sandbox has this name

	CallTimeout  Code = "call.timeout"  // one call took longer than it may
	RunTimeout   Code = "run.timeout"   // the run took longer than it may
	RunCancelled Code = "run.cancelled" // whoever started the run ended it

	ToolFailed      Code = "tool.failed"      // the tool ran and reported a failure
	ToolUnavailable Code = "tool.unavailable" // the tool could not be reached

	CallsTooMany   Code = "calls.too_many"   // more host calls than one run may make
	OutputTooLarge Code = "output.too_large" // more printed or returned than one run may
	RunCrashed     Code = "run.crashed"      // the sandbox trapped; the snippet did what an interpreter cannot survive

	InternalError Code = "internal" // a defect of this program; details are logged under an id
)

// classes maps every code to the one class it belongs to.
var classes = map[Code]Class{
	JSONNonFinite: Value, JSONType: Value, JSONKey: Value, JSONDepth: Value,
	JSONSurrogate: Value, JSONDuplicate: Value, JSONSyntax: Value, JSONNumber: Value,
	ResultUnknown: Value, ResultFull: Value, ResultTooLarge: Value, ResultDisabled: Value,
	ArtifactUnknown: Value, ArtifactFull: Value, ArtifactTooLarge: Value, ArtifactDisabled: Value,
	ArgsInvalid: Value, ArgsTooLarge: Value,
	CLIDenied: Permission, BackendDenied: Permission, CallDenied: Permission,
	CapabilityUnknown: Lookup, BackendUnknown: Lookup,
	CallTimeout: Timeout, RunTimeout: Timeout, RunCancelled: Timeout,
	ToolFailed: Tool, ToolUnavailable: Tool,
	CallsTooMany: Limit, OutputTooLarge: Limit, RunCrashed: Limit,
	InternalError: Internal,
}

// Codes returns every code, sorted by name.
func Codes() []Code {
	return slices.Sorted(maps.Keys(classes))
}

// Class returns the class that the code belongs to; an unlisted code is
// Internal.
func (c Code) Class() Class {
	return classes[c]
}
