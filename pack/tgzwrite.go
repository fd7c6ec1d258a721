package pack

import (
	"archive/tar"
	"context"
	"io"
	"time"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/fault"
)

// npmTime is the time that npm gives every file of a tarball. Some tools
// cannot handle the zero time, so this one is as good as any.
const npmTime = 499162500 // 1985-10-26T08:15:00Z

// WriteTGZ writes the canonical npm tarball (root package/): same package, same
// bytes. The package must hold a package.json whose version is the manifest's.
func (p *Package) WriteTGZ(ctx context.Context, w io.Writer) error {
	return p.writeTGZ(ctx, w, packWorkers)
}

func (p *Package) writeTGZ(ctx context.Context, w io.Writer, workers int) error {
	if err := p.checkNPM(); err != nil {
		return err
	}
	out := &countingWriter{w: w}
	zw := archive.NewGzipWriter(out, workers)
	err := p.writeTar(ctx, zw)
	if closed := zw.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return p.checkPacked(out.n)
}

// writeTar writes the content of the tarball.
func (p *Package) writeTar(ctx context.Context, w io.Writer) error {
	tw := tar.NewWriter(w)
	in := opener{content: p.content}
	defer in.close()
	for _, f := range p.Files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		h := &tar.Header{Typeflag: tar.TypeReg, Name: npmRoot + "/" + f.Path, Size: f.Size, Mode: 0o644, ModTime: time.Unix(npmTime, 0)}
		if f.Exec {
			h.Mode = 0o755
		}
		if err := tw.WriteHeader(h); err != nil {
			return err
		}
		if err := in.copy(tw, f); err != nil {
			return err
		}
	}
	return tw.Close()
}

// checkNPM refuses what installing the tarball would refuse.
func (p *Package) checkNPM() error {
	if p.find(packageJSON) < 0 {
		return fault.New(fault.Check, "PACKAGE_JSON_MISSING", packageJSON, "%w", errNoPackageJSON).
			WithHint("add a package.json with name and version")
	}
	npm, plugin := readNames(p.PackageJSON), readNames(p.Manifest)
	if npm.version != plugin.version {
		return fault.New(fault.Check, "IDENTITY_MISMATCH", packageJSON, "the version is %q, but %s says %q", npm.version, p.ManifestPath, plugin.version).
			WithHint("give both files the same version")
	}
	return nil
}
