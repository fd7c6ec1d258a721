package pack

import (
	"fmt"
	"strings"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// MaxFindings is how many findings one run returns; a last one counts the rest.
const MaxFindings = 50

// refusals are the code families that mean "this archive is refused". All
// other error codes are about what its manifest says.
var refusals = [...]string{"PATH_", "ENTRY_", "LAYOUT_", "GZIP_", "TAR_", "ZIP_", "ARCHIVE_", "LIMIT_", "LOCK_SHIPPED"}

// Refusal reports whether findings refuse an archive itself (exit code 4),
// and not only what its manifest says (exit code 1).
func Refusal(findings []Finding) bool {
	for _, f := range findings {
		if f.Severity != diag.Error {
			continue
		}
		for _, family := range refusals {
			if strings.HasPrefix(f.Code, family) {
				return true
			}
		}
	}
	return false
}

// reporter collects findings. Errors push notes out, so that a flood of notes
// cannot hide a refusal.
type reporter struct {
	list    []Finding
	dropped int
	refused bool
}

func (r *reporter) add(f Finding) {
	if f.Severity == diag.Error {
		r.refused = true
	}
	if len(r.list) < MaxFindings {
		r.list = append(r.list, f)
		return
	}
	r.dropped++
	if f.Severity != diag.Error {
		return
	}
	for i := len(r.list) - 1; i >= 0; i-- {
		if r.list[i].Severity != diag.Error {
			r.list = append(append(r.list[:i:i], r.list[i+1:]...), f)
			return
		}
	}
}

// error reports a refusal about a file or entry; name may be hostile.
func (r *reporter) error(code, name, format string, args ...any) {
	r.add(finding(diag.Error, code, name, fmt.Sprintf(format, args...)))
}

func (r *reporter) warn(code, name, format string, args ...any) {
	r.add(finding(diag.Warning, code, name, fmt.Sprintf(format, args...)))
}

func (r *reporter) info(code, name, format string, args ...any) {
	r.add(finding(diag.Info, code, name, fmt.Sprintf(format, args...)))
}

func (r *reporter) path(name string, p *pathname.Problem) {
	f := finding(diag.Error, p.Code, name, p.Message)
	if p.Code == "PATH_BACKSLASH" {
		f.Hint = "pack with `wuu plugin pack`, which writes portable names"
	}
	r.add(f)
}

// archive is the Report function of archive.Options.
func (r *reporter) archive(p archive.Problem) {
	severity := diag.Error
	if p.Note {
		severity = diag.Info
	}
	r.add(finding(severity, p.Code, p.Entry, p.Message))
}

func finding(severity diag.Severity, code, name, message string) Finding {
	return Finding{Code: code, Severity: severity, File: pathname.Show(name), Message: message}
}

// findings returns what was collected.
func (r *reporter) findings() []Finding {
	if r.dropped == 0 {
		return r.list
	}
	return append(r.list, finding(diag.Info, "MORE_FINDINGS", "", fmt.Sprintf("%d more findings are not shown", r.dropped)))
}
