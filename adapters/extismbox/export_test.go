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
