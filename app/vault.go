package app

import (
	"context"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/ledger"
	"toolplane/domain/run"
	"toolplane/ports"
)

var _ ports.Vault = (*Workspace)(nil)

// Read returns what is kept under a handle. See ports.Vault.
func (w *Workspace) Read(_ context.Context, kind handle.Kind, text string) (run.Kept, error) {
	return w.shelf(kind).load(text)
}

// Live returns what is kept at present. See ports.Vault.
func (w *Workspace) Live(context.Context) ([]run.Pointer, error) {
	return append(w.results.live(), w.artifacts.live()...), nil
}

// Keep saves a value or bytes. See ports.Vault.
func (w *Workspace) Keep(_ context.Context, payload run.Payload, label string) (run.Pointer, error) {
	value, isJSON := payload.Value()
	if !isJSON {
		return w.artifacts.save(payload, ledger.About{Label: label})
	}
	p, err := w.results.save(payload, ledger.About{Label: label})
	switch fault.CodeOf(err) {
	case fault.ResultTooLarge, fault.ResultFull, fault.ResultDisabled:
		return w.keepAsText(value, label, err)
	default:
		return p, err
	}
}

// keepAsText saves the JSON of a value that the results store does not take;
// refused is why. Where that fails too, the value's own place is the one to
// speak of.
func (w *Workspace) keepAsText(value canon.Value, label string, refused error) (run.Pointer, error) {
	p, err := w.artifacts.save(run.Bytes(value.Bytes()), ledger.About{
		Label: label, Filename: "value.json", MediaType: "application/json",
	})
	switch fault.CodeOf(err) {
	case "":
		return p, nil
	case fault.InternalError:
		return p, err
	default:
		return run.Pointer{}, refused
	}
}

func (w *Workspace) shelf(kind handle.Kind) *shelf {
	if kind == handle.Artifact {
		return w.artifacts
	}
	return w.results
}
