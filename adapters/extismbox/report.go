package extismbox

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// report turns what the guest said, and how the call into it ended, into what
// the client gets. Whether a run was stopped is the host's own knowledge.
func (x *execution) report(err error) run.Report {
	r := &x.reply
	report := run.Report{Value: r.value, Notes: r.notes, Work: x.work}
	if r.dropped > 0 {
		report.Notes = append(report.Notes, run.Note{Text: fmt.Sprintf("%d more notes were left out", r.dropped)})
	}
	switch {
	case x.stops.cause != nil:
		report.Failure = run.Stop(x.stops.cause)
		report.Failure.Traceback, report.Failure.Line = r.traceback, r.line
	case err != nil:
		report.Failure = run.Stop(x.crash(err))
	case r.errorType != "":
		report.Failure = &run.Failure{Type: r.errorType, Message: r.message, Traceback: r.traceback, Line: r.line, Code: r.code}
		if report.Failure.Stopped() {
			report.Failure.Code = "" // only the host stops a run
		}
	case r.tooLarge != nil:
		report.Failure = run.Stop(r.tooLarge)
	}
	if report.Failure != nil {
		report.Value = canon.Value{}
	}
	return report
}

// crash classifies how a call into the guest ended that the host did not stop.
func (x *execution) crash(err error) *fault.Fault {
	const wayOut = "nothing of the run is left; avoid what the interpreter cannot survive"
	if e, ok := errors.AsType[*exit](err); ok {
		return fault.New(fault.RunCrashed, "the snippet ended the interpreter with exit code %d; return a value or raise an exception instead", e.code)
	}
	if errors.Is(err, errFatal) {
		return fault.Wrap(err, fault.RunCrashed, "the interpreter gave up: %s; %s", x.reply.fatal, wayOut)
	}
	if _, ok := errors.AsType[runtime.Error](err); ok {
		id := defectID()
		x.slot.engine.logger.Error("a host function failed", slog.String("id", id), slog.Any("error", err))
		return fault.Wrap(err, fault.RunCrashed, "the sandbox failed (%s: details are in the host's log); %s", id, wayOut)
	}
	reason, _, _ := strings.Cut(err.Error(), "\n")
	reason = strings.TrimSuffix(strings.TrimPrefix(reason, "wasm error: "), " (recovered by wazero)")
	return fault.Wrap(err, fault.RunCrashed, "the interpreter crashed (%s); %s", reason, wayOut)
}
