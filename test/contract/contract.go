// Package contract holds one suite of tests for each driven port: what the
// port's comment promises, as cases that every adapter and every fake passes.
//
// A suite is a function that takes the test and a maker of adapters, such as
// Blobs(t, maker). Each case has a name, a body, and the promise in one
// sentence, which is printed when the case fails; it gets an adapter of its
// own. The package knows ports and domain only, never an adapter.
package contract

import "testing"

// clause is one promise of a port whose adapters are of type T.
type clause[T any] struct {
	name    string // the test's name, in words joined by underscores
	promise string // what breaks when the case fails, as a full sentence
	body    func(t *testing.T, subject T)
}

// check runs every clause as a subtest, each on a subject of its own. The maker
// registers with t.Cleanup whatever must be undone.
func check[T any](t *testing.T, maker func(t *testing.T) T, clauses []clause[T]) {
	t.Helper()
	for _, c := range clauses {
		t.Run(c.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("broken promise: %s", c.promise)
				}
			})
			c.body(t, maker(t))
		})
	}
}
