package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/run"
	"toolplane/ports"
)

// numbered is a source of many capabilities.
type numbered int

func (n numbered) Capabilities(context.Context) ([]capability.Descriptor, error) {
	list := make([]capability.Descriptor, n)
	for i := range list {
		id, err := capability.NewID(capability.Host, "many", fmt.Sprintf("t%d", i))
		if err != nil {
			return nil, err
		}
		list[i].ID = id
	}
	return list, nil
}

func (n numbered) Call(context.Context, capability.ID, canon.Value) (run.Answer, error) {
	return run.Answer{}, nil
}

func TestNamesBeyondTheBoundAreTold(t *testing.T) {
	is := is.New(t)
	bound := 0
	w := newWorld(t, func(_ context.Context, job run.Job, _ ports.Bridge) (run.Report, error) {
		bound = len(job.Bindings)
		if strings.Contains(job.Code, "nope") {
			return run.Report{Failure: &run.Failure{Type: "KeyError", Message: "'nope'"}}, nil
		}
		return run.Report{}, nil
	}, nil, numbered(10_100)).workspace(t)
	out := do(t, w, run.Request{Code: "globals()['nope']"})
	is.Equal(bound, 20_000)
	is.Equal(len(out.Notes), 1)
	is.True(strings.HasPrefix(out.Notes[0].Text, "200 names of tools did not exist in this run"))
	is.True(strings.Contains(out.Notes[0].Text, "call_tool(id, {...})")) // the way out
	is.Equal(len(do(t, w, run.Request{Code: "globals()"}).Notes), 0)     // nothing was missed
	is.Equal(len(do(t, w, run.Request{Code: "many_t1; nope"}).Notes), 0) // nor here
}
