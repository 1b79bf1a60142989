package limit_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"

	"toolplane/domain/fault"
	"toolplane/domain/limit"
)

func TestFacadeDefaultsAreTheDocumentedOnesAndValid(t *testing.T) {
	is := is.New(t)
	f := limit.DefaultFacade()
	is.NoErr(f.Validate())
	is.Equal(f, limit.Facade{InlineValue: 32768, InlineOutput: 16384})
}

func TestFacadeNamesTheBoundThatCannotWork(t *testing.T) {
	for says, f := range map[string]limit.Facade{
		"values is 0 bytes":       {InlineOutput: 1},
		"output is -1 bytes":      {InlineValue: 1, InlineOutput: -1},
		"values is 1048577 bytes": {InlineValue: 1<<20 + 1, InlineOutput: 1},
		"output is 1048577 bytes": {InlineValue: 1 << 20, InlineOutput: 1<<20 + 1},
	} {
		t.Run(says, func(t *testing.T) {
			is := is.New(t)
			err := f.Validate()
			is.Equal(fault.CodeOf(err), fault.ArgsInvalid)
			is.True(strings.Contains(err.Error(), says))
		})
	}
}
