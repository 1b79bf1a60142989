package bench

import (
	"context"
	"fmt"
	"strings"
	"time"

	"toolplane/adapters/hostfuncs"
	"toolplane/domain/canon"
	"toolplane/domain/run"
)

// Prefix is how a snippet in toolplane reaches the functions of Source.
const Prefix = "await bench."

// Pong is the answer of ping, as JSON.
const Pong = `{"n":1}`

// Pause is how long the function pause takes.
const Pause = 10 * time.Millisecond

// MiB is 1 << 20 bytes.
const MiB = 1 << 20

// BlobSize is the number of bytes that the function blob answers with.
const BlobSize = 64 * MiB

// Rows returns 11,000 objects of five members as JSON, 1 MB.
func Rows() string { return rows(11000, 1) }

// filtered is what filtering Rows gives.
var filtered = rows(11000, 1100)

// rows returns every step-th of a number of rows as JSON.
func rows(n, step int) string {
	var b strings.Builder
	for i := 0; i < n; i += step {
		fmt.Fprintf(&b, `,{"id":%d,"name":"user number %d","email":"user%d@example.com","score":%.1f,"active":%t}`, i, i, i, float64(i)*1.5, i%3 == 0)
	}
	return "[" + b.String()[1:] + "]"
}

// Source returns the host's functions as toolplane has them: ping, text, rows,
// pause and blob. What a function answers is parsed when it is called.
func Source() (*hostfuncs.Source, error) {
	source, err := hostfuncs.New("bench")
	if err != nil {
		return nil, err
	}
	rows, blob := Rows(), make([]byte, BlobSize)
	value := func(json string) func() (run.Answer, error) {
		return func() (run.Answer, error) {
			v, err := canon.Parse([]byte(json))
			return run.Answer{Value: v}, err
		}
	}
	for name, answer := range map[string]func() (run.Answer, error){
		"ping": value(Pong),
		"rows": value(rows),
		"text": func() (run.Answer, error) {
			v, err := canon.Text(rows)
			return run.Answer{Value: v, Text: true}, err
		},
		"blob": func() (run.Answer, error) {
			return run.Answer{Blobs: []run.Blob{{Data: blob}}}, nil
		},
		"pause": func() (run.Answer, error) {
			time.Sleep(Pause)
			return run.Answer{Value: canon.Int(1)}, nil
		},
	} {
		call := func(context.Context, canon.Value) (run.Answer, error) { return answer() }
		if err := source.AddRaw(hostfuncs.Raw{Name: name, Call: call}); err != nil {
			return nil, err
		}
	}
	return source, nil
}
