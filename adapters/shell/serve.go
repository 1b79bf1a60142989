package shell

import (
	"fmt"

	"github.com/spf13/cobra"

	"toolplane/domain/limit"
)

const serveHelp = `Serve one client over standard input and output, as an MCP server.

An MCP client starts this command by itself. It gets the tool execute_code and
what it needs to find out what a snippet can call. What is in force is printed
to standard error. The server ends when the client closes standard input.`

func (c *call) serveCommand() *cobra.Command {
	var opts Options
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Serve clients of a protocol",
		RunE:  needsSubcommand,
	}
	mcp := &cobra.Command{
		Use:     "mcp",
		Short:   "Serve one MCP client over standard input and output",
		Long:    serveHelp,
		Example: "  toolplane serve mcp\n  toolplane serve mcp --config toolplane.toml",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opts.Progress = c.progress
			if err := c.shell.host.ServeMCP(cmd.Context(), opts, c.announce, c.stdin, c.out); err != nil {
				return c.trouble(cmd.Context(), err)
			}
			return nil
		},
	}
	configFlag(mcp, &opts.Config)
	serve.AddCommand(mcp)
	return serve
}

// announce prints what is in force, in aligned lines.
func (c *call) announce(lines []limit.Line) {
	width := 0
	for _, line := range lines {
		width = max(width, len(line.Name))
	}
	for _, line := range lines {
		c.err.line("", "toolplane: ", fmt.Sprintf("%-*s  %s", width, line.Name, line.Text))
	}
}

// noArguments refuses what follows a command that takes nothing.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, but %.60q is given", cmd.CommandPath(), args[0])
	}
	return nil
}

// needsSubcommand is the body of a command that only groups others.
func needsSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return fmt.Errorf("%s needs one of its commands; see %s --help", cmd.CommandPath(), cmd.CommandPath())
}
