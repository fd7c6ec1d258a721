package pack

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// Change says how a file of an archive differs from the one in its source.
type Change string

// The changes. Added and missing are seen from the archive.
const (
	Added      Change = "added"        // only in the archive
	Missing    Change = "missing"      // only in the source
	Content    Change = "content"      // other bytes
	LineEnding Change = "line_endings" // the same text, with CRLF on one side
	Mode       Change = "mode"         // executable on one side only
)

// Difference is one change of one file.
type Difference struct {
	Path   string `json:"path"`
	Change Change `json:"change"`
}

// maxText bounds a file that is compared as text, in bytes.
const maxText = 32 << 20

// Differences lists how archive differs from source, sorted by path; nothing
// means that they hold the same files byte for byte. A file with other bytes is
// read on both sides to see whether only its line ends differ, as they do after
// a checkout with another git setting; archive must be one that Extract made.
func Differences(ctx context.Context, source, archive *Package) ([]Difference, error) {
	var list []Difference
	add := func(path string, c Change) { list = append(list, Difference{path, c}) }
	for _, f := range archive.Files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		want, there := source.Lookup(f.Path)
		if !there {
			add(f.Path, Added)
			continue
		}
		if want.Size != f.Size || want.SHA256 != f.SHA256 {
			change, err := howDifferent(source, archive, want, f)
			if err != nil {
				return nil, err
			}
			add(f.Path, change)
		}
		if want.Exec != f.Exec {
			add(f.Path, Mode)
		}
	}
	for _, f := range source.Files {
		if _, there := archive.Lookup(f.Path); !there {
			add(f.Path, Missing)
		}
	}
	slices.SortStableFunc(list, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

func howDifferent(source, archive *Package, a, b File) (Change, error) {
	if max(a.Size, b.Size) > maxText {
		return Content, nil
	}
	old, err := source.ReadFile(a.Path, maxText)
	if err != nil {
		return "", err
	}
	now, err := archive.ReadFile(b.Path, maxText)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(old, 0) < 0 && bytes.Equal(unixLines(old), unixLines(now)) {
		return LineEnding, nil
	}
	return Content, nil
}

func unixLines(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
