package shell

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// completeFiles offers Python files and folders.
func completeFiles(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if cmd.Flags().Changed("code") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []cobra.Completion{"py"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeInput offers files once an input reads "name=@".
func completeInput(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	at := strings.Index(typed, "=@")
	if at < 0 {
		return nil, none
	}
	name, path := typed[:at+2], typed[at+2:]
	folder, start := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(folder + "."))
	if err != nil {
		return nil, none
	}
	var offers []cobra.Completion
	hasFolder := false
	for _, entry := range entries {
		file := entry.Name()
		hidden := strings.HasPrefix(file, ".") && !strings.HasPrefix(start, ".")
		if hidden || !strings.HasPrefix(file, start) {
			continue
		}
		if entry.IsDir() {
			file += "/"
			hasFolder = true
		}
		offers = append(offers, name+folder+file)
	}
	if hasFolder {
		return offers, none
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}
