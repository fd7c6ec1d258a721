package cli

import "github.com/spf13/cobra"

// choices lets a shell complete a flag that takes one of a few words.
func choices(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag is not defined: a mistake in this program
	}
}

// completionExamples gives cobra's generated commands the examples that every
// command of wuu has.
func completionExamples(cmd *cobra.Command) {
	cmd.Short = "Print the completion script of a shell"
	cmd.Example = "  source <(wuu completion bash)\n  wuu completion zsh > \"${fpath[1]}/_wuu\""
	for _, shell := range cmd.Commands() {
		shell.Example = "  wuu completion " + shell.Name()
	}
}
