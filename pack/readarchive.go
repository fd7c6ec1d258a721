package pack

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// archiveReader is one pass over an archive.
type archiveReader struct {
	ctx    context.Context
	ar     archive.Reader
	limits Limits
	rep    *reporter
	layout *layout
	tree   *tree
	sink   *sink
	json   map[string][]byte // the manifests and package.json, as far as read
}

func readArchive(ctx context.Context, r io.ReaderAt, size int64, dst *os.Root, o Options) (*Package, []Finding, error) {
	rep := new(reporter)
	ar, err := archive.Open(r, size, archive.Options{Format: archive.Format(o.Format), Limits: o.Limits.archive(), Report: rep.archive})
	if errors.Is(err, archive.ErrRefused) {
		return nil, rep.findings(), nil
	}
	if err != nil {
		return nil, nil, err
	}
	out, err := newSink(ctx, dst)
	if err != nil {
		return nil, nil, err
	}
	a := &archiveReader{
		ctx: ctx, ar: ar, limits: o.Limits.withDefaults(), rep: rep, layout: newLayout(ar), tree: newTree(),
		sink: out, json: map[string][]byte{},
	}
	err = a.entries()
	files, sinkErr := a.sink.close()
	if err == nil {
		err = sinkErr
	}
	if err != nil {
		return nil, nil, err
	}
	a.layout.close(rep)
	if rep.refused {
		return nil, rep.findings(), nil
	}
	p := newPackage(Format(ar.Format()), files, a.json, o)
	if dst != nil {
		p.content = dirContent{root: dst}
	} else {
		p.content = memContent(a.json)
	}
	identify(p, o, rep)
	if rep.refused {
		return nil, rep.findings(), nil
	}
	return p, rep.findings(), nil
}

func (a *archiveReader) entries() error {
	for {
		if err := a.ctx.Err(); err != nil {
			return context.Cause(a.ctx)
		}
		e, err := a.ar.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		path, ok := a.layout.place(e, a.rep)
		if !ok {
			a.regular(e) // the root folder or a name beside it
			continue
		}
		if !a.accept(e, path) {
			continue
		}
		if err := a.file(e, path); err != nil {
			return err
		}
	}
}

// accept applies the policy to one entry. True means a regular file of the
// package that nothing is wrong with.
func (a *archiveReader) accept(e *archive.Entry, path string) bool {
	refused := false
	if p := pathname.Check(path); p != nil {
		a.rep.path(e.Name, p)
		refused = true
	}
	if !a.regular(e) || refused {
		return false
	}
	switch {
	case shippedLock(path):
		a.rep.error("LOCK_SHIPPED", e.Name, "the archive ships a lock file, which only install may write")
	case junk(path):
		a.rep.warn("JUNK_FILE", e.Name, "a file that macOS left behind is skipped")
	default:
		return a.join(e, path)
	}
	return false
}

// regular reports entries of a kind that no package holds.
func (a *archiveReader) regular(e *archive.Entry) bool {
	switch {
	case e.Kind == archive.Link:
		a.rep.error("ENTRY_LINK", e.Name, "the entry is %s; a package holds only files and folders", e.Detail)
	case e.Kind == archive.Special:
		a.rep.error("ENTRY_SPECIAL", e.Name, "the entry is %s; a package holds only files and folders", e.Detail)
	case e.Kind == archive.Sparse:
		a.rep.error("ENTRY_SPARSE", e.Name, "the entry is a sparse file, which readers expand differently")
	case e.Kind == archive.Dir && e.Size > 0:
		a.rep.error("ENTRY_FILE_DIR_CONFLICT", e.Name, "the entry is a folder and carries %d bytes of data", e.Size)
	default:
		return true
	}
	return false
}

// join adds an acceptable entry to the tree.
func (a *archiveReader) join(e *archive.Entry, path string) bool {
	if e.HasMode && e.Mode&0o7000 != 0 && e.Kind == archive.File {
		a.rep.warn("MODE_SPECIAL_BITS", e.Name, "set-id or sticky bits (mode %04o) are dropped", e.Mode)
	}
	a.tree.add(path, e.Kind == archive.Dir, e.Size, a.rep)
	if a.tree.count() > a.limits.Entries && !a.rep.refused {
		a.rep.error("LIMIT_ENTRIES", e.Name, "the archive has more than %d files and folders", a.limits.Entries)
	}
	return e.Kind == archive.File && !a.rep.refused && !a.layout.strayed()
}

// file hands the content on, part by part.
func (a *archiveReader) file(e *archive.Entry, path string) error {
	keep := keptJSON(path)
	p := part{path: path, exec: e.HasMode && e.Mode&0o111 != 0, first: true}
	for left := e.Size; !p.last; p.first = false {
		room, err := a.sink.space(left)
		if err != nil {
			return err
		}
		p.size, err = fill(a.ar, room)
		left -= int64(p.size)
		p.last = err == io.EOF
		switch {
		case errors.Is(err, archive.ErrRefused):
			p.broken, p.last = true, true
		case err != nil && err != io.EOF:
			return err
		}
		if keep && len(a.json[path]) <= maxJSON {
			a.json[path] = append(a.json[path], room[:p.size]...)
		}
		a.sink.add(p)
	}
	return nil
}

// fill reads until p is full or the reader ends; io.EOF comes with the last
// bytes.
func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = r.Read(p[n:])
		n += m
	}
	return n, err
}
