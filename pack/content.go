package pack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// content is where a package's bytes are.
type content interface {
	open(path string) (io.ReadCloser, error)
}

// memContent holds the few files that OpenArchive keeps.
type memContent map[string][]byte

func (m memContent) open(path string) (io.ReadCloser, error) {
	b, ok := m[path]
	if !ok {
		return nil, fmt.Errorf("%s: %w: the archive was checked, not extracted", path, errors.ErrUnsupported)
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

// dirContent reads from a folder. disk maps packed paths to those on disk
// where they differ; overlay rules over both. held is content as it was hashed.
type dirContent struct {
	root    *os.Root
	disk    map[string]string
	overlay map[string][]byte
	held    map[string][]byte
}

func (d dirContent) open(path string) (io.ReadCloser, error) {
	if b, ok := d.overlay[path]; ok {
		return io.NopCloser(bytes.NewReader(b)), nil
	}
	if b, ok := d.held[path]; ok {
		return io.NopCloser(bytes.NewReader(b)), nil
	}
	return d.root.Open(d.onDisk(path))
}

// inMemory is content that was hashed and cannot have changed since.
func (d dirContent) inMemory(path string) ([]byte, bool) {
	b, ok := d.overlay[path]
	if !ok {
		b, ok = d.held[path]
	}
	return b, ok
}

func (d dirContent) overlaid(path string) bool {
	_, ok := d.overlay[path]
	return ok
}

func (d dirContent) onDisk(path string) string {
	if disk, ok := d.disk[path]; ok {
		return disk
	}
	return path
}

func newPackage(format Format, files []File, kept map[string][]byte, o Options) *Package {
	p := &Package{Format: format, Files: files, limits: o.Limits.withDefaults()}
	slices.SortFunc(p.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range p.Files {
		p.Size += f.Size
	}
	p.Fingerprint = Fingerprint(p.Files)
	p.PackageJSON = kept[packageJSON]
	for path, doc := range kept {
		if path != packageJSON {
			p.Manifest = doc // identify refuses a package with two of them
		}
	}
	return p
}

// find returns the index of a path in Files, or -1.
func (p *Package) find(path string) int {
	i, found := slices.BinarySearchFunc(p.Files, path, func(f File, path string) int { return strings.Compare(f.Path, path) })
	if !found {
		return -1
	}
	return i
}

// Lookup returns the file at a path of the package.
func (p *Package) Lookup(path string) (File, bool) {
	i := p.find(path)
	if i < 0 {
		return File{}, false
	}
	return p.Files[i], true
}

// ReadFile returns the content of one packed file, at most limit bytes
// (an error beyond). After OpenArchive only the manifest and package.json are
// at hand. A file that changed since the package was opened is an error.
func (p *Package) ReadFile(path string, limit int64) ([]byte, error) {
	i := p.find(path)
	if i < 0 {
		return nil, fmt.Errorf("%s: %w: no file of the package", path, os.ErrNotExist)
	}
	f := p.Files[i]
	if f.Size > limit {
		return nil, fmt.Errorf("%s: %d bytes, at most %d are allowed", path, f.Size, limit)
	}
	in := opener{content: p.content}
	defer in.close()
	return in.read(f, nil)
}

// CopyTo writes every file of the package into dst with mode 0644 or 0755.
// Files that are there already make it fail.
func (p *Package) CopyTo(ctx context.Context, dst *os.Root) error {
	w, err := fsx.NewTree(dst)
	if err != nil {
		return err
	}
	defer w.Close()
	in := opener{content: p.content}
	defer in.close()
	for _, f := range p.Files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := w.Create(f.Path, f.Exec); err != nil {
			return err
		}
		if err := errors.Join(in.copy(w, f), w.CloseFile()); err != nil {
			return err
		}
	}
	return nil
}
