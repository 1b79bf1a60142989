package extismbox

import (
	"strconv"
	"time"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/fault"
	"toolplane/domain/run"
)

// operation is what a guest asks of its host.
type operation uint32

// The operations; the comments say what head and body hold.
const (
	opSetup        operation = 1 // nothing: what the run has besides its source
	opCall         operation = 2 // capability id; arguments as JSON
	opSaveResult   operation = 3 // options as JSON; the value as JSON
	opSaveArtifact operation = 4 // options as JSON; the bytes
	opWait         operation = 5 // seconds, or nothing for ever: ids of answered calls
	opTake         operation = 6 // call id: its answer
	opBlob         operation = 7 // "id index": bytes
	opCancel       operation = 8 // call id
	opCode         operation = 9 // nothing: the snippet's code, if it was compiled before
)

// maxID bounds a capability id, in bytes; the application knows no longer one.
const maxID = 1024

// serve carries out an operation. head and body are guest memory: they hold
// still only until it returns.
func (x *execution) serve(op operation, head, body []byte) message {
	switch op {
	case opSetup:
		return x.setup()
	case opCall:
		return x.startCall(head, body)
	case opSaveResult, opSaveArtifact:
		return x.save(op, head, body)
	case opWait:
		return x.wait(head)
	case opTake:
		h, err := x.collect(head)
		if err != nil {
			return x.refusal(err)
		}
		return x.answer(h)
	case opBlob:
		data, err := x.calls.takeBlob(head)
		if err != nil {
			return x.refusal(err)
		}
		return message{kind: kindBytes, body: data}
	case opCancel:
		if err := x.abandon(head); err != nil {
			return x.refusal(err)
		}
		return message{}
	case opCode:
		if x.code == nil {
			return message{}
		}
		return message{kind: kindBytes, body: x.code}
	default:
		return x.refusal(fault.New(fault.ArgsInvalid, "the host knows no operation %d", op))
	}
}

// startCall starts a call of a capability; a run that is being stopped starts
// none any more.
func (x *execution) startCall(head, body []byte) message {
	if x.stops.cause != nil {
		return x.refusal(x.stops.cause)
	}
	if len(head) > maxID {
		return x.refusal(fault.New(fault.CapabilityUnknown, "no capability has an id of %d bytes", len(head)))
	}
	name := string(head)
	if err := x.checkSize(name, body); err != nil {
		return x.refusal(err)
	}
	size := int64(len(body))
	if err := x.calls.admit(size); err != nil {
		return x.refusal(err)
	}
	args, err := arguments(body)
	if err != nil {
		x.calls.dismiss(size)
		return x.refusal(err)
	}
	h, id := x.submit(name, args, size)
	if h == nil {
		return message{status: statusPending, id: id}
	}
	return x.answer(h)
}

// checkSize compares what a capability is called with to what one call may carry.
func (x *execution) checkSize(name string, body []byte) error {
	if most := x.job.Limits.Args; int64(len(body)) > most {
		return fault.New(fault.ArgsTooLarge,
			"the arguments of %.100s are %d bytes, more than the limit of %d: pass less, or save the data and pass its handle", name, len(body), most)
	}
	return nil
}

// arguments reads what a capability is called with.
func arguments(body []byte) (canon.Value, error) {
	if len(body) == 0 {
		body = []byte("{}")
	}
	return canon.Parse(body)
}

// save hands something over to be kept, at once: bytes and JSON go to the bridge
// without a copy, which is sound because the guest stands still meanwhile.
func (x *execution) save(op operation, head, body []byte) message {
	if x.stops.cause != nil {
		return x.refusal(x.stops.cause)
	}
	if err := x.checkSize("save", head); err != nil {
		return x.refusal(err)
	}
	args, err := arguments(head)
	if err != nil {
		return x.refusal(err)
	}
	call := run.Call{Name: capability.SaveArtifact, Args: args, Payload: run.Bytes(body)}
	if op == opSaveResult {
		call.Name = capability.SaveResult
	}
	h := &hostCall{name: call.Name}
	h.err = x.guard(func() (err error) {
		h.answer, err = x.bridge.Call(x.ctx, call)
		return err
	})
	return x.answer(h)
}

// wait blocks until a call is answered, and answers with the ids of all that are.
func (x *execution) wait(head []byte) message {
	limit := time.Duration(-1)
	if len(head) > 0 {
		const most = 64
		seconds, err := strconv.ParseFloat(string(head[:min(len(head), most)]), 64)
		if err != nil || seconds != seconds {
			return x.refusal(fault.New(fault.ArgsInvalid, "a time to wait must be a number of seconds"))
		}
		limit = time.Duration(max(0, min(seconds, longestSleep.Seconds())) * float64(time.Second))
	}
	body := []byte{'['}
	for i, id := range x.await(limit) {
		if i > 0 {
			body = append(body, ',')
		}
		body = strconv.AppendUint(body, uint64(id), 10)
	}
	return message{kind: kindJSONASCII, body: append(body, ']')}
}

// setup answers with what the run has besides its source, or with nothing.
func (x *execution) setup() message {
	j := x.job
	if j.Inputs.IsNull() && len(j.Bindings) == 0 && len(j.Helpers) == 0 && j.File == "" {
		return message{}
	}
	b := append([]byte(`{"inputs":`), j.Inputs.Bytes()...)
	b = append(b, `,"bindings":[`...)
	for i, binding := range j.Bindings {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, '['), binding.Name)
		b = append(appendText(append(b, ','), binding.ID), ']')
	}
	b = append(b, `],"helpers":[`...)
	for i, name := range j.Helpers {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, name)
	}
	b = append(b, ']')
	if j.File != "" {
		b = appendText(append(b, `,"file":`...), j.File)
	}
	return jsonMessage(append(b, '}'))
}
