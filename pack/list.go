package pack

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// List writes the text that Fingerprint hashes: one line "path NUL x|- NUL size
// NUL sha256hex LF" for each file, sorted by the bytes of the path
// (design/distribution.md). So a list proves itself: it is that of a package
// when its SHA-256 is the package's fingerprint.
func List(files []File) []byte {
	var out []byte
	for _, f := range sorted(files) {
		out = appendLine(out, f)
	}
	return out
}

// ParseList reads what List wrote. It does not check paths: who uses the list
// compares its hash with a fingerprint first.
func ParseList(src []byte) ([]File, error) {
	var files []File
	for n := 1; len(src) > 0; n++ {
		line, rest, whole := bytes.Cut(src, []byte("\n"))
		src = rest
		f, ok := parseLine(string(line))
		if !ok || !whole {
			return nil, fmt.Errorf("line %d of the file list is damaged", n)
		}
		if len(files) > 0 && files[len(files)-1].Path >= f.Path {
			return nil, fmt.Errorf("line %d of the file list is out of order", n)
		}
		files = append(files, f)
	}
	return files, nil
}

func parseLine(line string) (f File, ok bool) {
	fields := strings.Split(line, "\x00")
	if len(fields) != 4 || fields[0] == "" || fields[1] != "x" && fields[1] != "-" {
		return f, false
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != fields[2] || len(fields[3]) != 2*len(f.SHA256) || strings.ToLower(fields[3]) != fields[3] {
		return f, false
	}
	f.Path, f.Exec, f.Size = fields[0], fields[1] == "x", size
	_, err = hex.Decode(f.SHA256[:], []byte(fields[3]))
	return f, err == nil
}

// appendLine adds the line of one file.
func appendLine(line []byte, f File) []byte {
	line = append(line, f.Path...)
	line = append(line, 0, '-', 0)
	if f.Exec {
		line[len(line)-2] = 'x'
	}
	line = strconv.AppendInt(line, f.Size, 10)
	line = append(line, 0)
	line = hex.AppendEncode(line, f.SHA256[:])
	return append(line, '\n')
}

// sorted returns files in the order of their paths; files itself stays as it is.
func sorted(files []File) []File {
	byPath := func(a, b File) int { return strings.Compare(a.Path, b.Path) }
	if !slices.IsSortedFunc(files, byPath) {
		files = slices.Clone(files)
		slices.SortFunc(files, byPath)
	}
	return files
}
