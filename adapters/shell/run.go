package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
)

// runFlags are the flags of the run command.
type runFlags struct {
	codes   []string // of each -c
	inputs  []string
	timeout seconds
	json    bool
	opts    Options
}

// run carries out the run command: everything is read and checked first, then
// the snippets run one after another until one does not end well.
func (c *call) run(ctx context.Context, files []string, flags runFlags) (err error) {
	if err := checkSources(files, flags.codes); err != nil {
		return err
	}
	given, err := parseInputs(flags.inputs, slices.Contains(files, standardInput))
	if err != nil {
		return err
	}
	limits, err := c.shell.host.Limits(flags.opts)
	if err != nil {
		return c.trouble(ctx, err)
	}
	var snippets []snippet
	var inputs canon.Value
	err = unlessEnded(ctx, 0, func() (err error) {
		if snippets, err = readSources(files, flags.codes, c.stdin, limits.Code); err != nil {
			return err
		}
		inputs, err = readInputs(given, c.stdin, limits.Inputs, c.note)
		return err
	})
	if err != nil {
		return err
	}
	if asked := flags.timeout.duration; asked > limits.Time {
		c.note(fmt.Sprintf("--timeout %v is more than the limit on a run, which is %v and holds", asked, limits.Time))
	}
	runner, closeRunner, err := c.shell.host.Open(ctx, flags.opts)
	if err != nil {
		return c.trouble(ctx, err)
	}
	defer func() {
		if closeErr := closeRunner(); closeErr != nil && err == nil {
			err = &exit{status: statusFailed, cause: closeErr}
		}
	}()
	var previous canon.Value
	for _, s := range snippets {
		outcome, err := c.runOne(ctx, runner, s, run.Request{
			Code: s.code, File: printable(s.name, ""), Inputs: inputs, Previous: previous, Timeout: flags.timeout.duration,
		}, flags.json)
		if err != nil {
			return err
		}
		previous = outcome.Value
	}
	return nil
}

// runOne runs one snippet and shows what came of it. The error is nil when the
// snippet ended well.
func (c *call) runOne(ctx context.Context, runner ports.Runner, s snippet, req run.Request, asJSON bool) (run.Outcome, error) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	if !asJSON {
		req.Output = func(stream run.Stream, text []byte) {
			if stream == run.Stderr {
				_, _ = c.err.Write(text) // what went wrong with it cannot be told anywhere
			} else if _, err := c.out.Write(text); err != nil {
				cancel() // nobody sees what it prints any more
			}
		}
	}
	outcome, err := runner.Run(running, req)
	return outcome, unlessEnded(ctx, lastWords, func() error { return c.tell(ctx, s, outcome, err, asJSON) })
}

// tell shows what came of a snippet. The error is nil when it ended well.
func (c *call) tell(ctx context.Context, s snippet, outcome run.Outcome, err error, asJSON bool) error {
	if c.out.failed() != nil {
		return c.outputFailed()
	}
	if err != nil {
		return c.trouble(ctx, err)
	}
	show := c.show
	if asJSON {
		show = c.showJSON
	}
	show(s, outcome)
	if c.out.failed() != nil {
		return c.outputFailed()
	}
	return verdict(ctx, outcome.Failure)
}

// verdict returns the quiet exit for a snippet that did not end well.
func verdict(ctx context.Context, failure *run.Failure) error {
	switch {
	case failure == nil:
		return nil
	case failure.Code == fault.RunCancelled && ctx.Err() != nil:
		return interrupted(ctx)
	case failure.Stopped():
		return &exit{status: statusStopped}
	default:
		return &exit{status: statusFailed}
	}
}

// show writes the value to standard output, notes and the failure to standard
// error.
func (c *call) show(s snippet, outcome run.Outcome) {
	if !outcome.Value.IsNull() {
		c.out.endLine()
		w := bufio.NewWriter(c.out)
		indent(w, outcome.Value.Bytes())
		w.WriteByte('\n')
		_ = w.Flush() // the stream keeps its error
	}
	for _, note := range outcome.Notes {
		c.note(note.String())
	}
	if f := outcome.Failure; f != nil {
		c.showFailure(printable(s.name, ""), f)
	}
}

// showFailure shows the traceback as Python would, or one line with the place
// where there are no frames to show.
func (c *call) showFailure(file string, f *run.Failure) {
	headline := f.Type
	if f.Message != "" {
		headline += ": " + f.Message
	}
	switch {
	case f.Traceback == "" && f.Line > 0:
		c.complain(fmt.Sprintf("%s:%d: %s", file, f.Line, headline))
	case f.Traceback == "":
		c.complain(file + ": " + headline)
	case strings.Contains(f.Traceback, headline):
		c.err.line("", "", f.Traceback)
	default:
		c.err.line("", "", strings.TrimRight(f.Traceback, "\n")+"\n"+headline)
	}
}

// trouble returns the exit for a request that was not carried out.
func (c *call) trouble(ctx context.Context, err error) *exit {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return interrupted(ctx)
	}
	status := statusFailed
	if f, ok := errors.AsType[*fault.Fault](err); ok {
		switch f.Class() {
		case fault.Value, fault.Permission, fault.Lookup:
			status = statusUsage
		}
	}
	return &exit{status: status, cause: err}
}

// progress tells of work that takes a while before anything runs.
func (c *call) progress(step string) { c.err.line("", "toolplane: ", step) }
