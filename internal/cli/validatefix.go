package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/validate"
)

// fixedFile is a file that --fix has written, and what it repaired there.
type fixedFile struct {
	File     string         `json:"file"`
	Findings []diag.Finding `json:"findings"`
}

// notFixed is a safe edit that was not made.
type notFixed struct {
	File   string `json:"file"`
	Code   string `json:"code,omitempty"`
	Reason string `json:"reason"`
}

// maxFixes bounds how often --fix reads a folder again: repairing one file can
// bring others to light, which are repaired in the next round.
const maxFixes = 8

// onlyFolder refuses what cannot be edited, or does not change.
func onlyFolder(src registry.Source, o *validateOptions) error {
	if src.Kind == registry.Directory {
		return nil
	}
	if o.Watch {
		return fault.New(fault.Usage, "USAGE", o.Spec, "--watch follows the files of a folder")
	}
	return fault.New(fault.Usage, "FIX_NOT_A_FOLDER", o.Spec, "--fix edits the files of a folder; what an archive or registry holds stays as it was published").
		WithHint("fix the source folder and pack it again")
}

func (a *App) fixAndReport(ctx context.Context, o *validateOptions, src registry.Source) error {
	var fixed []fixedFile
	var not []notFixed
	for round := 0; ; round++ {
		c, err := a.check(ctx, o, src)
		if err != nil {
			return err
		}
		wrote := false
		if round < maxFixes {
			var now []fixedFile
			now, not = c.fix(src.Path)
			wrote = len(now) > 0
			fixed = append(fixed, now...)
		}
		if wrote {
			c.Close()
			continue
		}
		defer c.Close()
		c.doc.Fixed, c.doc.NotFixed = fixed, not
		a.sayFixed(fixed, not)
		return a.reportChecked(c, o)
	}
}

// fix repairs each file of dir that findings have edits for.
func (c *checked) fix(dir string) (fixed []fixedFile, not []notFixed) {
	byFile := map[string][]diag.Finding{}
	var files []string
	for _, f := range c.findings {
		if len(f.Fix) == 0 || f.File == "" {
			continue
		}
		if byFile[f.File] == nil {
			files = append(files, f.File)
		}
		byFile[f.File] = append(byFile[f.File], f)
	}
	for _, file := range files {
		r, err := repairFile(dir, file, c.content(file), byFile[file])
		if err != nil {
			not = append(not, notFixed{File: file, Reason: err.Error()})
			continue
		}
		for _, f := range r.Conflicts {
			not = append(not, notFixed{file, f.Code, "another edit of the same characters came first"})
		}
		if len(r.Fixed) > 0 {
			fixed = append(fixed, fixedFile{file, r.Fixed})
		}
	}
	return fixed, not
}

// repairFile writes the repaired file in one step, with the mode it had. src is
// what was checked: a file that is different by now is left alone.
func repairFile(dir, file string, src []byte, findings []diag.Finding) (validate.Repaired, error) {
	none := validate.Repaired{}
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return none, fault.New(fault.Usage, "FIX_OUTSIDE", file, "the file lies outside of the folder")
	}
	path := filepath.Join(dir, filepath.FromSlash(file))
	info, err := os.Lstat(path)
	if err != nil {
		return none, pathCause(err)
	}
	now, err := os.ReadFile(path)
	if err != nil {
		return none, pathCause(err)
	}
	if src == nil {
		src = now
	}
	if !bytes.Equal(src, now) {
		return none, fault.New(fault.Usage, "FIX_CHANGED", file, "the file has changed since it was checked")
	}
	r := validate.Repair(file, src, findings)
	if len(r.Fixed) == 0 {
		return r, nil
	}
	return r, fsx.WriteFile(path, r.Content, info.Mode().Perm())
}

func (a *App) sayFixed(fixed []fixedFile, not []notFixed) {
	for _, f := range fixed {
		for _, one := range f.Findings {
			a.note("fixed %s: %s %s", f.File, one.Code, one.Message)
		}
	}
	for _, n := range not {
		a.note("not fixed %s: %s %s", n.File, n.Code, n.Reason)
	}
}
