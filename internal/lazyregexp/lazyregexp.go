// Package lazyregexp compiles patterns at their first use: a package-level
// regexp costs every start of wuu its compile time, used or not.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns the pattern as a function. A pattern that does not compile
// panics at its first use, so each needs a test that uses it.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
