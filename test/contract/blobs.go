package contract

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"strconv"
	"sync"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/handle"
	"toolplane/domain/run"
	"toolplane/ports"
)

// Blobs checks an implementation of ports.Blobs. The maker gives an empty one
// for handles of the given kind each time, and need not close it.
func Blobs(t *testing.T, kind handle.Kind, maker func(t *testing.T) ports.Blobs) {
	t.Helper()
	s := blobSuite{kind: kind}
	check(t, func(t *testing.T) ports.Blobs {
		b := maker(t)
		t.Cleanup(func() { _ = b.Close() })
		return b
	}, []clause[ports.Blobs]{
		{"bytes_come_back", "Get returns the bytes that were put, whatever they are and however many.", s.bytesComeBack},
		{"value_comes_back", "Get returns the value that was put, as a value with the same canonical bytes.", s.valueComesBack},
		{"missing_does_not_exist", "Get of a handle that was never put is an error that is fs.ErrNotExist.", s.missing},
		{"deleted_is_gone", "After Delete a payload does not exist any more, and the others still do.", s.deleted},
		{"delete_of_nothing", "Delete of a payload that is not there is not an error.", s.deleteOfNothing},
		{"put_again_after_delete", "A handle can be used again once its payload is deleted.", s.putAgain},
		{"handle_in_use", "Put under a handle in use is an error that is fs.ErrExist and changes nothing.", s.handleInUse},
		{"bytes_are_copied", "A caller that changes its slice after Put does not change what is kept.", s.bytesAreCopied},
		{"got_survives_delete", "What Get returned stays valid after Delete, and after Close.", s.gotSurvives},
		{"nothing_is_no_payload", "The zero payload, which is neither a value nor bytes, is refused.", s.zeroPayload},
		{"concurrent_use", "All methods may be called concurrently.", s.concurrent},
		{"close_is_idempotent", "Close may be called again and is then not an error.", s.closeTwice},
	})
}

type blobSuite struct{ kind handle.Kind }

// handle returns the nth handle of the suite's kind.
func (s blobSuite) handle(n int) handle.Handle {
	var random [handle.Size]byte
	binary.BigEndian.PutUint64(random[:], uint64(n)+1)
	return handle.Mint(s.kind, random)
}

func (s blobSuite) bytesComeBack(t *testing.T, b ports.Blobs) {
	large := bytes.Repeat([]byte{0, 0xff, '\r', '\n', 0x1a}, 1<<20)
	for n, data := range [][]byte{[]byte("text"), {}, nil, {0}, large} {
		is := is.New(t)
		is.NoErr(b.Put(s.handle(n), run.Bytes(data))) // put
		got, err := b.Get(s.handle(n))
		is.NoErr(err)                          // it is there
		is.True(bytes.Equal(got.Data(), data)) // byte for byte
		is.Equal(got.Len(), int64(len(data)))  // with its size
		_, isValue := got.Value()
		is.True(!isValue)      // bytes stay bytes
		is.True(!got.IsZero()) // even when there are none
	}
}

func (s blobSuite) valueComesBack(t *testing.T, b ports.Blobs) {
	for n, text := range []string{`{"b":[1,2.5,"é"],"a":null}`, `null`, `9007199254740993000000001`, `""`, `[]`} {
		is := is.New(t)
		value, err := canon.Parse([]byte(text))
		is.NoErr(err)                                 // the case is JSON
		is.NoErr(b.Put(s.handle(n), run.JSON(value))) // put
		got, err := b.Get(s.handle(n))
		is.NoErr(err) // it is there
		back, ok := got.Value()
		is.True(ok)                                           // a value stays a value
		is.Equal(string(back.Bytes()), string(value.Bytes())) // byte for byte
		is.Equal(got.Len(), int64(value.Len()))               // with its size
	}
}

func (s blobSuite) missing(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	got, err := b.Get(s.handle(0))
	is.True(errors.Is(err, fs.ErrNotExist)) // never put
	is.True(got.IsZero())                   // and nothing comes with the error
}

