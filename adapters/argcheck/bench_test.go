package argcheck_test

import (
	"strings"
	"testing"

	"toolplane/adapters/argcheck"
)

const benchSchema = `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer","minimum":1},"team":{"type":["string","null"]},"state":{"enum":["open","closed"]}},"required":["query"],"additionalProperties":false}`

func BenchmarkCheckSmall(b *testing.B) {
	check, err := argcheck.Checker{}.Compile(value(b, benchSchema))
	if err != nil {
		b.Fatal(err)
	}
	args := value(b, `{"query":"label:bug","limit":20,"state":"open"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := check(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckSmallByTheLibrary(b *testing.B) {
	check, err := argcheck.Checker{}.Compile(value(b, strings.Replace(benchSchema, `"type":"object"`, `"type":"object","not":false`, 1)))
	if err != nil {
		b.Fatal(err)
	}
	args := value(b, `{"query":"label:bug","limit":20,"state":"open"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := check(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck1MiBOfRows(b *testing.B) {
	check, err := argcheck.Checker{}.Compile(value(b, `{"properties":{"rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}},"required":["id"]}}}}`))
	if err != nil {
		b.Fatal(err)
	}
	args := value(b, `{"rows":[`+strings.TrimSuffix(strings.Repeat(`{"id":12345,"name":"some name or other","note":"x"},`, 20_000), ",")+`]}`)
	b.SetBytes(int64(args.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if err := check(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	schema := value(b, benchSchema)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (argcheck.Checker{}).Compile(schema); err != nil {
			b.Fatal(err)
		}
	}
}
