package validate

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// Code describes one kind of finding.
type Code struct {
	Code     string
	Severity diag.Severity // the highest that it can have
	Summary  string        // what it means, as a clause
}

// Codes is the table of every code that a check of a package can find, sorted
// by code. Codes are stable: scripts and ignore lists name them.
func Codes() []Code {
	all := slices.Concat(contentCodes[:], archiveCodes[:], buildCodes[:], secretCodes[:])
	slices.SortFunc(all, func(a, b Code) int { return strings.Compare(a.Code, b.Code) })
	return all
}

// Explain returns the entry of a code.
func Explain(code string) (Code, bool) {
	for _, c := range Codes() {
		if c.Code == code {
			return c, true
		}
	}
	return Code{}, false
}
