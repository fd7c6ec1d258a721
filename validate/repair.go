package validate

import (
	"bytes"
	"path"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// maxRounds bounds how often a file is read again after edits: a syntax error
// hides what follows it.
const maxRounds = 200

// Repaired is a file after its safe edits.
type Repaired struct {
	Content   []byte
	Fixed     []Finding // in the order in which they were repaired; places are those of their round
	Conflicts []Finding // put off by an edit of the same bytes, and still there at the end
}

// Repair makes every edit of the findings in src, the content of file, and,
// when file is JSON, those that only then come to light, until none is left.
// Nothing but the edited bytes changes: layout, order and line ends stay. A
// repaired file, repaired again, stays as it is.
func Repair(file string, src []byte, findings []Finding) Repaired {
	r := Repaired{Content: src}
	seen := [][]byte{}
	for range maxRounds {
		next, applied, left := diag.Apply(r.Content, findings)
		r.Conflicts = left
		if len(applied) == 0 || bytes.Equal(next, r.Content) {
			return r
		}
		for _, before := range seen {
			if bytes.Equal(before, next) {
				return r // two rules disagree; neither may win by turns
			}
		}
		if len(next) < 1<<16 {
			seen = append(seen, r.Content)
		}
		r.Content, r.Fixed = next, append(r.Fixed, applied...)
		switch {
		case path.Base(file) == "plugin.json":
			_, findings = manifest.Parse(file, r.Content)
		case path.Ext(file) == ".json":
			_, findings = jsonpos.Parse(file, r.Content)
		default:
			r.Conflicts = left
			return r
		}
	}
	return r
}
