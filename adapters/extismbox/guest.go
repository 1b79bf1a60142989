package extismbox

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// PythonVersion is the version of the interpreter that snippets run in.
const PythonVersion = "3.13.5"

// guest is the interpreter: a module and the Python half that it is given when
// it starts.
type guest struct {
	hash    string                 // SHA-256 of the module, in hexadecimal
	module  func() ([]byte, error) // unpacks it
	prelude []byte
}

//go:embed guest/python.wasm.zst
var packedModule []byte

//go:embed guest/python.wasm.sha256
var moduleHash string

//go:embed prelude/*.py
var preludeFiles embed.FS

// maxModule bounds what the packed module may unpack to.
const maxModule = 64 << 20

// embeddedGuest returns the guest that is part of this program.
func embeddedGuest() guest {
	hash, _, _ := strings.Cut(strings.TrimSpace(moduleHash), " ")
	return guest{
		hash:    hash,
		module:  func() ([]byte, error) { return unpack(packedModule, hash) },
		prelude: embeddedPrelude(),
	}
}

// embeddedPrelude joins the prelude's files in the order of their names.
func embeddedPrelude() []byte {
	var all bytes.Buffer
	names, err := fs.Glob(preludeFiles, "prelude/*.py") // sorted, and cannot fail on a good pattern
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		text, err := preludeFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		all.Write(text)
		all.WriteByte('\n')
	}
	return all.Bytes()
}

// unpack returns the module with the given hash.
func unpack(packed []byte, hash string) ([]byte, error) {
	decoder, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxMemory(maxModule), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	var module bytes.Buffer
	module.Grow(16 << 20)
	if _, err := decoder.WriteTo(&module); err != nil {
		return nil, fmt.Errorf("the packed interpreter is damaged: %w", err)
	}
	if sum := sha256.Sum256(module.Bytes()); hex.EncodeToString(sum[:]) != hash {
		return nil, errors.New("the packed interpreter has not the hash that it was committed with")
	}
	return module.Bytes(), nil
}
