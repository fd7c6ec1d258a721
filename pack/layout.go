package pack

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// npmRoot is the one folder of an npm tarball that holds everything.
const npmRoot = "package"

// layout maps entry names to paths inside the package: npm tarballs have the
// root package/, zips their own root or one single top folder.
type layout struct {
	format  archive.Format
	root    string // without slash; "" is the archive's own root
	inside  int
	outside []string // names that do not lie under root, at most a few
	dotted  bool     // the note about "./" was given
}

func newLayout(ar archive.Reader) *layout {
	l := &layout{format: ar.Format(), root: npmRoot}
	if l.format == archive.Zip {
		l.root = zipRoot(ar.Names())
	}
	return l
}

// zipRoot finds the one top folder of a zip without a manifest at its root.
func zipRoot(names []string) string {
	top := ""
	for _, name := range names {
		name = strings.TrimPrefix(name, "./")
		if name == "" || junk(strings.TrimSuffix(name, "/")) {
			continue
		}
		if slices.Contains(manifest.Locations[:], name) {
			return ""
		}
		first, _, below := strings.Cut(name, "/")
		if !below || top != "" && top != first {
			return ""
		}
		top = first
	}
	if pathname.Check(top) != nil {
		return ""
	}
	return top
}

// place returns the path inside the package; ok is false for the root itself
// and for names outside it, which close reports.
func (l *layout) place(e *archive.Entry, rep *reporter) (path string, ok bool) {
	name := e.Name
	for strings.HasPrefix(name, "./") && name != "./" {
		name = name[2:]
		if !l.dotted {
			l.dotted = true
			rep.info("LAYOUT_DOT_PREFIX", e.Name, "names start with \"./\", which is left out")
		}
	}
	if e.Kind == archive.Dir && (name == "." || name == "./" || name == l.root && name != "") {
		return "", false
	}
	if l.root == "" {
		return name, true
	}
	path, under := strings.CutPrefix(name, l.root+"/")
	if under {
		l.inside++
		return path, true
	}
	if junk(name) {
		return name, true // judged like any entry, then skipped
	}
	if p := pathname.Check(name); p != nil {
		rep.path(e.Name, p)
	} else if len(l.outside) < 100 {
		l.outside = append(l.outside, name)
	}
	return "", false
}

// strayed reports whether a name outside the root was seen: nothing may be
// written any more, although the finding comes at the end.
func (l *layout) strayed() bool { return len(l.outside) > 0 }

// close reports names outside the root of a tarball.
func (l *layout) close(rep *reporter) {
	if !l.strayed() {
		return
	}
	first := l.outside[0]
	tops := map[string]bool{}
	flat := ""
	for _, name := range l.outside {
		top, _, below := strings.Cut(name, "/")
		tops[top] = true
		if !below && flat == "" {
			flat = name
		}
	}
	switch {
	case l.inside > 0:
		rep.error("LAYOUT_MULTI_ROOT", first, "the entry lies beside the root folder %s/", l.root)
	case flat != "":
		rep.error("LAYOUT_NO_ROOT", flat, "the tarball has no root folder; npm tarballs have %s/", npmRoot)
	case len(tops) == 1:
		top, _, _ := strings.Cut(first, "/")
		rep.error("LAYOUT_ROOT", first, "the root folder is %s/; npm tarballs have %s/", pathname.Show(top), npmRoot)
	default:
		rep.error("LAYOUT_MULTI_ROOT", first, "the tarball has %d root folders; npm tarballs have %s/ alone", len(tops), npmRoot)
	}
}

// junk reports what macOS leaves behind: skipped, never part of a package.
func junk(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "__MACOSX" {
			return true
		}
	}
	return path == ".DS_Store" || strings.HasSuffix(path, "/.DS_Store")
}

// shippedLock reports the name of the file that install writes itself, in any
// form that some system takes for it.
func shippedLock(path string) bool { return pathname.Fold(path) == LockName }

// LockName is the lock file that install writes into a package's folder. It is
// no part of the package.
const LockName = ".wuu-package-lock.json"
