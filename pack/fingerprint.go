package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// Fingerprint is the identity of a list of files: lower-case hex of SHA-256
// over one line "path NUL x|- NUL size NUL sha256hex LF" for each file, sorted
// by the bytes of the path (design/distribution.md). The order of files does
// not matter.
func Fingerprint(files []File) string {
	byPath := func(a, b File) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(files, byPath) {
		files = slices.Clone(files)
		slices.SortFunc(files, byPath)
	}
	sum := sha256.New()
	var line []byte
	for _, f := range files {
		line = append(line[:0], f.Path...)
		line = append(line, 0, '-', 0)
		if f.Exec {
			line[len(line)-2] = 'x'
		}
		line = strconv.AppendInt(line, f.Size, 10)
		line = append(line, 0)
		line = hex.AppendEncode(line, f.SHA256[:])
		line = append(line, '\n')
		sum.Write(line)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
