// Package npmver answers npm's questions about names and versions as npm
// itself does. Versions are parsed and compared by Masterminds/semver; ranges
// are node-semver's, because Masterminds' own differ from them in about a
// tenth of all cases, prereleases above all.
package npmver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// maxSafe is the largest number that node's semver takes in a version.
const maxSafe = 1<<53 - 1

// Version is one exact version.
type Version struct{ v *semver.Version }

// Parse reads an exact version: three numbers, then perhaps -prerelease and
// +build. No "v" or "=" in front, no spaces, at most 256 bytes, no number
// above 2^53-1.
func Parse(s string) (Version, error) {
	v, err := semver.StrictNewVersion(s)
	if err != nil {
		return Version{}, fmt.Errorf("%q is not an exact version: %w", clip(s), reason(err))
	}
	if v.Major() > maxSafe || v.Minor() > maxSafe || v.Patch() > maxSafe {
		return Version{}, fmt.Errorf("%q is not an exact version: a number is above 2^53-1", clip(s))
	}
	return Version{v}, nil
}

func reason(err error) error {
	if errors.Is(err, semver.ErrInvalidSemVer) || errors.Is(err, semver.ErrEmptyString) {
		return errors.New("want three numbers, as in 1.2.3")
	}
	return err
}

// Clean reads a version as people write it: spaces around it and "v" or "="
// in front are dropped.
func Clean(s string) (Version, error) {
	return Parse(strings.TrimLeft(strings.TrimSpace(s), "=v"))
}

// String is the version's text, build metadata included.
func (v Version) String() string { return v.v.String() }

// Prerelease is the part behind the dash, or "".
func (v Version) Prerelease() string { return v.v.Prerelease() }

// WithoutBuild is the version's text without "+build", as npm's registry keeps it.
func (v Version) WithoutBuild() string {
	text, _, _ := strings.Cut(v.v.String(), "+")
	return text
}

// Compare orders by precedence: -1, 0 or 1. Build metadata does not count.
func (v Version) Compare(w Version) int { return v.v.Compare(w.v) }

// Compare orders two texts by precedence: -1, 0 or 1. What is not an exact
// version stands below every version, and equal to its like.
func Compare(a, b string) int {
	v, errA := Parse(a)
	w, errB := Parse(b)
	switch {
	case errA == nil && errB == nil:
		return v.Compare(w)
	case errA == nil:
		return 1
	case errB == nil:
		return -1
	}
	return 0
}

// SortNewest sorts the versions among all, highest first, and drops what is
// not an exact version.
func SortNewest(all []string) []string {
	parsed := make([]Version, 0, len(all))
	for _, s := range all {
		if v, err := Parse(s); err == nil {
			parsed = append(parsed, v)
		}
	}
	slices.SortStableFunc(parsed, func(a, b Version) int { return b.Compare(a) })
	out := make([]string, len(parsed))
	for i, v := range parsed {
		out[i] = v.String()
	}
	return out
}

// Newest returns the n highest versions among all that match r, highest first.
func Newest(all []string, r Range, n int) []string {
	var out []string
	for _, s := range SortNewest(all) {
		if len(out) == n {
			break
		}
		if v, err := Parse(s); err == nil && r.Match(v) {
			out = append(out, s)
		}
	}
	return out
}

func clip(s string) string {
	if len(s) > 64 {
		return s[:64] + "…"
	}
	return s
}
