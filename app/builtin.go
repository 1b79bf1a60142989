package app

import (
	"encoding/base64"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/ledger"
	"toolplane/domain/run"
)

// builtin answers the capabilities of this program itself. They are resolved
// here and nowhere else, so that a run reaches its own workspace only, however
// many runtimes share the sources.
func (b *bridge) builtin(d capability.Descriptor, call run.Call) (run.Answer, error) {
	switch d.ID.String() {
	case capability.SaveResult:
		return b.saveResult(call)
	case capability.SaveArtifact:
		return b.saveArtifact(call)
	case capability.LoadResult:
		kept, err := b.load(b.workspace.results, call)
		if err != nil {
			return run.Answer{}, err
		}
		value, _ := kept.Payload.Value()
		return run.Answer{Value: value}, nil
	case capability.LoadArtifact:
		kept, err := b.load(b.workspace.artifacts, call)
		if err != nil {
			return run.Answer{}, err
		}
		return run.Answer{Blobs: []run.Blob{{Data: kept.Payload.Data()}}}, nil
	default:
		return run.Answer{}, fault.New(fault.CapabilityUnknown, "unknown capability %s", d.ID)
	}
}

// saveResult keeps a value: the call's payload, or its argument "value".
func (b *bridge) saveResult(call run.Call) (run.Answer, error) {
	label, err := textArg(call.Args, "label")
	if err != nil {
		return run.Answer{}, err
	}
	about := ledger.About{Label: label}
	value, _ := call.Args.Member("value")
	if !call.Payload.IsZero() {
		if value, err = b.workspace.results.read(call.Payload, about); err != nil {
			return run.Answer{}, err
		}
	}
	return b.save(b.workspace.results, run.JSON(value), about)
}

// saveArtifact keeps bytes: the call's payload, or its argument "data" in
// base64.
func (b *bridge) saveArtifact(call run.Call) (run.Answer, error) {
	payload := call.Payload
	var about ledger.About
	var data string
	for _, arg := range []struct {
		name string
		text *string
	}{{"label", &about.Label}, {"filename", &about.Filename}, {"media_type", &about.MediaType}, {"data", &data}} {
		text, err := textArg(call.Args, arg.name)
		if err != nil {
			return run.Answer{}, err
		}
		*arg.text = text
	}
	if payload.IsZero() {
		decoded, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return run.Answer{}, fault.New(fault.ArgsInvalid, "argument \"data\": not base64; call save_artifact(data) with bytes instead")
		}
		payload = run.Bytes(decoded)
	}
	return b.save(b.workspace.artifacts, payload, about)
}

func (b *bridge) save(s *shelf, p run.Payload, about ledger.About) (run.Answer, error) {
	pointer, err := s.save(p, about)
	if err != nil {
		return run.Answer{}, err
	}
	b.saved(pointer)
	text, err := canon.Text(pointer.Handle.Reveal())
	return run.Answer{Value: text}, err
}

func (b *bridge) load(s *shelf, call run.Call) (run.Kept, error) {
	text, err := textArg(call.Args, "handle")
	if err != nil {
		return run.Kept{}, err
	}
	return s.load(text)
}

// textArg returns an argument that is text, "" where it is absent or null.
func textArg(args canon.Value, name string) (string, error) {
	v, _ := args.Member(name)
	text, ok := v.Text()
	if !ok && !v.IsNull() {
		return "", fault.New(fault.ArgsInvalid, "argument %q: expected text, got %v", name, v.Kind())
	}
	return text, nil
}
