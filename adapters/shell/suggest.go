package shell

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"toolplane/domain/spelling"
)

// flagError names the command or the flag that a wrong one may have meant: what
// follows an unknown command is not understood because of it.
func (c *call) flagError(cmd *cobra.Command, err error) error {
	if _, rest, findErr := cmd.Root().Find(c.args); findErr == nil && cmd.HasSubCommands() && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return unknownCommand(cmd, rest[0])
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if ok && unknown.GetSpecifiedShortnames() == "" {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spelling.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// unknownCommand says what may have been meant by a first argument that is no
// command.
func unknownCommand(root *cobra.Command, given string) error {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	switch near := spelling.Nearest(given, names); {
	case near != "":
		return fmt.Errorf("unknown command %.60q; did you mean %s?", given, near)
	case strings.HasSuffix(given, ".py"):
		return fmt.Errorf("unknown command %.60q; to run a file: toolplane run %s", given, given)
	default:
		return fmt.Errorf("unknown command %.60q; see toolplane --help", given)
	}
}
