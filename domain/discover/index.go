package discover

import (
	"slices"
	"strings"

	"toolplane/domain/canon"
	"toolplane/domain/capability"
)

// How much a word counts by where it stands, and how much of a text is read.
const (
	inName      = 4.0
	inTitle     = 2.0
	inTags      = 2.0
	inNamespace = 1.5
	inWhole     = 1.0 // the name written as one word
	inArguments = 1.0
	inProse     = 1.0
	inKind      = 0.5

	maxRead      = 4096    // bytes of a description
	maxArguments = 64      // names of arguments
	maxSchema    = 1 << 18 // bytes of a schema that is looked into
)

// Index finds and describes the capabilities of one capability.Index. Make it
// with NewIndex; it does not change and may be used concurrently.
type Index struct {
	capabilities *capability.Index
	documents    []document // the visible capabilities, sorted by id
	byName       map[string]int
	terms        []term // sorted by stem
	average      float64
}

// document is one capability to be found.
type document struct {
	capability.Descriptor
	id     string
	length float64 // weighted number of words
}

// term is one stem with the documents that have it.
type term struct {
	stem     string
	letters  uint32 // which letters it has, for comparing fast
	postings []posting
}

type posting struct {
	document int32
	weight   float32 // weighted number of occurrences
}

// NewIndex makes an index of the visible capabilities; hidden ones are described
// by id only.
func NewIndex(capabilities *capability.Index) *Index {
	visible := slices.Collect(capabilities.Visible())
	x := &Index{
		capabilities: capabilities,
		documents:    make([]document, len(visible)),
		byName:       make(map[string]int, 2*len(visible)),
	}
	b := builder{stems: make(map[string]int32, 1024), words: make(map[string]int32, 1024)}
	total := 0.0
	for i, d := range visible {
		for _, name := range capabilities.Names(d.ID) {
			x.byName[name] = i
		}
		x.documents[i] = document{Descriptor: d, id: d.ID.String(), length: b.add(d, int32(i))}
		total += x.documents[i].length
	}
	x.average = total / float64(max(len(visible), 1))
	x.terms = b.terms
	slices.SortFunc(x.terms, func(a, b term) int { return strings.Compare(a.stem, b.stem) })
	return x
}

// builder collects terms and counts the words of one document at a time.
type builder struct {
	terms   []term
	stems   map[string]int32 // to terms
	words   map[string]int32 // to terms: a word is stemmed once
	weights []float32        // by term, of the document at hand
	touched []int32          // the terms with a weight
	length  float64
}

// joiner writes a name as one word.
var joiner = strings.NewReplacer("_", "", "-", "", ".", "", "/", "", " ", "")

// add counts the words of a document and returns its length.
func (b *builder) add(d capability.Descriptor, number int32) float64 {
	b.length = 0
	b.text(d.ID.Kind().String(), inKind)
	b.text(d.ID.Namespace(), inNamespace)
	name := d.ID.Name()
	b.text(name, inName)
	if strings.ContainsAny(name, "_-./ ") {
		b.text(joiner.Replace(strings.ToLower(name)), inWhole)
	}
	b.text(d.Title[:min(len(d.Title), maxRead)], inTitle)
	b.text(d.Description[:min(len(d.Description), maxRead)], inProse)
	for _, tag := range d.Tags[:min(len(d.Tags), maxArguments)] {
		b.text(tag, inTags)
	}
	for _, argument := range argumentNames(d.Input) {
		b.text(argument, inArguments)
	}
	for _, t := range b.touched {
		b.terms[t].postings = append(b.terms[t].postings, posting{number, b.weights[t]})
		b.weights[t] = 0
	}
	b.touched = b.touched[:0]
	return b.length
}

func (b *builder) text(text string, weight float32) {
	words(text, func(word string) {
		t, known := b.words[word]
		if !known {
			t = b.term(stem(word))
			b.words[word] = t
		}
		if b.weights[t] == 0 {
			b.touched = append(b.touched, t)
		}
		b.weights[t] += weight
		b.length += float64(weight)
	})
}

func (b *builder) term(stem string) int32 {
	t, known := b.stems[stem]
	if !known {
		t = int32(len(b.terms))
		b.stems[stem] = t
		b.terms = append(b.terms, term{stem: stem, letters: letters(stem)})
		b.weights = append(b.weights, 0)
	}
	return t
}

// argumentNames returns the names that a schema gives to arguments.
func argumentNames(schema canon.Value) []string {
	if schema.Len() > maxSchema {
		return nil
	}
	properties, _ := schema.Member("properties")
	var names []string
	for name := range properties.Members() {
		if len(names) == maxArguments {
			break
		}
		names = append(names, name)
	}
	return names
}
