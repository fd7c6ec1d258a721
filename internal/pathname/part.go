package pathname

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

// checkPart applies the rules about one part of a path.
func checkPart(part string) *Problem {
	if len(part) > MaxPart {
		return problem("PATH_TOO_LONG", "one part has %d bytes, at most %d are allowed", len(part), MaxPart)
	}
	if i := strings.IndexAny(part, `<>:"|?*`); i >= 0 {
		return problem("PATH_CHARACTER", "the name holds %q, which Windows does not allow", part[i:i+1])
	}
	switch part[len(part)-1] {
	case '.':
		return problem("PATH_TRAILING", "a part ends with a dot, which Windows drops")
	case ' ':
		return problem("PATH_TRAILING", "a part ends with a space, which Windows drops")
	}
	switch Fold(part) {
	case "":
		return problem("PATH_CONTROL", "a part has no visible character")
	case ".", "..":
		return problem("PATH_TRAVERSAL", "a part is \".\" or \"..\" in another Unicode form")
	case ".git":
		return problem("PATH_VCS", "the path holds a .git folder")
	}
	if n := unitsOnMacOS(part); n > MaxPart {
		return problem("PATH_TOO_LONG", "one part has %d units in the form of macOS, at most %d are allowed", n, MaxPart)
	}
	if device, ok := reserved(part); ok {
		return problem("PATH_RESERVED", "%s is a device name on Windows", device)
	}
	if shortName(part) {
		return problem("PATH_SHORTNAME", "the name has the shape of a Windows short name (~ and a number)")
	}
	return nil
}

// unitsOnMacOS is the length of a name as HFS+ stores it: decomposed, in UTF-16.
// Some letters of two bytes become three units there.
func unitsOnMacOS(part string) int {
	if len(part) <= MaxPart/3 { // no character grows more than that
		return 0
	}
	units := 0
	for _, r := range norm.NFD.String(part) {
		units += utf16.RuneLen(r)
	}
	return units
}

// reserved reports whether Windows opens a device for part: the name before
// the first dot decides, spaces before that dot are dropped.
func reserved(part string) (string, bool) {
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return stem, true
	}
	rest, found := strings.CutPrefix(stem, "COM")
	if !found {
		rest, found = strings.CutPrefix(stem, "LPT")
	}
	if !found {
		return "", false
	}
	switch rest {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return stem, true
	}
	return "", false
}

// shortName reports names such as PROGRA~1 or GIT~1.TXT, under which Windows
// may reach a file of another name: at most eight characters before the first
// dot, ending in ~ and digits.
func shortName(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	tilde := strings.LastIndexByte(stem, '~')
	if tilde < 0 || tilde == len(stem)-1 || len([]rune(stem)) > 8 {
		return false
	}
	for i := tilde + 1; i < len(stem); i++ {
		if stem[i] < '0' || stem[i] > '9' {
			return false
		}
	}
	return true
}

// MaxID is the longest plugin id in bytes.
const MaxID = 128

// CheckID returns the first broken rule of a plugin id (a portable path
// component of at most 128 bytes; reference/wuu-facts.md §2.3), or nil.
func CheckID(id string) *Problem {
	if p := Check(id); p != nil {
		return p
	}
	switch {
	case strings.Contains(id, "/"):
		return problem("PATH_CHARACTER", "an id is one name and holds no slash")
	case len(id) > MaxID:
		return problem("PATH_TOO_LONG", "the id has %d bytes, at most %d are allowed", len(id), MaxID)
	case id[0] == ' ':
		return problem("PATH_TRAILING", "the id starts with a space")
	}
	return nil
}
