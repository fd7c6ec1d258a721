package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// Limits of referenced files, in bytes (reference/wuu-facts.md §2.3 and §2.6).
const (
	maxDesktop = 10 << 20
	maxPrompt  = 1 << 20
)

// checkReferences looks at every path that the manifest names.
func (c *checker) checkReferences() error {
	for _, ref := range c.m.References() {
		_, isFile := c.files[ref.Path]
		if !isFile && !(ref.Kind == manifest.RefSkill && c.hasFolder(ref.Path)) {
			c.missing(ref)
			continue
		}
		if isFile {
			c.checked = append(c.checked, ref.Path)
		}
		var err error
		switch ref.Kind {
		case manifest.RefDesktop:
			err = c.checkDesktop(ref)
		case manifest.RefCommand, manifest.RefScript:
			err = c.checkRuntime(ref)
		case manifest.RefPrompt:
			err = c.checkPrompt(ref)
		case manifest.RefSkinImage:
			err = c.checkSkinImage(ref)
		case manifest.RefIcon:
			err = c.checkIcon(ref)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// missing reports a path that the package does not hold.
func (c *checker) missing(ref manifest.Reference) {
	f := Finding{Severity: diag.Error, Hint: c.whyAbsent(ref.Path)}
	build := ""
	switch ref.Kind {
	case manifest.RefCommand, manifest.RefScript:
		f.Code, build = "RUNTIME_ENTRY_MISSING", "build it: wuu plugin build"
	case manifest.RefDesktop:
		f.Code, build = "DESKTOP_ENTRY_MISSING", "build it: wuu plugin build"
	case manifest.RefSkill:
		f.Code = "SKILL_MISSING"
	case manifest.RefPrompt:
		f.Code = "PROMPT_MISSING"
	case manifest.RefIcon:
		f.Code = "ICON_MISSING"
	case manifest.RefSkinImage:
		f.Code = "SKIN_IMAGE_MISSING"
	default:
		f.Code = "MANIFEST_FILE_MISSING"
	}
	if program, _, words := strings.Cut(ref.Path, " "); words && ref.Kind == manifest.RefCommand {
		f.Hint = fmt.Sprintf("command is one program: name %s alone, and put the rest into args", pathname.Show(program))
	}
	if f.Hint == "" {
		f.Hint = build
	}
	f.Message = fmt.Sprintf("the %s %s is not in the package", ref.Kind, pathname.Show(ref.Path))
	c.found.Add(ref.At(f))
}

func (c *checker) checkDesktop(ref manifest.Reference) error {
	if size := c.files[ref.Path].Size; size > maxDesktop {
		c.found.Add(ref.At(Finding{
			Code: "DESKTOP_ENTRY_LARGE", Severity: diag.Error,
			Message: fmt.Sprintf("the desktop entry has %d bytes; at most %d (10 MiB) are allowed", size, maxDesktop),
			Hint:    "minify it, or load less into it",
		}))
		return nil
	}
	return c.checkModule(ref)
}

func (c *checker) checkPrompt(ref manifest.Reference) error {
	if size := c.files[ref.Path].Size; size > maxPrompt {
		c.found.Add(ref.At(Finding{
			Code: "PROMPT_LARGE", Severity: diag.Error,
			Message: fmt.Sprintf("the prompt has %d bytes; at most %d (1 MiB) are allowed", size, maxPrompt),
		}))
		return nil
	}
	text, err := c.read(ref.Path, maxPrompt)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			c.found.Add(Finding{
				Code: "PROMPT_ENCODING", Severity: diag.Error, File: ref.Path, Start: diag.Locate(text, i), End: diag.Locate(text, i+1),
				Message: fmt.Sprintf("byte 0x%02x at offset %d is not UTF-8", text[i], i), Hint: "save the prompt as UTF-8",
			})
			return nil
		}
		i += size
	}
	return nil
}
