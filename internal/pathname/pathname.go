// Package pathname decides which names may stand in a package: one rule set
// for what pack makes and what install takes, so that what packs here installs
// on every system (design/distribution.md, "Archive rules").
package pathname

// Problem is one broken rule. Code is PATH_TRAVERSAL, PATH_ABSOLUTE,
// PATH_BACKSLASH, PATH_DRIVE, PATH_UNC, PATH_ENCODING, PATH_CONTROL,
// PATH_RESERVED, PATH_TRAILING, PATH_SHORTNAME, PATH_TOO_LONG, PATH_TOO_DEEP,
// PATH_EMPTY, PATH_CHARACTER or PATH_VCS.
type Problem struct{ Code, Message string }

// Check returns the first broken rule of a slash-separated relative path, or nil.
func Check(path string) *Problem { panic("not built yet") }

// Fold is the key under which two paths are one file on a case-insensitive,
// normalising file system: NFC plus full Unicode case fold.
func Fold(path string) string { panic("not built yet") }

// CheckID returns the first broken rule of a plugin id (a portable path
// component of at most 128 bytes; reference/wuu-facts.md §2.3), or nil.
func CheckID(id string) *Problem { panic("not built yet") }
