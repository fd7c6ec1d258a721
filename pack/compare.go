package pack

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
)

// FileChange is one file of an installed package that is not as it was.
type FileChange struct {
	Path   string `json:"path"`
	Reason string `json:"reason"` // content, mode, link, special, unreadable
	Wanted string `json:"wanted,omitempty"`
	Got    string `json:"got,omitempty"`
}

// Alterations is what was done to a folder that had from a list of files; each part is sorted
// by path.
type Alterations struct {
	Changed []FileChange `json:"changed"`
	Missing []string     `json:"missing"`
	Added   []string     `json:"added"`
}

// Empty reports whether there is no difference.
func (d Alterations) Empty() bool { return len(d.Changed)+len(d.Missing)+len(d.Added) == 0 }

// CompareDir hashes an installed folder and compares it with want, as
// FingerprintDir sees it. Unlike there, a link, a special file or a file that
// cannot be read is a change and not an error, so that one of them does not
// hide the rest. Folders are no part of a package.
func CompareDir(ctx context.Context, root *os.Root, want []File) (Alterations, error) {
	d := Alterations{Changed: []FileChange{}, Missing: []string{}, Added: []string{}}
	got, odd, err := lookInto(ctx, root)
	if err != nil {
		return d, err
	}
	for _, f := range want {
		if reason := odd[f.Path]; reason != "" {
			d.Changed = append(d.Changed, FileChange{Path: f.Path, Reason: reason})
		} else if now, ok := got[f.Path]; !ok {
			d.Missing = append(d.Missing, f.Path)
		} else if change, changed := changeOf(f, now); changed {
			d.Changed = append(d.Changed, change)
		}
		delete(got, f.Path)
		delete(odd, f.Path)
	}
	for p := range got {
		d.Added = append(d.Added, p)
	}
	for p := range odd {
		d.Added = append(d.Added, p)
	}
	slices.SortFunc(d.Changed, func(a, b FileChange) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(d.Missing)
	slices.Sort(d.Added)
	return d, nil
}

// lookInto hashes the regular files of root, and says of the others what is
// odd about them.
func lookInto(ctx context.Context, root *os.Root) (files map[string]File, odd map[string]string, err error) {
	files, odd = map[string]File{}, map[string]string{}
	err = fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && p == ".":
			return err
		case err != nil:
			odd[p] = "unreadable"
			if e != nil && e.IsDir() {
				return fs.SkipDir
			}
		case e.IsDir():
		case e.Type()&fs.ModeSymlink != 0:
			odd[p] = "link"
		case !e.Type().IsRegular():
			odd[p] = "special"
		default:
			files[p] = File{Path: p}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for p := range files {
		if files[p], err = installedFile(ctx, root, p); err != nil {
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			delete(files, p)
			if !errors.Is(err, fs.ErrNotExist) {
				odd[p] = "unreadable"
			}
		}
	}
	return files, odd, nil
}

func changeOf(want, got File) (FileChange, bool) {
	switch {
	case want.SHA256 != got.SHA256 || want.Size != got.Size:
		return FileChange{want.Path, "content", hashText(want), hashText(got)}, true
	case want.Exec != got.Exec && modesKept():
		return FileChange{want.Path, "mode", modeText(want), modeText(got)}, true
	}
	return FileChange{}, false
}
