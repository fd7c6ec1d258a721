package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/nearest"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/validate"
)

type explainedCode struct {
	Code     string           `json:"code"`
	Severity diag.Severity    `json:"severity"`
	Summary  string           `json:"summary"`
	Fix      validate.FixKind `json:"fix"`
	Why      string           `json:"fix_reason"`
	Example  string           `json:"example,omitempty"`
}

type explainDoc struct {
	Codes []explainedCode `json:"codes"`
}

func newExplainCmd(a *App) *cobra.Command {
	return &cobra.Command{
		Use:     "explain [CODE]",
		Short:   "What a code of a finding means, and whether --fix repairs it",
		Long:    "What a code of a finding means, and whether `wuu plugin validate --fix` repairs it. Without a code, all of them.",
		Example: "  wuu explain JSON_BOM\n  wuu explain --json",
		Args:    args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(_ *cobra.Command, argv []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(argv) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return codeNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, argv []string) error {
			if len(argv) > 0 {
				return a.explainOne(argv[0])
			}
			return a.explainAll()
		},
	}
}

func codeNames() []string {
	var names []string
	for _, c := range validate.Codes() {
		names = append(names, c.Code)
	}
	return names
}

func explained(c validate.Code) explainedCode {
	kind, why := c.Fix()
	return explainedCode{c.Code, c.Severity, c.Summary, kind, why, c.Example()}
}

// explainOne takes the code in any case, and with dashes, as people type it.
func (a *App) explainOne(word string) error {
	name := strings.ToUpper(strings.ReplaceAll(word, "-", "_"))
	code, ok := validate.Explain(name)
	if !ok {
		err := fault.New(fault.Usage, "CODE_UNKNOWN", word, "no finding has this code")
		if near := nearest.Name(name, codeNames()); near != "" {
			return err.WithHint("did you mean: wuu explain %s", near)
		}
		return err.WithHint("all codes: wuu explain")
	}
	c := explained(code)
	return a.emit(explainDoc{[]explainedCode{c}}, func(w io.Writer, s term.Style) {
		fmt.Fprintf(w, "%s (%s): %s\n", s.Bold(c.Code), c.Severity, c.Summary)
		if c.Example != "" {
			fmt.Fprintf(w, "  example: %s\n", c.Example)
		}
		fmt.Fprintf(w, "  fix: %s, %s\n", c.Fix, c.Why)
	})
}

func (a *App) explainAll() error {
	var doc explainDoc
	for _, c := range validate.Codes() {
		doc.Codes = append(doc.Codes, explained(c))
	}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		for _, c := range doc.Codes {
			fmt.Fprintf(w, "%-26s %-8s %s\n", c.Code, c.Severity, c.Summary)
		}
	})
}
