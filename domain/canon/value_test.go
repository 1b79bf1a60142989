package canon_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

var (
	_ json.Marshaler   = canon.Value{}
	_ json.Unmarshaler = (*canon.Value)(nil)
)

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTheZeroValueIsNull(t *testing.T) {
	is := is.New(t)
	var zero canon.Value
	for _, v := range []canon.Value{zero, canon.Null(), parse(t, "null")} {
		is.Equal(string(v.Bytes()), "null")
		is.Equal(v.Len(), 4)
		is.Equal(v.Kind(), canon.KindNull)
		is.True(v.IsNull())
		is.True(v.ASCII())
		is.True(v.Equal(zero))
		is.True(zero.Equal(v))
		_, ok := v.Member("a")
		is.True(!ok)
	}
	is.True(!canon.Bool(false).IsNull())
	is.True(!canon.Bool(false).Equal(zero))
}

func TestConstructors(t *testing.T) {
	is := is.New(t)
	is.Equal(string(canon.Bool(true).Bytes()), "true")
	is.Equal(string(canon.Int(-5).Bytes()), "-5")
	b, ok := canon.Bool(true).Bool()
	is.True(b && ok)
	b, ok = canon.Bool(false).Bool()
	is.True(!b && ok)
	_, ok = canon.Int(1).Bool()
	is.True(!ok)
	n, ok := canon.Int(-5).Int64()
	is.True(ok)
	is.Equal(n, int64(-5))
}

func TestKinds(t *testing.T) {
	is := is.New(t)
	for text, kind := range map[string]canon.Kind{
		"null": canon.KindNull, "true": canon.KindBool, "false": canon.KindBool, "-1": canon.KindInteger, "0": canon.KindInteger,
		"0.5": canon.KindFloat, "1e300": canon.KindFloat, `"a.e"`: canon.KindString, "[]": canon.KindArray, "{}": canon.KindObject,
	} {
		is.Equal(parse(t, text).Kind(), kind)
	}
	is.Equal(canon.KindNull.String()+" "+canon.KindBool.String()+" "+canon.KindInteger.String()+" "+canon.KindFloat.String()+
		" "+canon.KindString.String()+" "+canon.KindArray.String()+" "+canon.KindObject.String(),
		"null boolean integer float string array object")
}

func TestMembersAndElements(t *testing.T) {
	is := is.New(t)
	v := parse(t, `{"b":[1,{"x":"]}"},[]],"a\n":"q\"\\","é":{"b":null},"n":-1.5e300,"":true}`)
	var members, elements []string
	for key, value := range v.Members() {
		members = append(members, key+"="+string(value.Bytes()))
	}
	is.Equal(members, []string{`b=[1,{"x":"]}"},[]]`, "a\n=" + `"q\"\\"`, `é={"b":null}`, "n=-1.5e+300", "=true"})
	list, ok := v.Member("b")
	is.True(ok)
	for element := range list.Elements() {
		elements = append(elements, string(element.Bytes()))
	}
	is.Equal(elements, []string{"1", `{"x":"]}"}`, "[]"})

	for _, name := range []string{"b", "a\n", "é", "n", ""} {
		_, ok := v.Member(name)
		is.True(ok) // it is there
	}
	for _, name := range []string{"x", "a\\n", "B", "bb", "\xff", `b"`} {
		_, ok := v.Member(name)
		is.True(!ok) // it is not, or not there
	}

	for range v.Members() {
		break // leaving early is fine
	}
	for range list.Elements() {
		break
	}
	for _, empty := range []canon.Value{{}, parse(t, "[]"), parse(t, "{}"), parse(t, `"[1]"`), canon.Int(1)} {
		for range empty.Members() {
			t.Error("no object, no members")
		}
		for range empty.Elements() {
			t.Error("no array, no elements")
		}
	}
}

func TestEqualComparesTheCanonicalForm(t *testing.T) {
	is := is.New(t)
	is.True(parse(t, `{ "a": 1.50, "b": "\u0041" }`).Equal(parse(t, `{"a":1.5,"b":"A"}`)))
	is.True(!parse(t, `{"a":1,"b":2}`).Equal(parse(t, `{"b":2,"a":1}`)))
	is.True(!parse(t, "1").Equal(parse(t, "1.0")))
}

func TestBytesCannotGrowInPlace(t *testing.T) {
	is := is.New(t)
	v := parse(t, `[[1],2]`)
	for part := range v.Elements() {
		_ = append(part.Bytes(), 'x')
	}
	is.Equal(string(v.Bytes()), `[[1],2]`)
}

func TestValuesTravelThroughEncodingJSON(t *testing.T) {
	is := is.New(t)
	var box struct{ V, Missing canon.Value }
	is.NoErr(json.Unmarshal([]byte(`{"V": {"b": 1.0, "a": [ 123456789012345678901234567890 ]}}`), &box))
	is.Equal(string(box.V.Bytes()), `{"b":1.0,"a":[123456789012345678901234567890]}`)
	out, err := json.Marshal(box)
	is.NoErr(err)
	is.Equal(string(out), `{"V":{"b":1.0,"a":[123456789012345678901234567890]},"Missing":null}`)
	before := box.V
	err = json.Unmarshal([]byte(`{"V":{"a":1,"a":2}}`), &box)
	is.Equal(fault.CodeOf(err), fault.JSONDuplicate) // as strict as Parse
	is.True(box.V.Equal(before))                     // and nothing is lost

	copied, err := box.V.MarshalJSON()
	is.NoErr(err)
	clear(copied)
	is.Equal(string(before.Bytes()), `{"b":1.0,"a":[123456789012345678901234567890]}`) // a copy was given out
}

func TestValuesShowNothingOfTheirContent(t *testing.T) {
	const secret = "s3cr3t"
	v := parse(t, `{"`+secret+`":"`+secret+`"}`)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%08b", "%T %[1]v"} {
		for _, shown := range []any{v, &v, struct{ V canon.Value }{v}, []canon.Value{v}} {
			is := is.New(t)
			text := fmt.Sprintf(verb, shown)
			is.True(!strings.Contains(text, secret))                        // not as text
			is.True(!strings.Contains(text, fmt.Sprintf("%x", secret)))     // nor as hex
			is.True(!strings.Contains(text, "115 51 99"))                   // nor as numbers
			is.True(!strings.Contains(strings.ToLower(text), "0x73, 0x33")) // nor in Go's syntax
		}
	}
	is := is.New(t)
	is.Equal(v.String(), "object of 19 bytes")
	is.Equal(fmt.Sprintf("%v", canon.Value{}), "null of 4 bytes")
	for _, handler := range []func(*bytes.Buffer) slog.Handler{
		func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var log bytes.Buffer
		slog.New(handler(&log)).Info("called", "args", v)
		is.True(!strings.Contains(log.String(), secret)) // not in the log either
		is.True(strings.Contains(log.String(), "object"))
	}
}
