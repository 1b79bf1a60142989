package test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
)

func TestVersionIsTheGuestsOwn(t *testing.T) {
	is := is.New(t)
	is.Equal(text(t, succeed(t, newWorkspace(t), "import platform\nplatform.python_version()")), extismbox.PythonVersion)
}

func TestGuestsRecordIsOfTheCommittedModule(t *testing.T) {
	is := is.New(t)
	const guest = "adapters/extismbox/guest/"
	record, err := fs.ReadFile(root, guest+"inputs.sha256")
	is.NoErr(err)
	module, err := fs.ReadFile(root, guest+"python.wasm.sha256")
	is.NoErr(err)
	is.True(strings.HasSuffix(string(record), string(module))) // it was built from what the record names
}
