//go:build unix && !linux

package memory

import (
	"errors"
	"os"
)

var systemStrategies = []string{Remap}

func openSystemStrategy(string) (Strategy, error) { return remapping{}, nil }

func preferLargePages([]byte) {}

// anonymousFile returns a temporary file whose name is removed already.
func anonymousFile() (*os.File, error) {
	f, err := os.CreateTemp("", "image-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
