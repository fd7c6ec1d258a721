// Package ignore reads ignore files with the meaning that git gives them:
// .wuuignore when packing, .gitignore when watching (gitignore(5)).
package ignore

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// maxLine bounds one pattern; longer lines are an error.
const maxLine = 64 << 10

// Matcher holds the patterns of one or more ignore files. It is immutable and
// safe for concurrent use; the zero value matches nothing.
type Matcher struct{ patterns []pattern }

// Parse reads an ignore file that stands in the folder base ("" is the root,
// else a slash-separated path without a trailing slash). Patterns that can
// never match, such as an open bracket, are kept and match nothing, as in git.
func Parse(r io.Reader, base string) (*Matcher, error) {
	m := new(Matcher)
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 4096), maxLine)
	for first := true; sc.Scan(); first = false {
		line := sc.Bytes()
		if first {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if p, ok := parseLine(string(line), base); ok {
			m.patterns = append(m.patterns, p)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("read ignore patterns: %w", err)
	}
	return m, nil
}

// With returns a matcher in which deeper's patterns come after m's own: the
// file of a folder rules over those of the folders above it.
func (m *Matcher) With(deeper *Matcher) *Matcher {
	if m.Empty() {
		return deeper
	}
	if deeper.Empty() {
		return m
	}
	return &Matcher{patterns: append(m.patterns[:len(m.patterns):len(m.patterns)], deeper.patterns...)}
}

// Empty reports whether m holds no pattern; a nil Matcher is empty.
func (m *Matcher) Empty() bool { return m == nil || len(m.patterns) == 0 }

// Match reports whether the path is ignored. relPath is slash-separated and
// relative to the root that Parse's base is relative to. As in git, nothing
// below an ignored folder can be taken back by a later "!" pattern.
func (m *Matcher) Match(relPath string, isDir bool) bool {
	if m.Empty() {
		return false
	}
	for i := 0; i < len(relPath); i++ {
		if relPath[i] == '/' && m.Own(relPath[:i], true) {
			return true
		}
	}
	return m.Own(relPath, isDir)
}

// Own is Match without the look at the folders above relPath: for walks that
// never enter an ignored folder.
func (m *Matcher) Own(relPath string, isDir bool) bool {
	if m.Empty() {
		return false
	}
	for i := len(m.patterns) - 1; i >= 0; i-- {
		if p := &m.patterns[i]; p.match(relPath, isDir) {
			return !p.negated
		}
	}
	return false
}

// Covers reports what the last pattern says that matches relPath or a folder
// above it: the meaning of the list `files` in package.json, where a pattern
// that names a folder takes everything inside, and "!" takes parts back.
func (m *Matcher) Covers(relPath string) bool {
	if m.Empty() {
		return false
	}
	for i := len(m.patterns) - 1; i >= 0; i-- {
		p := &m.patterns[i]
		if p.match(relPath, false) || p.matchAbove(relPath) {
			return !p.negated
		}
	}
	return false
}

func (p *pattern) matchAbove(relPath string) bool {
	for i := 0; i < len(relPath); i++ {
		if relPath[i] == '/' && p.match(relPath[:i], true) {
			return true
		}
	}
	return false
}

// pattern is one line.
type pattern struct {
	base     string // folder of its file with a trailing slash, or ""
	prefix   string // literal start of an anchored pattern
	glob     string // what follows prefix
	negated  bool
	dirOnly  bool
	anchored bool // matched against the path below base, else against the last part
	literal  bool // the glob has no special character
}

func (p *pattern) match(relPath string, isDir bool) bool {
	if p.dirOnly && !isDir {
		return false
	}
	rest, ok := strings.CutPrefix(relPath, p.base)
	if !ok || rest == "" {
		return false
	}
	if !p.anchored {
		rest = rest[strings.LastIndexByte(rest, '/')+1:]
	} else if rest, ok = strings.CutPrefix(rest, p.prefix); !ok {
		return false
	}
	if p.literal {
		return p.glob == rest
	}
	return glob(p.glob, rest)
}

// parseLine reads one line; ok is false for blank lines and comments.
func parseLine(line, base string) (p pattern, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	if line == "" || line[0] == '#' {
		return p, false
	}
	line = trimSpaces(line)
	if base != "" {
		p.base = base + "/"
	}
	if strings.HasPrefix(line, "!") {
		p.negated, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		p.dirOnly, line = true, line[:len(line)-1]
	}
	p.anchored = strings.Contains(line, "/")
	p.glob = strings.TrimPrefix(line, "/")
	if p.glob == "" {
		return p, false
	}
	special := strings.IndexAny(p.glob, `*?[\`)
	p.literal = special < 0
	if p.anchored && special > 0 {
		// git compares the literal start apart from the rest, so "a**/b" finds
		// "a/x/b" although its stars do not stand between slashes.
		p.prefix, p.glob = p.glob[:special], p.glob[special:]
	}
	return p, true
}

// trimSpaces drops trailing spaces unless a backslash keeps them.
func trimSpaces(s string) string {
	keep := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			keep = i + 1
		case s[i] != ' ':
			keep = i + 1
		}
	}
	return s[:keep]
}
