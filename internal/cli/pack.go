package cli

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
)

type packOptions struct {
	Dir    string
	Format string
	Output string
	DryRun bool
	List   bool
}

type packDoc struct {
	ID          string         `json:"id"`
	Version     string         `json:"version"`
	Artifacts   []artifact     `json:"artifacts"`
	Fingerprint string         `json:"package_fingerprint"`
	Files       []packedFile   `json:"files"`
	Omitted     []pack.Omitted `json:"omitted"`
	Findings    []diag.Finding `json:"findings"`
}

type artifact struct {
	Path      string `json:"path"`
	Format    string `json:"format"`
	Size      int64  `json:"size"`
	SHA512    string `json:"sha512"`
	Integrity string `json:"integrity"`
}

type packedFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	Mode   string `json:"mode"`
	SHA256 string `json:"sha256"`
}

func newPackCmd(a *App, run func(context.Context, *packOptions) error) *cobra.Command {
	o := &packOptions{Dir: "."}
	cmd := &cobra.Command{
		Use:   "pack [dir]",
		Short: "Make the zip or npm tarball of a plugin",
		Long:  "Make the zip or npm tarball of a plugin. The same tree always gives the same bytes.",
		Example: `  wuu plugin pack
  wuu plugin pack hello --format both --output out/
  wuu plugin pack --list --dry-run`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if len(argv) > 0 {
				o.Dir = argv[0]
			}
			if run == nil {
				run = a.runPack
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Format, "format", "zip", "`zip`, npm or both")
	choices(cmd, "format", "zip", "npm", "both")
	cmd.Flags().StringVar(&o.Output, "output", "", "folder, or file for a single format, `PATH` (default .)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "write nothing")
	cmd.Flags().BoolVar(&o.List, "list", false, "list the files, and what is left out and why")
	return cmd
}

func (a *App) runPack(ctx context.Context, o *packOptions) error {
	formats := map[string][]string{"zip": {"zip"}, "npm": {"npm"}, "both": {"zip", "npm"}}[o.Format]
	if formats == nil {
		return fault.New(fault.Usage, "USAGE", "", "--format %s: want zip, npm or both", o.Format)
	}
	dir, err := a.pluginDir(o.Dir)
	if err != nil {
		return err
	}
	p := &opened{source: registry.Source{Kind: registry.Directory, Spec: o.Dir, Path: dir}}
	defer p.Close()
	if err := p.readDir(ctx, a); err != nil {
		return err
	}
	if p.pkg != nil {
		if err := p.validate(ctx, slices.Contains(formats, "npm")); err != nil {
			return err
		}
	}
	diag.Sort(p.findings)
	if err := p.failure(a); err != nil {
		return err
	}
	a.writeFindings(a.IO.Err, a.IO.ErrStyle(), p.findings, p.content)
	doc := newPackDoc(p)
	for _, format := range formats {
		art, err := a.writeArtifact(ctx, p, format, o)
		if err != nil {
			return err
		}
		doc.Artifacts = append(doc.Artifacts, art)
	}
	return a.emit(doc, func(w io.Writer, s term.Style) { doc.write(w, s, o) })
}

func newPackDoc(p *opened) packDoc {
	doc := packDoc{
		ID: p.pkg.ID, Version: p.pkg.Version, Fingerprint: p.pkg.Fingerprint,
		Artifacts: []artifact{}, Files: []packedFile{}, Omitted: orEmpty(p.pkg.Omitted), Findings: orEmpty(p.findings),
	}
	for _, f := range p.pkg.Files {
		mode := "0644"
		if f.Exec {
			mode = "0755"
		}
		doc.Files = append(doc.Files, packedFile{f.Path, f.Size, mode, hex.EncodeToString(f.SHA256[:])})
	}
	return doc
}

func (d packDoc) write(w io.Writer, s term.Style, o *packOptions) {
	for _, art := range d.Artifacts {
		word := "packed"
		if o.DryRun {
			word = "would pack"
		}
		fmt.Fprintf(w, "%s %s (%s)\n  %s\n", s.Green(word), art.Path, term.Size(art.Size), art.Integrity)
	}
	fmt.Fprintf(w, "  %s %s, %d files, fingerprint %s\n", d.ID, d.Version, len(d.Files), d.Fingerprint)
	if !o.List {
		return
	}
	for _, f := range d.Files {
		fmt.Fprintf(w, "  %s %10s  %s\n", f.Mode, term.Size(f.Size), f.Path)
	}
	for _, out := range d.Omitted {
		fmt.Fprintf(w, "  %s  %s (%s)\n", s.Dim("left out"), out.Path, out.Reason)
	}
}

// writeArtifact writes one format beside its final name and renames it, so
// that an interrupted run leaves no half archive.
func (a *App) writeArtifact(ctx context.Context, p *opened, format string, o *packOptions) (artifact, error) {
	write, name := p.pkg.WriteZip, pack.ZipFileName(p.pkg.ID, p.pkg.Version)
	if format == "npm" {
		pkgName, err := p.npmName()
		if err != nil {
			return artifact{}, err
		}
		write, name = p.pkg.WriteTGZ, pack.NPMFileName(pkgName, p.pkg.Version)
	}
	path, err := a.outputPath(o, name)
	if err != nil {
		return artifact{}, err
	}
	sum := sha512.New()
	count := &counter{w: sum}
	dst := io.Writer(count)
	var tmp *os.File
	if !o.DryRun {
		if tmp, err = os.CreateTemp(filepath.Dir(path), ".wuu-pack-*"); err != nil {
			return artifact{}, fault.New(fault.Usage, "OUTPUT", a.rel(filepath.Dir(path)), "%w", pathCause(err)).WithHint("choose a folder you may write to with --output")
		}
		defer os.Remove(tmp.Name())
		defer tmp.Close()
		dst = io.MultiWriter(tmp, count)
	}
	if err := write(ctx, dst); err != nil {
		return artifact{}, fmt.Errorf("write %s: %w", a.rel(path), err)
	}
	if tmp != nil {
		if err := finishFile(tmp, path); err != nil {
			return artifact{}, err
		}
	}
	digest := sum.Sum(nil)
	return artifact{a.rel(path), format, count.n, hex.EncodeToString(digest), "sha512-" + base64.StdEncoding.EncodeToString(digest)}, nil
}

// pathCause is what went wrong with a path, without the temporary name in it.
func pathCause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

func finishFile(tmp *os.File, path string) error {
	if err := tmp.Chmod(0o644); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// outputPath is --output as a folder or, for a single format, as a file.
func (a *App) outputPath(o *packOptions, name string) (string, error) {
	out := o.Output
	if out == "" {
		out = "."
	}
	folder := out == "." || os.IsPathSeparator(out[len(out)-1])
	if !filepath.IsAbs(out) {
		out = filepath.Join(a.Dir, out)
	}
	if info, err := os.Stat(out); err == nil && info.IsDir() {
		folder = true
	}
	switch {
	case folder && !o.DryRun:
		if err := os.MkdirAll(out, 0o755); err != nil {
			return "", fault.New(fault.Usage, "OUTPUT", o.Output, "%w", err)
		}
		return filepath.Join(out, name), nil
	case folder:
		return filepath.Join(out, name), nil
	case o.Format == "both":
		return "", fault.New(fault.Usage, "USAGE", o.Output, "--format both writes two files").WithHint("give a folder: --output %s/", o.Output)
	}
	want, ending := pack.Zip, ".zip"
	if o.Format == "npm" {
		want, ending = pack.TGZ, ".tgz"
	}
	if pack.FormatOf(out) != want { // install goes by the name, and would refuse it
		return "", fault.New(fault.Usage, "USAGE", o.Output, "with --format %s a file ends in %s", o.Format, ending).
			WithHint("for a folder, end it with a slash: --output %s/", strings.TrimSuffix(o.Output, filepath.Ext(o.Output)))
	}
	return out, nil
}

// counter counts what passes through to w.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
