package shell

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

const trustHelp = `Allow a configuration to be used where it lies.

A configuration starts programs and spends secrets, so toolplane.toml in the
working directory counts only after it was trusted, and only as long as its
content stays the same. Read it first. Files named by --config or by
TOOLPLANE_CONFIG, and your own in the user's configuration directory, need no
trust.`

// defaultConfig is the file that is looked for in the working directory.
const defaultConfig = "toolplane.toml"

func (c *call) configCommand() *cobra.Command {
	config := &cobra.Command{
		Use:   "config",
		Short: "Manage configurations",
		RunE:  needsSubcommand,
	}
	config.AddCommand(&cobra.Command{
		Use:     "trust [FILE]",
		Short:   "Allow toolplane.toml of a directory to be used",
		Long:    trustHelp,
		Example: "  toolplane config trust",
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			path := defaultConfig
			if len(args) == 1 {
				path = args[0]
			}
			if err := c.shell.host.Trust(path); err != nil {
				return c.trouble(cmd.Context(), err)
			}
			c.err.line("", "toolplane: ", path+" is trusted until it changes")
			return nil
		},
	})
	return config
}

// oneFile refuses a second argument.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%s takes one FILE, but %.60q is given too; trust one after the other", cmd.CommandPath(), args[1])
	}
	return nil
}

// configFlag adds --config to a command.
func configFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().Var((*fileFlag)(path), "config", "read the configuration from this `FILE`")
}

// fileFlag is a flag that names a file. An empty name is most likely a variable
// that was not set, and must not pass for no flag at all.
type fileFlag string

func (f *fileFlag) String() string { return string(*f) }
func (f *fileFlag) Type() string   { return "string" }

func (f *fileFlag) Set(name string) error {
	if name == "" {
		return errors.New("the name is empty: name a file, or leave the flag out")
	}
	*f = fileFlag(name)
	return nil
}
