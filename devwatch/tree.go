package devwatch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// tree knows what is watched and what each file last held.
type tree struct {
	roots  []*root
	ignore func(path string, dir bool) bool
	inputs map[string]bool  // files outside the roots, or ignored in them
	known  map[string]entry // files and links that exist
}

// root is one of Options.Roots.
type root struct {
	path string
	dir  bool
	gone bool
}

// survey is the result of walking a part of the tree.
type survey struct {
	files map[string]sample
	dirs  map[string]uint64 // with their inodes
	blind []string          // folders that cannot be read: what is below is unknown
	gone  []string          // roots that do not exist
}

func newSurvey() *survey {
	return &survey{files: map[string]sample{}, dirs: map[string]uint64{}}
}

// blinded reports whether the survey says nothing about path.
func (s *survey) blinded(path string) bool {
	for _, list := range [][]string{s.blind, s.gone} {
		for _, dir := range list {
			if path == dir || below(dir, path) {
				return true
			}
		}
	}
	return false
}

// all surveys every root and input.
func (t *tree) all() *survey {
	s := newSurvey()
	for _, r := range t.roots {
		info, err := os.Stat(r.path)
		switch {
		case err != nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir)):
			if r.dir {
				s.gone = append(s.gone, r.path)
			}
		case err != nil:
			s.blind = append(s.blind, r.path)
		case info.IsDir():
			s.dirs[r.path], _ = identity(info)
			t.walk(r.path, s)
		}
		if !r.dir {
			t.single(r.path, s)
		}
	}
	for path := range t.inputs {
		t.single(path, s)
	}
	return s
}

// single surveys one file that is watched by name.
func (t *tree) single(path string, s *survey) {
	seen, ok := look(path)
	switch {
	case !ok:
		s.blind = append(s.blind, path)
	case seen.kind == file || seen.kind == link:
		s.files[path] = seen
	}
}

// walk surveys the folder dir, which is watched, and everything below it that
// is not ignored.
func (t *tree) walk(dir string, s *survey) {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.blind = append(s.blind, dir)
	}
	for _, d := range list {
		path := filepath.Join(dir, d.Name())
		if d.IsDir() {
			if t.ignore(path, true) {
				continue
			}
			info, err := d.Info()
			if err != nil {
				continue // gone between the two calls
			}
			s.dirs[path], _ = identity(info)
			t.walk(path, s)
			continue
		}
		if _, known := t.known[path]; !known && (EditorTemp(path) || t.ignore(path, false)) {
			continue
		}
		info, err := d.Info()
		if err != nil {
			continue
		}
		if seen := sampleOf(info); seen.kind == file || seen.kind == link {
			s.files[path] = seen
		}
	}
}

// covers reports whether the roots alone make path, a file, watched.
func (t *tree) covers(path string) bool {
	for _, r := range t.roots {
		if !r.dir && r.path == path {
			return true
		}
		if r.dir && below(r.path, path) && !EditorTemp(path) && !t.ignore(path, false) && t.open(r.path, filepath.Dir(path)) {
			return true
		}
	}
	return false
}

// coversDir reports whether the folder path is a root or watched inside one.
func (t *tree) coversDir(path string) bool {
	for _, r := range t.roots {
		if r.dir && (path == r.path || below(r.path, path) && t.open(r.path, path)) {
			return true
		}
	}
	return false
}

// open reports whether no folder between root and dir, itself included, is
// ignored.
func (t *tree) open(root, dir string) bool {
	for dir != root {
		if t.ignore(dir, true) {
			return false
		}
		dir = filepath.Dir(dir)
	}
	return true
}

// wants reports whether path, a file, is watched.
func (t *tree) wants(path string) bool { return t.inputs[path] || t.covers(path) }

// knownBelow lists the known files inside dir.
func (t *tree) knownBelow(dir string) []string {
	var list []string
	for path := range t.known {
		if below(dir, path) {
			list = append(list, path)
		}
	}
	return list
}

// looped reports whether the link at path leads to a folder that it stands in.
func looped(path string) bool {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	here, err := filepath.EvalSymlinks(filepath.Dir(path))
	return err == nil && (here == target || below(target, here))
}
