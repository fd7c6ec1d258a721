package lockfile

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// ConflictDetails is what the error of code LOCK_CONFLICT carries.
type ConflictDetails struct {
	Lines []int    `json:"lines"`           // of the markers, from 1
	Sides []string `json:"sides,omitempty"` // "package@version" of each side that is a lock by itself
}

// findConflict reports a version control system's conflict markers. It never
// chooses a side, but says what each one is.
func findConflict(file string, src []byte) *Error {
	var lines []int
	var ours, theirs [][]byte
	side := byte(0)
	for i, line := range bytes.Split(src, []byte("\n")) {
		if mark := marker(line); mark != 0 {
			lines = append(lines, i+1)
			side = mark
			continue
		}
		if side != '=' && side != '|' {
			ours = append(ours, line)
		}
		if side != '<' && side != '|' {
			theirs = append(theirs, line)
		}
	}
	if lines == nil {
		return nil
	}
	details := ConflictDetails{Lines: lines}
	for _, part := range [][][]byte{ours, theirs} {
		if l, err := parse(bytes.Join(part, []byte("\n"))); err == nil {
			details.Sides = append(details.Sides, l.Package+"@"+l.Version)
		}
	}
	e := fault.New(fault.Lock, "LOCK_CONFLICT", file, "conflict markers in %s", lineList(lines)).WithDetails(details)
	if len(details.Sides) == 2 {
		return e.WithHint("keep one side and remove the markers: %s above =======, %s below it", details.Sides[0], details.Sides[1])
	}
	return e.WithHint("keep one side whole and remove the markers")
}

// marker returns the character of a conflict marker line, or 0.
func marker(line []byte) byte {
	line = bytes.TrimRight(line, "\r")
	for _, c := range []byte("<|=>") {
		seven := bytes.Repeat([]byte{c}, 7)
		if bytes.Equal(line, seven) || bytes.HasPrefix(line, append(seven, ' ')) {
			return c
		}
	}
	return 0
}

func lineList(lines []int) string {
	if len(lines) == 1 {
		return fmt.Sprintf("line %d", lines[0])
	}
	text := make([]string, len(lines))
	for i, n := range lines {
		text[i] = fmt.Sprint(n)
	}
	return "lines " + strings.Join(text[:len(text)-1], ", ") + " and " + text[len(text)-1]
}
