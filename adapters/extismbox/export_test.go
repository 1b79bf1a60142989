package extismbox

import "testing"

// Rest does what the sandbox does after a while without runs.
func (s *Sandbox) Rest(t *testing.T) {
	e, err := s.engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e.pool.shrink()
}

// Codes returns the number of snippets whose code is kept.
func (s *Sandbox) Codes(t *testing.T) (n int) {
	e, err := s.engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e.codes.mu.Lock()
	defer e.codes.mu.Unlock()
	for _, k := range e.codes.known {
		if k.code != nil {
			n++
		}
	}
	return n
}
