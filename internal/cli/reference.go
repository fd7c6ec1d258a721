package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/validate"
)

// WriteReference writes docs/reference.md: every command with its flags and
// examples, the exit codes, and the codes of findings.
func WriteReference(w io.Writer) error {
	io, _, _, _ := term.Test()
	root := newRootCmd(&App{IO: io, Getenv: func(string) string { return "" }})
	fmt.Fprintf(w, "# Reference\n\nGenerated from the code by `make docs`.\n\n## Commands\n\nEvery command also takes:\n\n")
	writeFlags(w, root.PersistentFlags())
	writeCommand(w, root)
	fmt.Fprintf(w, "\n## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, c := range exitCodes() {
		fmt.Fprintf(w, "| %d | %s |\n", c.Code, c.Meaning)
	}
	fmt.Fprintf(w, "\n## Codes of findings\n\n| code | severity | meaning | fix |\n|---|---|---|---|\n")
	for _, c := range validate.Codes() {
		kind, _ := c.Fix()
		fmt.Fprintf(w, "| `%s` | %s | %s | %s |\n", c.Code, c.Severity, strings.ReplaceAll(c.Summary, "|", "\\|"), kind)
	}
	return nil
}

func writeCommand(w io.Writer, cmd *cobra.Command) {
	if cmd.Runnable() && !cmd.HasSubCommands() {
		text := cmd.Long
		if text == "" {
			text = cmd.Short + "."
		}
		fmt.Fprintf(w, "\n### `%s`\n\n%s\n\n```\n%s\n```\n\n", cmd.UseLine(), text, dedent(cmd.Example))
		writeFlags(w, cmd.LocalNonPersistentFlags())
	}
	for _, child := range cmd.Commands() {
		if child.Name() != "completion" && child.Name() != "help" {
			writeCommand(w, child)
		}
	}
}

func writeFlags(w io.Writer, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		if name != "" {
			name = " " + name
		}
		short := ""
		if f.Shorthand != "" {
			short = ", `-" + f.Shorthand + "`"
		}
		fmt.Fprintf(w, "- `--%s%s`%s: %s\n", f.Name, name, short, usage)
	})
}

func dedent(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return strings.Join(lines, "\n")
}
