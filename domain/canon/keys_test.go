package canon_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

// object has a member for each key, whose value is the key's index.
func object(keys ...string) string {
	var text strings.Builder
	for i, key := range keys {
		fmt.Fprintf(&text, ",%q:%d", key, i)
	}
	return "{" + text.String()[1:] + "}"
}

func keys(n int, format string) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf(format, i)
	}
	return keys
}

// collide are keys that differ only where a hash of a few bytes does not look.
const collide = "aaaaaaaaa%06dbbbbbbbbbbbbbbbbbbbbbbbbb"

func TestDuplicatesAreFoundInObjectsOfAnySize(t *testing.T) {
	for _, n := range []int{2, 15, 16, 17, 18, 100, 5000} {
		for _, format := range []string{"%d", "key%08d", "%06d a key of some length", collide} {
			distinct := keys(n, format)
			for _, again := range []int{0, n / 2, n - 1} {
				t.Run(fmt.Sprintf("%d of %s, %d again", n, format, again), func(t *testing.T) {
					is := is.New(t)
					_, err := canon.Parse([]byte(object(distinct...)))
					is.NoErr(err) // all differ
					repeated := append(append([]string{}, distinct...), distinct[again])
					doc := `[{"x":{}},{"o":` + object(repeated...) + "}]"
					_, err = canon.Parse([]byte(doc))
					var f *fault.Fault
					is.True(errors.As(err, &f))             // one does not
					is.Equal(f.Code(), fault.JSONDuplicate) //
					_, pathErr := canon.Parse([]byte(`[0,{"o":` + object(distinct[again])[:len(object(distinct[again]))-2] + "x}}]"))
					var at *fault.Fault
					is.True(errors.As(pathErr, &at)) //
					is.Equal(f.Path(), at.Path())    // the path of that key
				})
			}
		}
	}
}

func TestTheFirstRepeatedKeyIsTold(t *testing.T) {
	for _, format := range []string{"%d", collide} {
		is := is.New(t)
		distinct := keys(300, format)
		_, err := canon.Parse([]byte(object(append(distinct, distinct[200], distinct[100])...)))
		is.True(strings.Contains(err.Error(), distinct[200])) // the one that the text repeats first
	}
}

func TestEqualKeysInDifferentObjectsAreNoDuplicates(t *testing.T) {
	is := is.New(t)
	for _, in := range []string{
		`{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}`,
		`[` + object(keys(20, "k%d")...) + `,` + object(keys(20, "k%d")...) + `]`,
		`{"a":1,"A":2,"aa":3,"":4}`,
		"{\"\u00e9\":1,\"e\u0301\":2}", // one is composed, the other is not
	} {
		_, err := canon.Parse([]byte(in))
		is.NoErr(err) // not the same object, or not the same key
	}
}

// Keys that collide must not take quadratic time: twenty billion comparisons
// would keep this test for minutes.
func TestHostileKeysAreCheckedInTime(t *testing.T) {
	is := is.New(t)
	doc := []byte(object(keys(200_000, collide)...))
	_, err := canon.Parse(doc)
	is.NoErr(err) // all differ
}

func TestLenientParseLetsTheLastValueCount(t *testing.T) {
	for _, c := range []struct {
		in, want string
		paths    []string
	}{
		{`{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`, []string{"$.a"}},
		{`{"a":1,"a":2,"a":3}`, `{"a":3}`, []string{"$.a", "$.a"}},
		{`{ "a" : [1, 2] , "\u0061" : { } , "c":null }`, `{"a":{},"c":null}`, []string{"$.a"}},
		{`[{"k":1},{"k":1,"k":[]}]`, `[{"k":1},{"k":[]}]`, []string{"$[1].k"}},
		{`{"a":{"x":1,"x":2},"b":{"y":0},"a":{"z":1,"z":2}}`, `{"a":{"z":2},"b":{"y":0}}`, []string{"$.a.x", "$.a.z", "$.a"}},
		{
			`{"a":1,"b":{"c":1,"c":{"d":1,"d":2}},"a":{"e":[{"f":1,"f":2},3]}}`,
			`{"a":{"e":[{"f":2},3]},"b":{"c":{"d":2}}}`,
			[]string{"$.b.c.d", "$.b.c", "$.a.e[0].f", "$.a"},
		},
		{`{"\ud800":1,"\udfff":2}`, `{"` + "\ufffd" + `":2}`, []string{`$["` + "\ufffd" + `"]`, `$["` + "\ufffd" + `"]`, `$["` + "\ufffd" + `"]`}},
	} {
		t.Run(c.in, func(t *testing.T) {
			is := is.New(t)
			v, notes, err := canon.ParseWith([]byte(c.in), canon.Options{Lenient: true})
			is.NoErr(err)                       // repaired
			is.Equal(string(v.Bytes()), c.want) // the first place, the last value
			var paths []string
			for _, note := range notes {
				paths = append(paths, note.Path)
			}
			is.Equal(paths, c.paths) // each is told
			again, err := canon.Parse(v.Bytes())
			is.NoErr(err) // and is canonical now
			is.True(again.Equal(v))
			is.Equal(again.ASCII(), v.ASCII()) // as far as this goes too
		})
	}
}

func TestLenientParseMergesLargeObjects(t *testing.T) {
	for _, format := range []string{"%d", collide} {
		is := is.New(t)
		distinct := keys(500, format)
		doc := object(slices.Concat(distinct, distinct, distinct)...)
		v, notes, err := canon.ParseWith([]byte(doc), canon.Options{Lenient: true})
		is.NoErr(err)
		is.Equal(len(notes), 100)     // not all are listed
		is.Equal(notes[99].More, 900) // but counted
		is.True(strings.Contains(notes[99].String(), "900 more repairs"))
		n := 0
		for key, value := range v.Members() {
			is.Equal(key, distinct[n]) // at its first place
			got, _ := value.Int64()
			is.Equal(got, int64(1000+n)) // with its last value
			n++
		}
		is.Equal(n, 500)
	}
}

func TestMergingNestedRepeatsCopiesEachByteOnce(t *testing.T) {
	is := is.New(t)
	const deep = canon.MaxDepth - 1
	payload := `"` + strings.Repeat("x", 1<<20) + `"`
	doc := strings.Repeat(`{"a":0,"a":`, deep) + payload + strings.Repeat("}", deep)
	v, _, err := canon.ParseWith([]byte(doc), canon.Options{Lenient: true})
	is.NoErr(err)
	is.Equal(v.Len(), len(payload)+deep*len(`{"a":}`)) // all are merged
}
