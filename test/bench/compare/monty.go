package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"toolplane/test/bench"
)

// montyBinary is Monty's worker process below the folder of the peers.
var montyBinary = filepath.Join("node_modules", "@pydantic", "monty-linux-x64-gnu", "monty")

// montyProtocol is the version of the messages that the worker speaks.
const montyProtocol = 2

// Requests to the worker, and their fields.
const (
	requestConfigure, requestFeed, requestCall, requestName, requestReset = 1, 3, 4, 5, 9
	configureScript, configureProtocol                                    = 1, 9
	feedCode                                                              = 1
	callID, callResult, resultValue                                       = 1, 2, 1
	nameValue                                                             = 1
	functionName                                                          = 1
)

// Events from the worker, and their fields.
const (
	eventCall, eventName, eventDone, eventError, eventOK, eventFatal = 2, 4, 6, 7, 10, 11
	eventCallName, eventCallID                                       = 1, 4
)

// montyPeer is a worker process of Monty that is kept, as its pool does: each run
// has a session of its own.
type montyPeer struct {
	child   *child
	answers map[string][]byte // encoded ahead of time
}

func startMonty(ctx context.Context, dir string) (peer, error) {
	c, err := startChild(ctx, dir, filepath.Join(dir, montyBinary), "subprocess")
	if err != nil {
		return nil, err
	}
	rows := []any{}
	for i := range 11000 {
		rows = append(rows, object{
			{"id", int64(i)},
			{"name", fmt.Sprintf("user number %d", i)},
			{"email", fmt.Sprintf("user%d@example.com", i)},
			{"score", float64(i) * 1.5},
			{"active", i%3 == 0},
		})
	}
	return &montyPeer{child: c, answers: map[string][]byte{
		"ping": encodeValue(object{{"n", int64(1)}}), "rows": encodeValue(rows), "text": encodeValue(bench.Rows()),
	}}, nil
}

func (p *montyPeer) measure(ctx context.Context, w bench.Workload, n int, within time.Duration) (sample, error) {
	return collect(ctx, n, within, func() (any, func() error, error) {
		value, err := p.run(w.PythonFor(""))
		if err != nil {
			err = errors.Join(err, p.reset())
		}
		return value, p.reset, err
	})
}

func (p *montyPeer) reset() error {
	event, err := p.ask(message(nil, requestReset, ""))
	if err == nil && event.id != eventOK {
		err = p.unexpected(event)
	}
	return err
}

// run carries out a snippet in a new session.
func (p *montyPeer) run(code string) (any, error) {
	configure := number(message(nil, configureScript, "main.py"), configureProtocol, montyProtocol)
	if event, err := p.ask(message(nil, requestConfigure, configure)); err != nil || event.id != eventOK {
		return nil, errors.Join(err, p.unexpected(event))
	}
	next := message(nil, requestFeed, message(nil, feedCode, code))
	for {
		event, err := p.ask(next)
		if err != nil {
			return nil, err
		}
		parts, err := fields(event.data)
		if err != nil {
			return nil, err
		}
		switch event.id {
		case eventDone:
			return decodeValue(parts[0].data)
		case eventName: // it asks what a name is, before it calls it
			function := message(nil, valueFunction, message(nil, functionName, parts[0].data))
			next = message(nil, requestName, message(nil, nameValue, function))
		case eventCall:
			next = message(nil, requestCall, p.answer(parts))
		default:
			return nil, p.unexpected(event)
		}
	}
}

// answer is what the worker is told of a call.
func (p *montyPeer) answer(call []field) []byte {
	var name string
	var id uint64
	for _, f := range call {
		switch f.id {
		case eventCallName:
			name = string(f.data)
		case eventCallID:
			id = f.number
		}
	}
	return message(number(nil, callID, id), callResult, message(nil, resultValue, p.answers[name]))
}

// ask sends a request and returns the kind and content of the event that
// answers it.
func (p *montyPeer) ask(request []byte) (field, error) {
	frame := binary.LittleEndian.AppendUint32(make([]byte, 0, len(request)+4), uint32(len(request)))
	if _, err := p.child.in.Write(append(frame, request...)); err != nil {
		return field{}, err
	}
	var size [4]byte
	if _, err := io.ReadFull(p.child.out, size[:]); err != nil {
		return field{}, err
	}
	event := make([]byte, binary.LittleEndian.Uint32(size[:]))
	if _, err := io.ReadFull(p.child.out, event); err != nil {
		return field{}, err
	}
	parts, err := fields(event)
	if err == nil && len(parts) == 0 {
		err = errWire
	}
	if err != nil {
		return field{}, err
	}
	return parts[0], nil
}

func (p *montyPeer) unexpected(event field) error {
	if event.id == eventOK {
		return nil
	}
	return fmt.Errorf("the worker answered %d: %.300q", event.id, event.data)
}

func (p *montyPeer) close() error { return p.child.end() }
