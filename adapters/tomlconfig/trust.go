package tomlconfig

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"toolplane/domain/fault"
)

// standing tells whether a file may be used.
type standing uint8

const (
	untrusted standing = iota
	changed            // trusted once, with another content
	trusted
)

// trustDir is the directory of the records of trust, below the user's own. There
// is one record for each file that was trusted: it is named by the hash of the
// file's path and holds the hash of the file's content, and the path for people.
const trustDir = "trusted"

// Trust records that the file at path may be used as it is now. It must be a
// configuration without faults. userDir is the user's directory for toolplane,
// "" means UserDir().
func Trust(userDir, path string) error {
	path, record, err := locate(userDir, path)
	if err != nil {
		return err
	}
	data, err := read(path, true)
	if err != nil {
		return unreadable(path, err)
	}
	if _, err := Parse(path, data); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(record), 0o700); err != nil {
		return err
	}
	return replace(record, []byte(hashOf(data)+" "+path+"\n"))
}

// standingOf tells whether a file with this content may be used. Who cannot be
// asked trusts nothing.
func standingOf(userDir, path string, data []byte) standing {
	_, record, err := locate(userDir, path)
	if err != nil {
		return untrusted
	}
	kept, err := read(record, true)
	if err != nil {
		return untrusted
	}
	if hash, _, _ := strings.Cut(string(kept), " "); hash != hashOf(data) {
		return changed
	}
	return trusted
}

// locate returns the real path of a file, free of symbolic links, and that of
// its record.
func locate(userDir, path string) (real, record string, err error) {
	if userDir == "" {
		if userDir, err = UserDir(); err != nil {
			return "", "", err
		}
	}
	if real, err = filepath.Abs(path); err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", "", fault.Wrap(err, fault.ArgsInvalid, "%s cannot be found: %s", path, reason(err))
	}
	return real, filepath.Join(userDir, trustDir, hashOf([]byte(real))), nil
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// replace puts a file in place whole.
func replace(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("trust cannot be recorded: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
