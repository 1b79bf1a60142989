package test

import (
	"testing"

	"github.com/matryer/is"

	"toolplane/adapters/extismbox"
)

func TestVersionIsTheGuestsOwn(t *testing.T) {
	is := is.New(t)
	is.Equal(text(t, succeed(t, newWorkspace(t), "import platform\nplatform.python_version()")), extismbox.PythonVersion)
}
