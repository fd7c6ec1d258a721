package pack

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

func openDir(ctx context.Context, root *os.Root, o Options) (*Package, []Finding, error) {
	rep := new(reporter)
	w := &walker{ctx: ctx, root: root, overlay: o.Overlay, limits: o.Limits.withDefaults(), rep: rep}
	if err := w.prepare(); err != nil {
		return nil, nil, err
	}
	if _, err := w.walk(root, "", nil, nil); err != nil && !errors.Is(err, errStopped) {
		return nil, nil, err
	}
	w.addOverlay()
	w.checkPaths()
	if rep.refused {
		return nil, rep.findings(), nil
	}
	held := &holder{room: o.Hold, files: map[string][]byte{}}
	files, kept, err := hashAll(ctx, root, w.found, o.Overlay, held)
	if err != nil {
		return nil, nil, err
	}
	p := newPackage(Dir, files, kept, o)
	p.Omitted = w.omitted
	slices.SortFunc(p.Omitted, func(a, b Omitted) int { return strings.Compare(a.Path, b.Path) })
	p.content = w.content(held.files)
	if p.Size > w.limits.Unpacked {
		rep.error("LIMIT_UNPACKED", "", "the package has %d bytes, at most %d are allowed", p.Size, w.limits.Unpacked)
	}
	identify(p, o, rep)
	if rep.refused {
		return nil, rep.findings(), nil
	}
	markCommand(p)
	p.Fingerprint = Fingerprint(p.Files)
	return p, rep.findings(), nil
}

// prepare reads what decides about the packed set before the walk.
func (w *walker) prepare() error {
	pkg, err := w.peek(packageJSON)
	if err != nil {
		return err
	}
	w.files = parseFiles(pkg)
	npm := readNames(pkg)
	w.outputs = []string{npmBase(npm.name)}
	for _, l := range manifest.Locations {
		doc, err := w.peek(l)
		if err != nil {
			return err
		}
		w.outputs = append(w.outputs, readNames(doc).pluginID())
	}
	return nil
}

// peek reads a JSON file of the root, nil when there is none to be had: what
// is wrong with it shows later.
func (w *walker) peek(name string) ([]byte, error) {
	if b, ok := w.overlay[name]; ok {
		return b, nil
	}
	info, err := w.root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := w.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxJSON))
}

// addOverlay adds what the builder made. It is in whatever the ignore files
// and `files` say: the manifest needs it.
func (w *walker) addOverlay() {
	for _, name := range slices.Sorted(maps.Keys(w.overlay)) {
		switch {
		case junk(name):
			w.omit(name, false, "left behind by macOS") // install would skip it
			continue
		case shippedLock(name):
			w.rep.error("LOCK_SHIPPED", name, "the build made a lock file, which only install may write")
			continue
		}
		w.found = append(w.found, candidate{path: name, size: int64(len(w.overlay[name])), overlay: true})
	}
}

// checkPaths applies the rules that install applies.
func (w *walker) checkPaths() {
	slices.SortFunc(w.found, func(a, b candidate) int {
		return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.disk, b.disk))
	})
	t := newTree()
	for _, c := range w.found {
		if p := pathname.Check(c.path); p != nil {
			w.rep.path(c.path, p)
			continue
		}
		t.add(c.path, false, c.size, w.rep)
	}
	if t.count() > w.limits.Entries && !w.stopped {
		w.rep.error("LIMIT_ENTRIES", "", "the package has %d files and folders, at most %d are allowed", t.count(), w.limits.Entries)
	}
}

func (w *walker) content(held map[string][]byte) content {
	d := dirContent{root: w.root, disk: map[string]string{}, overlay: w.overlay, held: held}
	for _, c := range w.found {
		if !c.overlay && c.disk != c.path {
			d.disk[c.path] = c.disk
		}
	}
	return d
}

// markCommand makes the declared entry point executable: runtime.command when
// it is a file of the package. Exactly that path, not one that ends like it.
func markCommand(p *Package) {
	command := readNames(p.Manifest).command
	if !strings.Contains(command, "/") || path.IsAbs(command) {
		return
	}
	if i := p.find(path.Clean(command)); i >= 0 {
		p.Files[i].Exec = true
	}
}
