package run_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
	"toolplane/domain/handle"
	"toolplane/domain/run"
)

func TestStoppedIsAboutWhatCameFromOutside(t *testing.T) {
	for _, c := range []struct {
		name string
		code fault.Code
		want bool
	}{
		{"the snippet's own exception", "", false},
		{"a store error it did not catch", fault.ResultFull, false},
		{"one call's time", fault.CallTimeout, false},
		{"the run's time", fault.RunTimeout, true},
		{"its client", fault.RunCancelled, true},
		{"a trap", fault.RunCrashed, true},
		{"too much output", fault.OutputTooLarge, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			is := is.New(t)
			is.Equal((&run.Failure{Code: c.code}).Stopped(), c.want) // stopped from outside
		})
	}
	is := is.New(t)
	is.True(!(*run.Failure)(nil).Stopped()) // a run that ended well was not stopped
}

func TestStopCarriesTheFault(t *testing.T) {
	is := is.New(t)
	f := run.Stop(fault.New(fault.RunTimeout, "too slow"))
	is.Equal(*f, run.Failure{Type: "TimeoutError", Message: "too slow", Code: fault.RunTimeout})
}

func TestPayloadHoldsOneThing(t *testing.T) {
	is := is.New(t)
	value, err := canon.Parse([]byte(`{"a": 1}`))
	is.NoErr(err)

	is.True(run.Payload{}.IsZero())              // the zero payload holds nothing
	is.Equal(run.Payload{}.Len(), int64(0))      // and has no size
	is.True(!run.Bytes(nil).IsZero())            // no bytes are still bytes
	_, isValue := run.Bytes([]byte("x")).Value() //
	is.True(!isValue)                            // bytes are no value

	p := run.JSON(value)
	got, isValue := p.Value()
	is.True(isValue && got.Equal(value))  // the value comes back
	is.Equal(string(p.Data()), `{"a":1}`) // as canonical bytes too
	is.Equal(p.Len(), int64(7))           // whose number is the size
}

func TestAnswerCountsItsBlobs(t *testing.T) {
	is := is.New(t)
	path := []run.Step{{Key: "data"}}
	a := run.Answer{Blobs: []run.Blob{{Path: path, Data: make([]byte, 10)}, {Path: path, Data: make([]byte, 5)}}}
	is.Equal(a.Size(), int64(len("null")+15)) // its value too
	a = run.Answer{Blobs: []run.Blob{{Data: make([]byte, 10)}}}
	is.Equal(a.Size(), int64(10)) // a blob that is all of the answer
}

func TestPointerURI(t *testing.T) {
	is := is.New(t)
	result := handle.Mint(handle.Result, [handle.Size]byte{})
	artifact := handle.Mint(handle.Artifact, [handle.Size]byte{})
	is.Equal(run.Pointer{Handle: result}.URI(), "toolplane://results/res_"+strings.Repeat("A", 24))
	is.Equal(run.Pointer{Handle: artifact}.URI(), "toolplane://artifacts/art_"+strings.Repeat("A", 24))
}

func TestNoteNamesItsPath(t *testing.T) {
	is := is.New(t)
	is.Equal(run.Note{Path: "$.a", Text: "was cut"}.String(), "$.a: was cut")
	is.Equal(run.Note{Text: "was cut"}.String(), "was cut")
}
