// Package system is what the operating system provides: the time, randomness
// and the place for caches.
//
// Each is a small type or function of its own, and none keeps state.
package system

import (
	"crypto/rand"
	"time"

	"toolplane/ports"
)

// Clock is the machine's clock, with its monotonic reading.
type Clock struct{}

// Entropy is the operating system's cryptographic randomness.
type Entropy struct{}

var (
	_ ports.Clock   = Clock{}
	_ ports.Entropy = Entropy{}
)

// Now returns the time.
func (Clock) Now() time.Time { return time.Now() }

// Fill sets every byte of p.
func (Entropy) Fill(p []byte) error {
	_, err := rand.Read(p)
	return err
}
