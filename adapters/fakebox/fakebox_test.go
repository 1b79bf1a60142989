package fakebox_test

import (
	"context"
	"fmt"
	"testing"

	"toolplane/adapters/fakebox"
	"toolplane/domain/canon"
	"toolplane/domain/limit"
	"toolplane/domain/run"
	"toolplane/ports"
	"toolplane/test/contract"
)

func TestFakeIsASandbox(t *testing.T) {
	contract.Sandbox(t, contract.Script, func(t *testing.T) ports.Sandbox {
		s := fakebox.New(fakebox.Script)
		t.Cleanup(func() { _ = s.Close() })
		return s
	})
}

func Example() {
	box := fakebox.New(func(ctx context.Context, job run.Job, bridge ports.Bridge) (run.Report, error) {
		answer, err := bridge.Call(ctx, run.Call{Name: "host:shop/price"})
		return run.Report{Value: answer.Value}, err
	})
	defer box.Close()
	report, err := box.Run(context.Background(), run.Job{Limits: limit.Defaults().Run}, priced{})
	fmt.Println(string(report.Value.Bytes()), err)
	// Output: 42 <nil>
}

type priced struct{}

func (priced) Call(context.Context, run.Call) (run.Answer, error) {
	return run.Answer{Value: canon.Int(42)}, nil
}

func (priced) Print(run.Stream, []byte) error { return nil }
