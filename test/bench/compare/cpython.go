package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"toolplane/test/bench"
)

// runner is the file that runs snippets in CPython; see there.
const runner = "cpython.py"

// answers are what the host's functions give, as JSON on one line.
func answers() (map[string]json.RawMessage, error) {
	text, err := json.Marshal(bench.Rows())
	return map[string]json.RawMessage{
		"ping": json.RawMessage(bench.Pong), "rows": json.RawMessage(bench.Rows()), "text": text,
	}, err
}

// converse carries out one snippet over an open stream.
func converse(c *child, code string, answers map[string]json.RawMessage) (any, error) {
	if err := c.send(map[string]string{"code": code}); err != nil {
		return nil, err
	}
	for {
		var message struct {
			Call, Error string
			Value       any
		}
		if err := c.receive(&message); err != nil {
			return nil, err
		}
		switch {
		case message.Error != "":
			return nil, errors.New(message.Error)
		case message.Call == "":
			return message.Value, nil
		}
		if _, err := c.in.Write(append(answers[message.Call], '\n')); err != nil {
			return nil, err
		}
	}
}

// processPeer starts a CPython for every run.
type processPeer struct {
	python, dir string
	answers     map[string]json.RawMessage
}

func (p processPeer) measure(ctx context.Context, w bench.Workload, n int, within time.Duration) (sample, error) {
	return collect(ctx, n, within, func() (any, func() error, error) {
		c, err := startChild(ctx, p.dir, p.python, "-I", runner)
		if err != nil {
			return nil, nothing, err
		}
		value, err := converse(c, w.PythonFor(""), p.answers)
		return value, c.end, err
	})
}

func (processPeer) close() error { return nil }

// preforkPeer has a CPython that forks for every run.
type preforkPeer struct {
	zygote  *child
	dir     string // of the socket
	answers map[string]json.RawMessage
}

func startPrefork(ctx context.Context, python, dir string, answers map[string]json.RawMessage) (peer, error) {
	sockets, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	p := &preforkPeer{dir: sockets, answers: answers}
	if p.zygote, err = startChild(ctx, dir, python, "-I", runner, p.socket()); err != nil {
		return nil, err
	}
	if _, err := p.zygote.out.ReadString('\n'); err != nil {
		return nil, errors.Join(fmt.Errorf("the zygote did not start: %w", err), p.close())
	}
	return p, nil
}

func (p *preforkPeer) socket() string { return filepath.Join(p.dir, "socket") }

func (p *preforkPeer) measure(ctx context.Context, w bench.Workload, n int, within time.Duration) (sample, error) {
	return collect(ctx, n, within, func() (any, func() error, error) {
		connection, err := net.Dial("unix", p.socket())
		if err != nil {
			return nil, nothing, err
		}
		c := &child{in: connection, out: bufio.NewReaderSize(connection, 1<<16)}
		value, err := converse(c, w.PythonFor(""), p.answers)
		return value, connection.Close, err
	})
}

// close ends the zygote, which waits for connections and for nothing else.
func (p *preforkPeer) close() error {
	err := p.zygote.cmd.Process.Kill()
	_ = p.zygote.cmd.Wait() // says that it was killed
	return errors.Join(err, os.RemoveAll(p.dir))
}
