package pack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/ignore"
	"github.com/wuu-plugins/wuu/internal/secret"
)

// Allow names findings of Scan that may stay: a code and a file, by its path
// or by a pattern that starts at the root of the package.
type Allow struct {
	Code, Path string
	// Found is where the entry stands; one of a command line stands nowhere.
	Found Finding
}

// ParseAllow reads CODE:path.
func ParseAllow(text string) (Allow, error) {
	code, path, ok := strings.Cut(text, ":")
	switch {
	case !ok || path == "":
		return Allow{}, fault.New(fault.Usage, "USAGE", "", "allow %q: want CODE:path", text).WithHint("for example SECRET_TOKEN:tests/fixture.txt")
	case !secret.Known(code):
		return Allow{}, fault.New(fault.Usage, "USAGE", "", "allow %q: %q cannot be allowed", text, code).WithHint("%s", allowable)
	}
	return Allow{Code: code, Path: path}, nil
}

const allowable = "one of " + secret.PrivateKey + ", " + secret.Token + ", " + secret.File + " and " + secret.Hidden

// Matches reports whether a names f: its code and its file.
func (a Allow) Matches(f Finding) bool {
	if a.Code != f.Code {
		return false
	}
	if a.Path == f.File {
		return true
	}
	if !strings.ContainsAny(a.Path, "*?[") {
		return false
	}
	m, err := ignore.Parse(strings.NewReader("/"+rooted(a.Path)), "")
	return err == nil && m.Covers(f.File)
}

// permit drops what is allowed and adds a warning for each entry that allows
// nothing: it would hide the next mistake.
func permit(list []Finding, allow []Allow) []Finding {
	used := make([]bool, len(allow))
	list = slices.DeleteFunc(list, func(f Finding) bool {
		allowed := false
		for i, a := range allow {
			if a.Matches(f) {
				used[i], allowed = true, true
			}
		}
		return allowed
	})
	if more := len(list) - MaxFindings; more > 0 {
		list = append(list[:MaxFindings], finding(diag.Info, "MORE_FINDINGS", "", fmt.Sprintf("%d more findings are not shown", more)))
	}
	for i, a := range allow {
		if used[i] {
			continue
		}
		f := a.Found
		f.Code, f.Severity = "ALLOW_UNUSED", diag.Warning
		f.Message = fmt.Sprintf("nothing in %s has to be allowed as %s", finding("", "", a.Path, "").File, a.Code)
		f.Hint = "remove the entry: it would hide the next mistake"
		list = append(list, f)
	}
	return list
}
