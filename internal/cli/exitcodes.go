package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
)

type exitCode struct {
	Code    fault.Kind `json:"code"`
	Meaning string     `json:"meaning"`
}

// exitCodes is the table of design/distribution.md.
func exitCodes() []exitCode {
	return []exitCode{
		{fault.Done, "done"},
		{fault.Check, "what was checked is bad: validation errors, failed contract tests"},
		{fault.Usage, "bad usage or input that cannot be read"},
		{fault.Lock, "a lock disagrees, is damaged, or has conflict markers"},
		{fault.Refused, "archive refused; bytes or --integrity differ"},
		{fault.Consent, "consent needed (trust, new capabilities)"},
		{fault.Network, "network or registry"},
		{fault.Plugin, "plugin or host failed, or a time limit passed"},
		{fault.Busy, "busy: the lease is held"},
		{fault.Defect, "a defect in wuu itself"},
		{fault.Interrupt, "ended by SIGINT"},
		{fault.Terminate, "ended by SIGTERM or SIGHUP, or the reader of the output went away"},
	}
}

// newExitCodesCmd is a help topic that can also print JSON:
// `wuu help exit-codes` and `wuu exit-codes --json` show the same table.
func newExitCodesCmd(a *App) *cobra.Command {
	table := func(w io.Writer) {
		for _, c := range exitCodes() {
			fmt.Fprintf(w, "%5d  %s\n", c.Code, c.Meaning)
		}
	}
	cmd := &cobra.Command{
		Use:     "exit-codes",
		Short:   "The exit codes and what they mean",
		Example: "  wuu help exit-codes\n  wuu exit-codes --json",
		Args:    args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			return a.emit(struct {
				Codes []exitCode `json:"exit_codes"`
			}{exitCodes()}, func(w io.Writer, _ term.Style) { table(w) })
		},
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) { table(cmd.OutOrStdout()) })
	return cmd
}
