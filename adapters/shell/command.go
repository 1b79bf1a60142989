package shell

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolplane/domain/limit"
)

const rootHelp = `toolplane runs Python snippets in a sandbox: real CPython inside WebAssembly,
fresh for every run, without files, network or environment. A snippet reaches
the outside only through the tools it is given, and keeps large values on the
host behind handles.`

const runHelp = `Run snippets in a fresh sandbox each.

A snippet is Python with await and return at the top level. Its value is what it
returns, or the value of its last expression; it is printed as indented JSON,
and nothing is printed for None. What the snippet prints comes through while it
runs.

Several files run one after another. What one returned is the variable
"previous" in the next, and a handle that one saved can be loaded by the next:
save_result, load_result, save_artifact and load_artifact share one store, which
ends with this command. The first file that does not end well is the last to run.

An input is a variable in every snippet. Its text is JSON where it parses as
JSON, and a string otherwise; to pass a text that looks like JSON, or starts
with @, write it as a JSON string: --input 'tag="@home"'.

With --json nothing is printed but one object for each run, on a line of its
own: file, ok, value, stdout, stdout_bytes, stderr, stderr_bytes, error,
duration_ms, backend, results, artifacts, calls, notes, work.

Exit status:
  0    every snippet ended well
  1    a snippet failed, or toolplane could not do its work
  2    the command line, a file or an input is wrong; nothing ran, or the next
       snippet did not
  3    a limit stopped the snippet
  130  Ctrl-C ended it (143: SIGTERM; 141: nobody reads the output)`

const runExamples = `  toolplane run -c '1 + 1'
  toolplane run report.py --input rows=@rows.json --timeout 5s
  toolplane run collect.py summarize.py
  curl -s https://example.com/rows.json | toolplane run report.py --input rows=-
  echo 'return sorted([3, 1, 2])' | toolplane run -
  toolplane run report.py --json | jq .value`

// root builds the tree of commands for one call.
func (c *call) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "toolplane COMMAND",
		Short:         "Run Python snippets in a sandbox",
		Long:          rootHelp,
		Version:       c.shell.build.Complete().Program,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.Args = cobra.ArbitraryArgs // so that an unknown command comes to RunE
	root.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(root, args[0])
		}
		return root.Help()
	}
	root.DisableFlagsInUseLine = true
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), // one usage line for root, not two
		"{{if .HasAvailableSubCommands}}\n  {{.CommandPath}} [command]{{end}}", "", 1))
	root.SetVersionTemplate("toolplane {{.Version}}\n")
	root.SetFlagErrorFunc(c.flagError)
	root.AddCommand(c.runCommand(), c.serveCommand(), c.configCommand(), c.versionCommand())
	root.SetHelpCommand(helpCommand(root))
	return root
}

// helpCommand is cobra's own, except that asking about nothing known is an error.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help text of a command",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			for _, cmd := range root.Commands() {
				names = append(names, cobra.CompletionWithDesc(cmd.Name(), cmd.Short))
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return err
			}
			if cmd == root && len(rest) > 0 {
				return unknownCommand(root, rest[0])
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

func (c *call) runCommand() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:               "run FILE... | - | -c CODE",
		Short:             "Run snippets",
		Long:              runHelp,
		Example:           runExamples,
		ValidArgsFunction: completeFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			flags.opts.Progress = c.progress
			return c.run(cmd.Context(), files, flags)
		},
	}
	cmd.DisableFlagsInUseLine = true
	f := cmd.Flags()
	f.StringArrayVarP(&flags.codes, "code", "c", nil, "run this `CODE` instead of a file")
	f.StringArrayVar(&flags.inputs, "input", nil, "pass a variable: `NAME=VALUE`, NAME=@FILE or NAME=- for standard input (repeatable)")
	f.Var(&flags.timeout, "timeout", fmt.Sprintf("stop each run after this `TIME`, such as 5s, 500ms or 2 for seconds (default and most: what is configured, else %v)", limit.Defaults().Run.Time))
	configFlag(cmd, &flags.opts.Config)
	f.BoolVar(&flags.opts.Paranoid, "paranoid", false, "compare the sandbox's whole memory with its pristine image after each run")
	f.BoolVar(&flags.json, "json", false, "print the whole outcome of each run as one line of JSON")
	errComplete := errors.Join(
		cmd.RegisterFlagCompletionFunc("input", completeInput),
		cmd.RegisterFlagCompletionFunc("code", cobra.NoFileCompletions),
		cmd.RegisterFlagCompletionFunc("timeout", cobra.FixedCompletions([]string{"1s", "5s", "10s", "30s"}, cobra.ShellCompDirectiveNoFileComp)),
	)
	if errComplete != nil {
		panic(errComplete) // a flag's name is misspelt above
	}
	return cmd
}

// seconds is a duration as a flag: with a unit, or in seconds.
type seconds struct{ duration time.Duration }

// String returns the duration, "" for none.
func (s *seconds) String() string {
	if s.duration == 0 {
		return ""
	}
	return s.duration.String()
}

// Type names the kind of flag in help texts.
func (s *seconds) Type() string { return "TIME" }

// Set reads the duration.
func (s *seconds) Set(text string) error {
	d, err := time.ParseDuration(text)
	if n, numErr := strconv.ParseFloat(text, 64); numErr == nil && !math.IsNaN(n) {
		const most = float64(math.MaxInt64 / 2)
		d, err = time.Duration(max(-1, min(n*float64(time.Second), most))), nil
	}
	if err != nil {
		return errors.New("give a time such as 5s, 500ms or 2 for seconds")
	}
	if d <= 0 {
		return errors.New("give a time of more than 0")
	}
	s.duration = d
	return nil
}
