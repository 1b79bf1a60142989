package ports

// Entropy gives random bytes that nobody can guess. Fill sets every byte of p
// or returns an error, and may be called concurrently.
type Entropy interface {
	Fill(p []byte) error
}
