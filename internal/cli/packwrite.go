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
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/pack"
)

// writeArtifact writes one format beside its final name and renames it, so
// that an interrupted run leaves no half archive.
func (a *App) writeArtifact(ctx context.Context, t *packTree, format string, o *packOptions) (artifact, error) {
	write, name := t.pkg.WriteZip, pack.ZipFileName(t.pkg.ID, t.pkg.Version)
	if format == "npm" {
		pkgName, err := t.npmName()
		if err != nil {
			return artifact{}, err
		}
		write, name = t.pkg.WriteTGZ, pack.NPMFileName(pkgName, t.pkg.Version)
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
	if over := t.overBudget(a.rel(path), count.n); over != nil {
		return artifact{}, over
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

// overBudget says by how much an archive is too large, and what is large in it.
func (t *packTree) overBudget(path string, size int64) error {
	if t.budget == 0 || size <= t.budget {
		return nil
	}
	large := largest(newPackDoc(t.opened).Files)
	var names []string
	for _, f := range large {
		names = append(names, fmt.Sprintf("%s (%s)", f.Path, term.Size(f.Size)))
	}
	return fault.New(fault.Check, "BUDGET_EXCEEDED", path, "%s, which is %s over the budget of %s",
		term.Size(size), term.Size(size-t.budget), term.Size(t.budget)).
		WithHint("the largest files: %s", strings.Join(names, ", ")).
		WithDetails(map[string]any{"size": size, "budget": t.budget, "over": size - t.budget, "largest": large})
}
