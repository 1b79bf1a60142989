package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"toolplane/test/bench"
)

// child is a process that is spoken to through its standard streams. What it
// says on standard error belongs to whoever watches.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startChild(ctx context.Context, dir, name string, args ...string) (*child, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &child{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}, nil
}

// send writes a line of JSON.
func (c *child) send(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(line, '\n'))
	return err
}

// receive reads a line of JSON.
func (c *child) receive(message any) error {
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, message)
}

// end closes the child's input and kills it if that does not end it.
func (c *child) end() error {
	_ = c.in.Close()
	timer := time.AfterFunc(5*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer timer.Stop()
	_, _ = io.Copy(io.Discard, c.out)
	return c.cmd.Wait()
}

// nodePeer is a sandbox in a node process, which measures by itself.
type nodePeer struct{ child *child }

// nodeKind returns a kind of node.mjs, or nil if npm has not installed it.
func nodeKind(dir, name, module, title, how string, few bool) *kind {
	if _, err := os.Stat(filepath.Join(dir, "node_modules", module)); err != nil {
		return nil
	}
	return &kind{name: name, title: title, how: how, few: few, start: func(ctx context.Context) (peer, error) {
		c, err := startChild(ctx, dir, "node", "node.mjs", name)
		if err != nil {
			return nil, err
		}
		return nodePeer{c}, nil
	}}
}

func (p nodePeer) measure(_ context.Context, w bench.Workload, n int, within time.Duration) (sample, error) {
	code := w.PythonFor("")
	if strings.Contains(p.child.cmd.String(), "quickjs") {
		code = w.ScriptFor("")
	}
	if code == "" {
		return sample{}, errors.New("the snippet is in another language")
	}
	request := map[string]any{"code": code, "n": n, "within": float64(within) / 1e6}
	var answer struct {
		NS    []int64
		Total int64
		Value any
		Error string
	}
	if err := errors.Join(p.child.send(request), p.child.receive(&answer)); err != nil {
		return sample{}, err
	}
	if answer.Error != "" {
		return sample{}, fmt.Errorf("%s", answer.Error)
	}
	s := sample{total: time.Duration(answer.Total), value: answer.Value}
	for _, ns := range answer.NS {
		s.times = append(s.times, time.Duration(ns))
	}
	return s, nil
}

func (p nodePeer) close() error { return p.child.end() }
