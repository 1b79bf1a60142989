package app

import (
	"context"

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

// Keep saves a value as a result. See ports.Vault.
func (w *Workspace) Keep(_ context.Context, value run.Payload, label string) (run.Pointer, error) {
	return w.results.save(value, ledger.About{Label: label})
}

func (w *Workspace) shelf(kind handle.Kind) *shelf {
	if kind == handle.Artifact {
		return w.artifacts
	}
	return w.results
}
