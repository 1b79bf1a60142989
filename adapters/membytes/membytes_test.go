package membytes_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/membytes"
	"toolplane/domain/canon"
	"toolplane/domain/handle"
	"toolplane/domain/run"
	"toolplane/ports"
	"toolplane/test/contract"
)

func TestBlobsContract(t *testing.T) {
	for _, kind := range []handle.Kind{handle.Result, handle.Artifact} {
		t.Run(kind.String(), func(t *testing.T) {
			contract.Blobs(t, kind, func(*testing.T) ports.Blobs { return membytes.New() })
		})
	}
}

func TestHandleInUseIsNotOverwritten(t *testing.T) {
	is := is.New(t)
	s := membytes.New()
	h := handle.Mint(handle.Result, [handle.Size]byte{1})
	is.NoErr(s.Put(h, run.Bytes([]byte("first"))))
	err := s.Put(h, run.Bytes([]byte("second")))
	is.True(errors.Is(err, fs.ErrExist))                                            // refused
	is.True(!strings.Contains(err.Error(), strings.TrimPrefix(h.Reveal(), "res_"))) // without showing the handle
	got, err := s.Get(h)
	is.NoErr(err)
	is.Equal(string(got.Data()), "first")
}

func TestClosedStoreKeepsNothing(t *testing.T) {
	is := is.New(t)
	s := membytes.New()
	h := handle.Mint(handle.Result, [handle.Size]byte{1})
	is.NoErr(s.Put(h, run.Bytes([]byte("x"))))
	is.NoErr(s.Close())
	_, err := s.Get(h)
	is.True(errors.Is(err, fs.ErrNotExist))
	is.True(errors.Is(s.Put(h, run.Bytes([]byte("x"))), fs.ErrClosed))
	is.NoErr(s.Delete(h))
}

func TestValueIsKeptWithoutACopy(t *testing.T) {
	is := is.New(t)
	value, err := canon.Parse([]byte(`"` + strings.Repeat("x", 8<<20) + `"`))
	is.NoErr(err)
	s := membytes.New()
	h := handle.Mint(handle.Result, [handle.Size]byte{1})
	is.NoErr(s.Put(h, run.JSON(value)))
	got, err := s.Get(h)
	is.NoErr(err)
	is.True(&got.Data()[0] == &value.Bytes()[0]) // the same memory
}

func BenchmarkSaveAndLoad8MiB(b *testing.B) {
	value, err := canon.Parse([]byte(`"` + strings.Repeat("x", 8<<20-2) + `"`))
	if err != nil {
		b.Fatal(err)
	}
	for name, payload := range map[string]run.Payload{"value": run.JSON(value), "bytes": run.Bytes(value.Bytes())} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(payload.Len())
			b.ReportAllocs()
			s := membytes.New()
			h := handle.Mint(handle.Result, [handle.Size]byte{1})
			for b.Loop() {
				if err := s.Put(h, payload); err != nil {
					b.Fatal(err)
				}
				if _, err := s.Get(h); err != nil {
					b.Fatal(err)
				}
				if err := s.Delete(h); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleStore() {
	s := membytes.New()
	defer s.Close()
	h := handle.Mint(handle.Artifact, [handle.Size]byte{1}) // from a cryptographic source in earnest
	if err := s.Put(h, run.Bytes([]byte("a,b\n1,2\n"))); err != nil {
		fmt.Println(err)
	}
	payload, err := s.Get(h)
	fmt.Println(payload.Len(), err)
	_, err = s.Get(handle.Mint(handle.Artifact, [handle.Size]byte{2}))
	fmt.Println(err)
	// Output:
	// 8 <nil>
	// art_…: file does not exist
}
