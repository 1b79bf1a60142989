package shell

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (c *call) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of toolplane, Go and the Python that runs snippets",
		Args:  noArguments,
		Run: func(*cobra.Command, []string) {
			b := c.shell.build.Complete()
			fmt.Fprintf(c.out, "toolplane %s\n%s\nCPython %s\n", b.Program, b.Go, b.Python)
		},
	}
}

// Complete fills in what is empty from the running program.
func (b Build) Complete() Build {
	if b.Go == "" {
		b.Go = fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	if b.Python == "" {
		b.Python = "unknown"
	}
	if b.Program == "" {
		b.Program = "unknown"
		if info, ok := debug.ReadBuildInfo(); ok {
			b.Program = programVersion(info)
		}
	}
	return b
}

// programVersion returns the module's version and, when the program was built
// in a checkout, the commit.
func programVersion(info *debug.BuildInfo) string {
	version, commit, changed := info.Main.Version, "", ""
	if version == "" {
		version = "(devel)"
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			commit = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				changed = ", changed since"
			}
		}
	}
	if commit == "" {
		return version
	}
	return fmt.Sprintf("%s (commit %.12s%s)", version, commit, changed)
}
