package pack

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/ignore"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// candidate is a file of the packed set before it is read.
type candidate struct {
	path    string // as packed: NFC
	disk    string // as on disk
	size    int64
	overlay bool
}

// walker collects the packed set of a folder.
type walker struct {
	ctx     context.Context
	root    *os.Root
	overlay map[string][]byte
	limits  Limits
	rep     *reporter
	files   *ignore.Matcher // `files` of package.json; nil takes everything
	outputs []string        // how the names of earlier outputs start, before the version

	found   []candidate
	omitted []Omitted
	stopped bool
}

// errStopped ends a walk early after a finding.
var errStopped = errors.New("walk stopped")

// errNotRegular is the reason of a fingerprint that cannot be made.
var errNotRegular = errors.New("no regular file")

const ignoreFile = ".wuuignore"

// walk enters one folder; dir is its path on disk, above holds the folders on
// the way to it. It returns how many files were taken.
func (w *walker) walk(here *os.Root, dir string, rules *ignore.Matcher, above []fs.FileInfo) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	if len(above) > pathname.MaxDepth {
		w.rep.error("PATH_TOO_DEEP", dir, "folders are nested more than %d levels deep", pathname.MaxDepth)
		return 0, nil
	}
	entries, self, err := list(here)
	if err != nil {
		return 0, err
	}
	above = append(above[:len(above):len(above)], self)
	rules, err = w.rules(here, dir, entries, rules)
	if err != nil {
		return 0, err
	}
	taken := 0
	for _, e := range entries {
		n, err := w.entry(here, dir, e, rules, above)
		if err != nil {
			return 0, err
		}
		taken += n
	}
	return taken, nil
}

// list reads a folder in a fixed order.
func list(here *os.Root) ([]fs.DirEntry, fs.FileInfo, error) {
	f, err := here.Open(".")
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	self, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, self, err
}

// rules adds the folder's own ignore file to those above it.
func (w *walker) rules(here *os.Root, dir string, entries []fs.DirEntry, rules *ignore.Matcher) (*ignore.Matcher, error) {
	i := slices.IndexFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ignoreFile })
	if i < 0 || !entries[i].Type().IsRegular() {
		return rules, nil
	}
	f, err := here.Open(ignoreFile)
	if err != nil {
		return nil, vanished(join(dir, ignoreFile), err)
	}
	defer f.Close()
	own, err := ignore.Parse(f, pathname.NFC(dir))
	if err != nil {
		return nil, err
	}
	return rules.With(own), nil
}

func (w *walker) entry(here *os.Root, dir string, e fs.DirEntry, rules *ignore.Matcher, above []fs.FileInfo) (int, error) {
	disk := join(dir, e.Name())
	packed := pathname.NFC(disk)
	isDir, link := e.IsDir(), e.Type()&fs.ModeSymlink != 0
	if reason := w.left(dir, packed, e.Name(), isDir); reason != "" {
		w.omit(packed, isDir, reason)
		return 0, nil
	}
	if _, replaced := w.overlay[packed]; replaced && !isDir {
		return 1, nil // comes with the overlay
	}
	var info fs.FileInfo
	if link && !rules.Own(packed, false) {
		if info = w.follow(disk, packed); info == nil {
			return 0, nil
		}
		isDir = info.IsDir()
	}
	switch {
	case rules.Own(packed, isDir):
		w.omit(packed, isDir, "left out by "+ignoreFile)
		return 0, nil
	case isDir:
		return w.enter(here, disk, packed, e.Name(), rules, above)
	}
	return w.file(packed, disk, e, info)
}

// file takes one regular file. info is set for links.
func (w *walker) file(packed, disk string, e fs.DirEntry, info fs.FileInfo) (int, error) {
	if w.files != nil && !w.files.Covers(packed) {
		w.omit(packed, false, notInFiles)
		return 0, nil
	}
	link := info != nil
	if !link {
		var err error
		if info, err = e.Info(); errors.Is(err, fs.ErrNotExist) {
			return 0, nil // gone since the folder was read
		} else if err != nil {
			return 0, err
		}
	}
	if !info.Mode().IsRegular() {
		w.rep.error("ENTRY_SPECIAL", packed, "this is no regular file (%s)", info.Mode().Type())
		return 0, nil
	}
	if link {
		w.rep.info("PACK_LINK_INSIDE", packed, "the link is packed as a regular file with the content it leads to")
	}
	w.found = append(w.found, candidate{path: packed, disk: disk, size: info.Size()})
	if len(w.found) > w.limits.Entries {
		w.stopped = true
		w.rep.error("LIMIT_ENTRIES", "", "the package has more than %d files", w.limits.Entries)
		return 0, errStopped
	}
	return 1, nil
}

// enter walks a folder below here. When everything in it stays out because of
// `files`, the folder is named once instead.
func (w *walker) enter(here *os.Root, disk, packed, name string, rules *ignore.Matcher, above []fs.FileInfo) (int, error) {
	sub, err := here.OpenRoot(name)
	if err != nil {
		if sub, err = w.root.OpenRoot(disk); err != nil { // a link that leads up and down again
			return 0, vanished(packed, err)
		}
	}
	defer sub.Close()
	if looped(sub, above) {
		w.rep.error("PACK_LINK_LOOP", packed, "the link leads to a folder above itself")
		return 0, nil
	}
	before := len(w.omitted)
	taken, err := w.walk(sub, disk, rules, above)
	if err != nil || taken > 0 || len(w.omitted) == before {
		return taken, err
	}
	for _, o := range w.omitted[before:] {
		if o.Reason != notInFiles {
			return 0, nil
		}
	}
	w.omitted = append(w.omitted[:before], Omitted{packed + "/", notInFiles})
	return 0, nil
}

func looped(sub *os.Root, above []fs.FileInfo) bool {
	info, err := sub.Stat(".")
	return err == nil && slices.ContainsFunc(above, func(a fs.FileInfo) bool { return os.SameFile(a, info) })
}

func (w *walker) omit(packed string, isDir bool, reason string) {
	if isDir {
		packed += "/"
	}
	w.omitted = append(w.omitted, Omitted{packed, reason})
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
