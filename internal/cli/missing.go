package cli

import (
	"path"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/diag"
)

// mergeMissing joins both lists and makes one finding of what the builder and
// the validator say of the same absent output: the validator's place in the
// manifest with the builder's hint, which knows the source it looked for.
//
// When the sources do not build, that an output is absent follows from it:
// "build it" would lead nowhere, and only the mistakes in the sources are told.
func mergeMissing(built, checked []diag.Finding, manifest []byte) []diag.Finding {
	built = slices.DeleteFunc(built, func(b diag.Finding) bool {
		if b.Code != "BUILD_MISSING" {
			return false
		}
		for i, c := range checked {
			if strings.HasSuffix(c.Code, "_ENTRY_MISSING") && b.File == quotedPath(manifest, c) {
				if c.Hint == "" || strings.HasPrefix(c.Hint, "build it: ") {
					checked[i].Hint = b.Hint
				}
				return true
			}
		}
		return false
	})
	unbuilt := slices.ContainsFunc(built, func(b diag.Finding) bool {
		return b.Severity == diag.Error && (b.Code == bundle.CodeError || b.Code == bundle.CodeConfig)
	})
	checked = slices.DeleteFunc(slices.Clone(checked), func(c diag.Finding) bool {
		return unbuilt && strings.HasSuffix(c.Code, "_ENTRY_MISSING") && strings.HasPrefix(c.Hint, "build it: ")
	})
	return append(built, checked...)
}

// quotedPath is the path that a finding about a string value points at.
func quotedPath(manifest []byte, f diag.Finding) string {
	start, end := f.Start.Offset+1, f.End.Offset-1
	if start < 1 || end <= start || end > len(manifest) {
		return ""
	}
	return path.Clean(string(manifest[start:end]))
}