func (s blobSuite) deleted(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("a"))))
	is.NoErr(b.Put(s.handle(1), run.Bytes([]byte("b"))))
	is.NoErr(b.Delete(s.handle(0)))
	_, err := b.Get(s.handle(0))
	is.True(errors.Is(err, fs.ErrNotExist)) // deleted
	got, err := b.Get(s.handle(1))
	is.NoErr(err)                     // the other one is not
	is.Equal(string(got.Data()), "b") // nor changed
}

func (s blobSuite) deleteOfNothing(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	is.NoErr(b.Delete(s.handle(0))) // never put
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("a"))))
	is.NoErr(b.Delete(s.handle(0)))
	is.NoErr(b.Delete(s.handle(0))) // deleted before
}

func (s blobSuite) putAgain(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("first, and longer"))))
	is.NoErr(b.Delete(s.handle(0)))
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("second"))))
	got, err := b.Get(s.handle(0))
	is.NoErr(err)
	is.Equal(string(got.Data()), "second")
}

func (s blobSuite) handleInUse(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("first"))))
	is.True(errors.Is(b.Put(s.handle(0), run.Bytes([]byte("second"))), fs.ErrExist)) // refused
	got, err := b.Get(s.handle(0))
	is.NoErr(err)
	is.Equal(string(got.Data()), "first") // and the first is still there
}

func (s blobSuite) bytesAreCopied(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	mine := []byte("before")
	is.NoErr(b.Put(s.handle(0), run.Bytes(mine)))
	copy(mine, "AFTER!")
	got, err := b.Get(s.handle(0))
	is.NoErr(err)
	is.Equal(string(got.Data()), "before") // the caller's slice is the caller's
}

func (s blobSuite) gotSurvives(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	value, err := canon.Parse([]byte(`{"kept":true}`))
	is.NoErr(err)
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("kept"))))
	is.NoErr(b.Put(s.handle(1), run.JSON(value)))
	data, err := b.Get(s.handle(0))
	is.NoErr(err)
	kept, err := b.Get(s.handle(1))
	is.NoErr(err)
	is.NoErr(b.Delete(s.handle(0)))
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("lost"))))
	is.NoErr(b.Close())
	is.Equal(string(data.Data()), "kept")
	is.Equal(string(kept.Data()), `{"kept":true}`)
}

func (s blobSuite) zeroPayload(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	is.True(b.Put(s.handle(0), run.Payload{}) != nil) // refused
	_, err := b.Get(s.handle(0))
	is.True(errors.Is(err, fs.ErrNotExist)) // and not kept
}

func (s blobSuite) concurrent(t *testing.T, b ports.Blobs) {
	const workers, rounds = 8, 25
	is := is.New(t)
	shared := s.handle(workers)
	is.NoErr(b.Put(shared, run.Bytes([]byte("shared"))))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			h := s.handle(w)
			for round := range rounds {
				want := strconv.Itoa(w) + "/" + strconv.Itoa(round)
				if err := b.Put(h, run.Bytes([]byte(want))); err != nil {
					t.Errorf("put: %v", err)
				}
				if got, err := b.Get(h); err != nil || string(got.Data()) != want {
					t.Errorf("got %q and %v, put %q", got.Data(), err, want)
				}
				if got, err := b.Get(shared); err != nil || string(got.Data()) != "shared" {
					t.Errorf("the shared payload is %q and %v", got.Data(), err)
				}
				if err := b.Delete(h); err != nil {
					t.Errorf("delete: %v", err)
				}
				if _, err := b.Get(h); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("after delete: %v", err)
				}
			}
		})
	}
	all.Wait()
}

func (s blobSuite) closeTwice(t *testing.T, b ports.Blobs) {
	is := is.New(t)
	is.NoErr(b.Put(s.handle(0), run.Bytes([]byte("a"))))
	is.NoErr(b.Close())
	is.NoErr(b.Close())
}
