package canon_test

import (
	"fmt"

	"toolplane/domain/canon"
	"toolplane/domain/fault"
)

func ExampleParse() {
	v, err := canon.Parse([]byte(`{ "name": "caf\u00e9", "price": 2.50, "id": 12345678901234567890 }`))
	fmt.Println(string(v.Bytes()), err)
	name, _ := v.Member("name")
	text, _ := name.Text()
	fmt.Println(text)

	// A Value that is printed shows nothing of what it holds.
	fmt.Println(v)

	_, err = canon.Parse([]byte(`{"rows": [{"name": "a"}, {"name": "b", "name": "c"}]}`))
	fmt.Println(fault.CodeOf(err), err)
	_, err = canon.Parse([]byte(`[1, 2, NaN]`))
	fmt.Println(fault.CodeOf(err), err)
	// Output:
	// {"name":"café","price":2.5,"id":12345678901234567890} <nil>
	// café
	// object of 54 bytes
	// json.duplicate $.rows[1].name: the key is named more than once; keep one
	// json.nonfinite $[2]: NaN has no JSON form; use null or a string
}

func ExampleParseWith() {
	v, notes, err := canon.ParseWith([]byte(`{"a": 1, "b": "\ud800", "a": 2}`), canon.Options{Lenient: true, MaxBytes: 1000})
	fmt.Println(string(v.Bytes()), err)
	for _, note := range notes {
		fmt.Println(note)
	}
	// Output:
	// {"a":2,"b":"�"} <nil>
	// $.b: text that is not valid Unicode; U+FFFD stands for what was replaced
	// $.a: the key is named more than once; its last value counts
}

func ExampleEncoder() {
	var e canon.Encoder
	_ = e.BeginObject()
	_ = e.Key("big")
	_ = e.Digits("123456789012345678901234567890")
	_ = e.Key("rest")
	_ = e.BeginArray()
	_ = e.Float(1)
	_ = e.Embed(canon.Bool(true))
	_ = e.EndArray()
	_ = e.EndObject()
	v, err := e.Value() // the first error of all of them
	fmt.Println(string(v.Bytes()), err)

	e.Reset()
	_ = e.BeginObject()
	_ = e.Text("a value where a key belongs")
	_, err = e.Value()
	fmt.Println(err)
	// Output:
	// {"big":123456789012345678901234567890,"rest":[1.0,true]} <nil>
	// $: canon: a member's value without a key
}
