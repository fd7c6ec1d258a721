package cli

import "github.com/spf13/cobra"

// completionExamples gives cobra's generated commands the examples that every
// command of wuu has.
func completionExamples(cmd *cobra.Command) {
	cmd.Short = "Print the completion script of a shell"
	cmd.Example = "  source <(wuu completion bash)\n  wuu completion zsh > \"${fpath[1]}/_wuu\""
	for _, shell := range cmd.Commands() {
		shell.Example = "  wuu completion " + shell.Name()
	}
}
