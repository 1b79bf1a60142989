package discover_test

import (
	"fmt"
	"strings"
	"testing"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
	"toolplane/domain/discover"
)

// many returns 5,000 capabilities of 50 servers, each with a description of some
// 200 bytes and four arguments.
func many(b *testing.B) []capability.Descriptor {
	b.Helper()
	verbs := strings.Fields("list get create update delete search send archive assign close export import merge move open publish rename restore share sync")
	nouns := strings.Fields("issue comment project label user team file folder message channel thread event invoice customer order product payment report dashboard alert metric deployment release branch commit")
	var list []capability.Descriptor
	for i := range 5000 {
		verb, noun := verbs[i%len(verbs)], nouns[i/len(verbs)%len(nouns)]
		id, err := capability.NewID(capability.MCP, fmt.Sprintf("server%02d", i/100), fmt.Sprintf("%s_%s_%d", verb, noun, i))
		if err != nil {
			b.Fatal(err)
		}
		schema, err := canon.Parse(fmt.Appendf(nil, `{"type":"object","properties":{"%s_id":{"type":"string","description":"The id of the %[1]s."},"limit":{"type":"integer","default":20},"cursor":{"type":["string","null"]},"filter":{"$ref":"#/$defs/Filter"}},"required":["%[1]s_id"],"$defs":{"Filter":{"type":"object","properties":{"all":{"type":"array","items":{"$ref":"#/$defs/Filter"}},"field":{"enum":["name","state"]}}}}}`, noun))
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, capability.Descriptor{ID: id, Input: schema, Tags: []string{verb}, Description: fmt.Sprintf(
			"Lets you %s a %s in workspace number %d. The caller needs permission on the %s; the answer holds its identifier, who made it and when, and a cursor for the next page where there are more than the limit allows.", verb, noun, i, noun)})
	}
	return list
}

// BenchmarkReady is the way from descriptors to an index that answers.
func BenchmarkReady(b *testing.B) {
	list := many(b)
	for b.Loop() {
		discover.NewIndex(capability.NewIndex(list))
	}
}

func BenchmarkSearch(b *testing.B) {
	x := discover.NewIndex(capability.NewIndex(many(b)))
	for _, c := range []struct{ name, query string }{
		{"words", "list the issues of a project"},
		{"common", "workspace caller permission answer identifier cursor page limit"},
		{"typos", "serach isssue prooject deploiment"},
		{"prefixes", "pro rel mes cus"},
		{"all", ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if x.Search(discover.Query{Text: c.query}).Total == 0 {
					b.Fatal("nothing found")
				}
			}
		})
	}
}

func BenchmarkManifest(b *testing.B) {
	x := discover.NewIndex(capability.NewIndex(many(b)))
	for b.Loop() {
		x.Manifest(discover.Mode{})
	}
}
