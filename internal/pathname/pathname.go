// Package pathname decides which names may stand in a package: one rule set
// for what pack makes and what install takes, so that what packs here installs
// on every system (design/distribution.md, "Archive rules").
package pathname

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of a path. Bytes are those of the UTF-8 form.
const (
	MaxPart  = 255  // bytes in one part
	MaxPath  = 1024 // bytes in a whole path
	MaxDepth = 32   // parts in a path, the file's own name included
)

// Problem is one broken rule. Code is PATH_TRAVERSAL, PATH_ABSOLUTE,
// PATH_BACKSLASH, PATH_DRIVE, PATH_UNC, PATH_ENCODING, PATH_CONTROL,
// PATH_RESERVED, PATH_TRAILING, PATH_SHORTNAME, PATH_TOO_LONG, PATH_TOO_DEEP,
// PATH_EMPTY, PATH_CHARACTER or PATH_VCS. Message is a clause without the
// path itself and safe to print.
type Problem struct{ Code, Message string }

func problem(code, format string, args ...any) *Problem {
	return &Problem{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Check returns the first broken rule of a slash-separated relative path, or
// nil. Rules about where a path leads come before rules about how it looks, so
// the code names the most dangerous thing about it.
func Check(path string) *Problem {
	if path == "" {
		return problem("PATH_EMPTY", "the name is empty")
	}
	if !utf8.ValidString(path) {
		return problem("PATH_ENCODING", "the name is not valid UTF-8")
	}
	if r, found := firstHidden(path); found {
		return problem("PATH_CONTROL", "the name holds the invisible or control character %U", r)
	}
	if p := checkStart(path); p != nil {
		return p
	}
	parts := strings.Split(path, "/")
	if p := checkRoute(parts); p != nil {
		return p
	}
	if len(parts) > MaxDepth {
		return problem("PATH_TOO_DEEP", "the path has %d levels, at most %d are allowed", len(parts), MaxDepth)
	}
	if len(path) > MaxPath {
		return problem("PATH_TOO_LONG", "the path has %d bytes, at most %d are allowed", len(path), MaxPath)
	}
	for _, part := range parts {
		if p := checkPart(part); p != nil {
			return p
		}
	}
	return nil
}

// firstHidden finds control characters and format characters (bidirectional
// overrides, zero-width joiners, byte order marks, tags) and the two Unicode
// line ends: all of them make a name look like another one.
func firstHidden(s string) (rune, bool) {
	for _, r := range s {
		if r < 0x20 || r == 0x7f {
			return r, true
		}
		if r > 0x7f && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029) {
			return r, true
		}
	}
	return 0, false
}

// checkStart finds paths that do not start where the package starts.
func checkStart(path string) *Problem {
	switch {
	case strings.HasPrefix(path, "//"):
		return problem("PATH_UNC", "the path starts with two slashes, a network path on Windows")
	case path[0] == '/':
		return problem("PATH_ABSOLUTE", "the path is absolute")
	}
	return nil
}

// checkRoute finds parts that lead elsewhere. Windows reads a backslash as a
// separator, so each part is looked at with that in mind.
func checkRoute(parts []string) *Problem {
	for _, part := range parts {
		switch {
		case part == "..":
			return problem("PATH_TRAVERSAL", "the path climbs up with \"..\"")
		case part == ".":
			return problem("PATH_TRAVERSAL", "the path has the part \".\"")
		case part == "":
			return problem("PATH_EMPTY", "the path has an empty part")
		}
	}
	for _, part := range parts {
		switch {
		case strings.HasPrefix(part, `\\`), strings.HasPrefix(part, `\??\`):
			return problem("PATH_UNC", "the path holds a network or device path of Windows")
		case len(part) >= 2 && part[1] == ':' && isLetter(part[0]):
			return problem("PATH_DRIVE", "the path holds the drive letter %s", part[:2])
		case strings.Contains(part, `\`):
			return problem("PATH_BACKSLASH", "the path holds a backslash, a separator on Windows")
		}
	}
	return nil
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
