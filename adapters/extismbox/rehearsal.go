package extismbox

import (
	"context"
	"strings"
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
	"toolplane/ports"
)

// rehearsal is the bridge of a guest that warms up: the prelude runs a few
// snippets then, so that whatever runs need is in the image. It prints nothing.
type rehearsal struct{}

var _ ports.Bridge = rehearsal{}

// rehearsedAnswer has a value of every kind.
const rehearsedAnswer = `{"result":[1,2.5,"text",null,true]}`

// Call fails a capability of the name "fail", answers others late if they have
// arguments and at once if they have none, and keeps what is saved under a
// handle that nobody can ever have been given.
func (rehearsal) Call(ctx context.Context, call run.Call) (run.Answer, error) {
	switch {
	case call.Name == capability.SaveResult:
		v, err := canon.Text("res_" + strings.Repeat("0", 24))
		return run.Answer{Value: v, Text: true}, err
	case strings.HasSuffix(call.Name, "/fail"):
		return run.Answer{}, fault.New(fault.ToolFailed, "failed")
	case call.Args.Len() > len("{}"):
		late := time.NewTimer(20 * atOnce)
		defer late.Stop()
		select {
		case <-late.C:
		case <-ctx.Done():
		}
	}
	v, err := canon.Parse([]byte(rehearsedAnswer))
	return run.Answer{Value: v}, err
}

func (rehearsal) Print(run.Stream, []byte) error { return nil }
