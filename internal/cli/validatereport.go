package cli

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/internal/version"
	"github.com/wuu-plugins/wuu/validate"
)

func reportFormats() []string { return []string{"text", "json", "sarif", "github", "junit"} }

// checkReport settles the format before anything is read, so that a wrong
// word costs no download.
func (a *App) checkReport(o *validateOptions) error {
	if o.Fix && o.Watch {
		return fault.New(fault.Usage, "USAGE", "--fix", "--watch only looks: an editor holds the files open")
	}
	if o.FailOn != "error" && o.FailOn != "warning" && o.FailOn != "" {
		return fault.New(fault.Usage, "USAGE", "--fail-on", "%q is neither error nor warning", o.FailOn)
	}
	if o.Format == "" && o.Output != "" {
		o.Format = map[string]string{".sarif": "sarif", ".json": "json", ".xml": "junit", ".txt": "text"}[strings.ToLower(filepath.Ext(o.Output))]
		if o.Format == "" {
			return fault.New(fault.Usage, "USAGE", "--output", "%s ends in none of .sarif, .json, .xml and .txt", o.Output).
				WithHint("name the format: --format %s", strings.Join(reportFormats(), "|"))
		}
	}
	if o.Format != "" && !slices.Contains(reportFormats(), o.Format) {
		return fault.New(fault.Usage, "USAGE", "--format", "%q is none of %s", o.Format, strings.Join(reportFormats(), ", "))
	}
	if o.Output != "" {
		return nil
	}
	switch {
	case o.Format == "json":
		a.json = true
	case o.Format != "" && a.json:
		return fault.New(fault.Usage, "USAGE", "--format", "%s and --json both want stdout", o.Format).WithHint("write one of them to a file with --output")
	case o.Watch && (o.Format == "sarif" || o.Format == "junit"):
		return fault.New(fault.Usage, "USAGE", "--watch", "a %s report is one document", o.Format).WithHint("write each to a file with --output, or take --json")
	}
	return nil
}

// report prints the result on stdout and writes the file of --output.
func (a *App) report(c *checked, o *validateOptions) error {
	text := func(w io.Writer, s term.Style) { a.writeVerdict(w, s, c, o) }
	if o.Output == "" && o.Format != "" && o.Format != "text" && o.Format != "json" {
		a.IO.Status().Clear()
		return a.render(a.IO.Out, c, o)
	}
	if o.Output != "" {
		if err := a.writeReport(c, o); err != nil {
			return err
		}
	}
	if a.json && o.Watch {
		body, err := marshalSchema(c.doc)
		if err == nil {
			_, err = a.IO.Out.Write(append(body, '\n'))
		}
		return err
	}
	return a.emit(c.doc, text)
}

func (a *App) writeReport(c *checked, o *validateOptions) error {
	var b bytes.Buffer
	if err := a.render(&b, c, o); err != nil {
		return err
	}
	path := o.Output
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	if err := fsx.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fault.New(fault.Usage, "OUTPUT", o.Output, "%w", pathCause(err)).WithHint("choose a folder you may write to")
	}
	return nil
}

// render writes the report in its format.
func (a *App) render(w io.Writer, c *checked, o *validateOptions) error {
	switch o.Format {
	case "json":
		return a.writeJSON(w, c.doc)
	case "sarif":
		var rules []diag.Rule
		for _, code := range validate.Codes() {
			rules = append(rules, diag.Rule{Code: code.Code, Summary: code.Summary})
		}
		tool := diag.Tool{Name: "wuu", Version: version.Base(), URL: "https://github.com/wuu-plugins/wuu"}
		return diag.WriteSARIF(w, tool, rules, c.findings, c.content)
	case "github":
		return diag.WriteGitHub(w, c.findings)
	case "junit":
		return diag.WriteJUnit(w, "wuu plugin validate "+o.Spec, c.findings, c.fails)
	}
	if err := diag.WriteText(w, c.findings, c.masked, term.Style{}); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	c.writeLast(w, term.Style{}, o, false)
	return nil
}
