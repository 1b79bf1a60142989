package shell

import "github.com/spf13/cobra"

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
		Args:    cobra.MaximumNArgs(1),
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

// configFlag adds --config to a command.
func configFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "config", "", "read the configuration from this `FILE`")
}
