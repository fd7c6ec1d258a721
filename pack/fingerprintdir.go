package pack

import (
	"context"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
)

// FingerprintDir hashes an installed folder as it stands, every regular file
// included, the lock too: what inspect --verify compares. The executable bit
// is the one on disk; Windows has none, there it is what pack would give the
// file. A link or special file is an error: no installed package holds one.
func FingerprintDir(ctx context.Context, root *os.Root) (string, error) {
	files, err := InstalledFiles(ctx, root)
	if err != nil {
		return "", err
	}
	return Fingerprint(files), nil
}

// InstalledFiles lists an installed folder as FingerprintDir sees it, sorted
// by path.
func InstalledFiles(ctx context.Context, root *os.Root) ([]File, error) {
	var found []candidate
	exec := map[string]bool{}
	err := fs.WalkDir(root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return &fs.PathError{Op: "fingerprint", Path: p, Err: errNotRegular}
		}
		exec[p] = info.Mode()&0o111 != 0
		found = append(found, candidate{path: p, disk: p})
		return nil
	})
	if err != nil {
		return nil, err
	}
	files, kept, err := hashAll(ctx, root, found, nil, new(holder))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	if runtime.GOOS == "windows" {
		p := &Package{Files: files}
		for path, doc := range kept {
			if path != packageJSON {
				p.Manifest = doc
			}
		}
		markCommand(p)
		return files, nil
	}
	for i := range files {
		files[i].Exec = exec[files[i].Path]
	}
	return files, nil
}
