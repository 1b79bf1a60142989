package discover

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// The usual constants of BM25: how fast repetition stops to count, and how much
// a long text counts against its words.
const (
	saturation = 1.2
	lengthBias = 0.5
)

// How much a term counts that is not the word itself.
const (
	asPrefix = 0.6 // of a longer word
	asTypo   = 0.4
)

const (
	maxQueryWords = 32
	exactName     = 1e6 // what a query that is a name scores for it
)

// Search returns the capabilities that match a query, best first. Any of the
// query's words finds a capability; one that has more of them, or rarer ones, or
// has them in its name, comes first. Without letters and digits ("", "*") all are
// listed, by id. Equal scores are ordered by id, so that a query has one answer.
// The query must be valid.
func (x *Index) Search(q Query) Page {
	found := x.rank(q.Text)
	if len(q.Tags) > 0 {
		found = slices.DeleteFunc(found, func(i int32) bool { return !x.documents[i].hasTags(q.Tags) })
	}
	page := Page{Total: len(found)}
	limit := q.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	for _, i := range found[:min(limit, len(found))] {
		page.Hits = append(page.Hits, x.describe(x.documents[i].Descriptor, q.Detail))
	}
	return page
}

func (d document) hasTags(tags []string) bool {
	for _, tag := range tags {
		if !slices.ContainsFunc(d.Tags, func(own string) bool { return strings.EqualFold(own, tag) }) {
			return false
		}
	}
	return true
}

// rank returns the numbers of the documents that match, best first.
func (x *Index) rank(text string) []int32 {
	if !strings.ContainsFunc(text, isWordRune) {
		all := make([]int32, len(x.documents))
		for i := range all {
			all[i] = int32(i)
		}
		return all
	}
	s := x.score(queryWords(text))
	if i, ok := x.named(strings.TrimSpace(text)); ok {
		s.total[i] += exactName
		s.add(int32(i))
	}
	slices.SortFunc(s.found, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.total[b], s.total[a]), cmp.Compare(a, b))
	})
	return s.found
}

// named returns the document whose id or friendly name a text is.
func (x *Index) named(text string) (int, bool) {
	if i, ok := x.byName[text]; ok {
		return i, true
	}
	return slices.BinarySearchFunc(x.documents, text, func(d document, id string) int { return strings.Compare(d.id, id) })
}

// queryWords returns the words of a query, each once.
func queryWords(text string) []string {
	var all, useful []string
	words(text, func(word string) {
		if len(all) == maxQueryWords || slices.Contains(all, word) {
			return
		}
		all = append(all, word)
		if !stopWords[word] {
			useful = append(useful, word)
		}
	})
	if len(useful) == 0 {
		return all
	}
	return useful
}

// scores are what the documents got.
type scores struct {
	total   []float64
	matched []int     // words of the query that the document has
	best    []float64 // of the word at hand
	found   []int32   // documents with a score
}

// add notes that a document is found.
func (s *scores) add(i int32) {
	if s.matched[i] == 0 {
		s.found = append(s.found, i)
	}
	s.matched[i]++
}

// score adds up what each word is worth to each document. A word that a document
// has in several forms counts by the best of them. The sum is then shared out by
// how many of the words a document has.
func (x *Index) score(query []string) *scores {
	n := len(x.documents)
	s := &scores{total: make([]float64, n), matched: make([]int, n), best: make([]float64, n)}
	var touched []int32
	for _, word := range query {
		for _, v := range x.variants(word) {
			t := x.terms[v.term]
			rarity := math.Log(1 + (float64(n-len(t.postings))+0.5)/(float64(len(t.postings))+0.5))
			for _, p := range t.postings {
				length := 1 - lengthBias + lengthBias*x.documents[p.document].length/x.average
				worth := v.weight * rarity * float64(p.weight) / (float64(p.weight) + saturation*length)
				if s.best[p.document] == 0 {
					touched = append(touched, p.document)
				}
				s.best[p.document] = max(s.best[p.document], worth)
			}
		}
		for _, i := range touched {
			s.total[i] += s.best[i]
			s.best[i] = 0
			s.add(i)
		}
		touched = touched[:0]
	}
	for _, i := range s.found {
		s.total[i] *= 0.5 + 0.5*float64(s.matched[i])/float64(len(query))
	}
	return s
}
