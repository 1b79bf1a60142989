package contract

import (
	"testing"

	"go.uber.org/goleak"

	"toolplane/ports"
)

// Dialect is the language in which a sandbox takes its snippets.
type Dialect int

// The dialects.
const (
	Python Dialect = iota
	Script         // the language of fakebox.Script
)

// Sandbox checks an implementation of ports.Sandbox whose snippets are in the
// given dialect. The maker gives a new one each time and closes it with
// t.Cleanup; the suite closes some earlier, and checks that no goroutine stays.
func Sandbox(t *testing.T, dialect Dialect, maker func(t *testing.T) ports.Sandbox) {
	t.Helper()
	check(t, func(t *testing.T) *box {
		before := goleak.IgnoreCurrent()
		t.Cleanup(func() { goleak.VerifyNone(t, before) })
		return &box{Sandbox: maker(t), dialect: dialect}
	}, []clause[*box]{
		{"value_comes_back", "What a snippet ends with is the report's value, with its digits and member order.", valueComesBack},
		{"no_value_is_null", "A snippet that ends with nothing reports null and no failure.", noValueIsNull},
		{"prints_arrive_as_they_come", "What is printed reaches the bridge in order, on its own stream, before what comes after it.", printsArriveAsTheyCome},
		{"inputs_are_there", "Every member of the inputs is a global of the run.", inputsAreThere},
		{"bindings_and_ids_call", "A capability is called by its binding and by its id, with the arguments given.", bindingsAndIDsCall},
		{"answers_come_back", "An answer's value arrives in the snippet unchanged, a large one included.", answersComeBack},
		{"errors_are_catchable", "A fault of the bridge can be caught by its class and says its message.", errorsAreCatchable},
		{"uncaught_fault_keeps_code", "A fault that the snippet does not catch ends the run with its code and message.", uncaughtFaultKeepsCode},
		{"defects_are_hidden", "An error of the bridge that is no fault reaches the snippet as internal, without its text.", defectsAreHidden},
		{"bridge_panic_is_survived", "A panic in the bridge is an internal fault, not the end of the process.", bridgePanicIsSurvived},
		{"end_of_a_goroutine_is_survived", "A call that ends its own goroutine is an internal fault, and holds up nothing.", endOfAGoroutineIsSurvived},
		{"large_arguments_are_refused", "Arguments beyond the limit are a fault of code args.too_large and do not reach the bridge.", largeArgumentsAreRefused},
		{"saves_reach_the_bridge", "What is saved reaches the bridge as a payload: bytes, those of its JSON where it is a result.", savesReachTheBridge},
		{"failure_says_what_and_where", "An exception is a report with its type, message, traceback and line.", failureSaysWhatAndWhere},
		{"notes_are_reported", "What the client should know is in the report's notes.", notesAreReported},
		{"calls_overlap", "Calls that a snippet starts together are in flight together.", callsOverlap},
		{"runs_overlap", "Runs may go on concurrently, and each sees its own inputs only.", runsOverlap},
		{"every_run_is_fresh", "A run sees nothing of the runs before it.", everyRunIsFresh},
		{"memory_is_limited", "A snippet that wants more memory than its limit gets an error it can catch, and the next run is healthy.", memoryIsLimited},
		{"stops_at_the_deadline", "A run that outlives its limit ends soon after with run.timeout.", stopsAtTheDeadline},
		{"deadline_ends_calls", "At the deadline the calls in flight are ended, and have returned when Run does.", deadlineEndsCalls},
		{"deaf_calls_are_left_behind", "A call that does not heed the end of its context holds up neither the snippet nor the end of the run.", deafCallsAreLeftBehind},
		{"calls_that_wait_keep_their_time", "A call's time begins when it is its turn, after those in flight.", callsThatWaitKeepTheirTime},
		{"cancelled_run_stops", "A run whose context ends stops with run.cancelled.", cancelledRunStops},
		{"cancelled_before_it_begins", "A run whose context has ended already does not last.", cancelledBeforeItBegins},
		{"refused_print_stops", "When the bridge refuses to print, the run ends with the fault it gave.", refusedPrintStops},
		{"crash_is_a_report", "A trap of the interpreter is a report of code run.crashed, and the next run is healthy.", crashIsAReport},
		{"impossible_limits_are_an_error", "Limits that cannot work are an error, not a report.", impossibleLimitsAreAnError},
		{"close_ends_runs", "Close ends the runs that go on, Run then fails, and Close may be called again.", closeEndsRuns},
	})
}
