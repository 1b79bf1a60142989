package adversarial_test

import (
	"maps"
	"slices"
	"testing"
)

// TestNothingThatASnippetDoesHarmsTheNextRun makes every attempt of testdata.
func TestNothingThatASnippetDoesHarmsTheNextRun(t *testing.T) {
	w := newWorkspace(t)
	healthy(t, w)
	all := readSnippets(t)
	for _, kind := range slices.Sorted(maps.Keys(all)) {
		t.Run(kind, func(t *testing.T) {
			for _, s := range all[kind] {
				t.Run(s.name, func(t *testing.T) { s.attempt(t, w) })
			}
		})
	}
}
