// Package version holds the product's CalVer: YYYY.MMDD.N with MMDD written
// without a leading zero, so that it is also a semver triple.
package version

import "strings"

// current is replaced at link time by the release build
// (-ldflags "-X github.com/wuu-plugins/wuu/internal/version.current=…").
var current = "2026.1130.0"

// String returns the version of this build, for example "2026.1130.0" or,
// for a development build, "2026.1130.0-dev.3".
func String() string { return current }

// Base returns the version without a development suffix: a development build
// counts as the release it is built on (design/cli.md).
func Base() string {
	base, _, _ := strings.Cut(current, "-")
	return base
}
