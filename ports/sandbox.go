package ports

import (
	"context"

	"toolplane/domain/run"
)

// Sandbox runs snippets, each as if nothing had ever run before it.
//
// Run carries out one job and reports what the snippet did. A failing snippet
// and one that was stopped are reports, not errors: a job that outlives
// Limits.Time ends with a failure of code run.timeout, one whose ctx is
// cancelled with run.cancelled, one whose printing the bridge refuses with the
// fault that the bridge gave, one that traps with run.crashed. An error means
// that the sandbox could not do its work at all. Run may be called
// concurrently. When it returns, the bridge is not used any more and every call
// through it has ended, or was left behind: a call that does not heed the end of
// its context holds up neither the end of the run nor, once it has lasted longer
// than Limits.CallTime, the snippet, which gets a fault of code call.timeout.
//
// Close ends the runs that go on and frees what the sandbox holds; Run fails
// afterwards. It may be called more than once.
type Sandbox interface {
	Run(ctx context.Context, job run.Job, bridge Bridge) (run.Report, error)
	Close() error
}
