package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

const packageFile = "package.json"

// packageJSON is the part of package.json that decides how to build.
type packageJSON struct {
	Type           string
	PackageManager string
	Scripts        map[string]string
	Wuu            struct{ Build json.RawMessage }
}

// NewPlan reads package.json in root: wuu.build ("embedded" or a command),
// else scripts.build (run by the package manager that manager, packageManager
// or the lock file names), else the embedded builder over src/ for every
// declared output that has a source.
//
// A command in wuu.build is a string for the system's shell, as in a package
// script, or a list of words that is started without one.
func NewPlan(root string, m *manifest.Manifest, manager string) (Plan, []diag.Finding, error) {
	pkg, findings, err := readPackage(root)
	if err != nil || failed(findings) {
		return Plan{}, findings, err
	}
	var plan Plan
	entries := declared(m)
	for _, e := range entries {
		plan.Outputs = append(plan.Outputs, e.Output)
	}
	build, err := wuuBuild(pkg.Wuu.Build)
	switch {
	case err != nil:
		return Plan{}, []diag.Finding{{
			Code: CodeConfig, Severity: diag.Error, File: packageFile, Path: "/wuu/build", Message: err.Error(),
			Hint: "remove it to let wuu build src/ itself",
		}}, nil
	case build.command != nil:
		plan.Builder, plan.Command, plan.Shell = Command, build.command, build.shell
		return plan, nil, nil
	case !build.embedded && strings.TrimSpace(pkg.Scripts["build"]) != "":
		name, findings := packageManager(root, manager, pkg.PackageManager)
		plan.Builder, plan.Command = Command, []string{name, "run", "build"}
		return plan, findings, nil
	}
	findings, err = plan.embed(root, entries, pkg.Type)
	return plan, findings, err
}

// embed gives every entry its source. An output without one is used as it
// stands; one that does not exist either is missing.
func (p *Plan) embed(root string, entries []Entry, moduleType string) ([]diag.Finding, error) {
	var findings []diag.Finding
	for _, e := range entries {
		candidates := sources(e.Output)
		for _, name := range candidates {
			if ok, err := isFile(root, name); err != nil {
				return nil, err
			} else if ok {
				e.Source = name
				break
			}
		}
		if e.Source != "" {
			p.Entries = append(p.Entries, e)
			if e.Platform == Node && path.Ext(e.Output) == ".js" && moduleType != "module" {
				findings = append(findings, moduleWarning(e.Output))
			}
			continue
		}
		ok, err := isFile(root, e.Output)
		if err != nil {
			return nil, err
		}
		if !ok {
			findings = append(findings, missing(e.Output, candidates))
			continue
		}
		p.AsIs = append(p.AsIs, e.Output)
	}
	p.Builder = None
	if len(p.Entries) > 0 {
		p.Builder = Embedded
	}
	return findings, nil
}

// Missing reports the declared outputs that a finished command has not made.
func (p Plan) Missing(root string) ([]diag.Finding, error) {
	var findings []diag.Finding
	for _, output := range p.Outputs {
		ok, err := isFile(root, output)
		if err != nil {
			return nil, err
		}
		if !ok {
			f := missing(output, nil)
			if p.Builder == Command {
				f.Hint = fmt.Sprintf("%q ended well but did not write it; let it write %s, or correct plugin.json",
					p.CommandLine(), output)
			}
			findings = append(findings, f)
		}
	}
	return findings, nil
}

func missing(output string, candidates []string) diag.Finding {
	f := diag.Finding{
		Code: CodeMissing, Severity: diag.Error, File: output,
		Message: "plugin.json declares this file, but it does not exist",
		Hint:    "create it, or correct the path in plugin.json",
	}
	if len(candidates) > 0 {
		f.Hint = "create " + candidates[0] + ", from which it is built, or correct the path in plugin.json"
	}
	return f
}

func moduleWarning(output string) diag.Finding {
	return diag.Finding{
		Code: CodeModule, Severity: diag.Warning, File: packageFile,
		Message: fmt.Sprintf("without \"type\": \"module\", older Node versions read %s as CommonJS", output),
		Hint:    `add "type": "module", or declare an output that ends in .mjs`,
	}
}

// readPackage returns zero values for a folder without package.json.
func readPackage(root string) (packageJSON, []diag.Finding, error) {
	var pkg packageJSON
	src, err := os.ReadFile(filepath.Join(root, packageFile))
	if errors.Is(err, fs.ErrNotExist) {
		return pkg, nil, nil
	}
	if err != nil {
		return pkg, nil, fmt.Errorf("read %s: %w", packageFile, err)
	}
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(src), "\ufeff")), &pkg); err != nil {
		return pkg, []diag.Finding{jsonFinding(src, err)}, nil
	}
	return pkg, nil, nil
}

func jsonFinding(src []byte, err error) diag.Finding {
	f := diag.Finding{Code: CodeConfig, Severity: diag.Error, File: packageFile, Message: err.Error()}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		f.Start = diag.Locate(src, int(syntax.Offset)-1)
	case errors.As(err, &kind):
		f.Start = diag.Locate(src, int(kind.Offset))
		f.Message = fmt.Sprintf("%s must not be a %s", kind.Field, kind.Value)
	}
	f.End = f.Start
	return f
}

// buildChoice is the value of wuu.build; its zero value stands for none.
type buildChoice struct {
	embedded bool
	command  []string
	shell    bool // command is one line for the shell
}

func wuuBuild(raw json.RawMessage) (buildChoice, error) {
	var line string
	var words []string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return buildChoice{}, nil
	case json.Unmarshal(raw, &line) == nil:
		if line = strings.TrimSpace(line); line == Embedded {
			return buildChoice{embedded: true}, nil
		}
		if line != "" {
			return buildChoice{command: []string{line}, shell: true}, nil
		}
	case json.Unmarshal(raw, &words) == nil && len(words) > 0 && words[0] != "":
		return buildChoice{command: words}, nil
	}
	return buildChoice{}, errors.New(`wuu.build must be "embedded", a command, or a list of words`)
}

func isFile(root, name string) (bool, error) {
	info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("look for %s: %w", name, err)
	}
	return info.Mode().IsRegular(), nil
}
