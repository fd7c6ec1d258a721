package pack_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// simulated is a model of a file system: what it makes of a path, and which
// names it takes for one. The models are written from what the vendors document
// and share no code with package pathname.
type simulated struct {
	name    string
	windows bool                     // separators, devices, streams and dropped ends of Win32
	maxPath int                      // bytes of a whole path
	length  func(part string) int    // compared with 255
	key     func(part string) string // equal keys are one entry of a folder
	stored  func(part string) string // the form that listing returns
	strict  bool                     // only UTF-8 can be stored
	short   bool                     // long names get an 8.3 alias
}

func simulatedSystems() []simulated {
	bytesOf := func(s string) int { return len(s) }
	unitsOf := func(s string) int { return len(utf16.Encode([]rune(s))) }
	same := func(s string) string { return s }
	fold := func(s string) string { return cases.Fold().String(s) }
	upper := func(s string) string { // the table of NTFS and exFAT keeps these apart
		return strings.Map(func(r rune) rune {
			if r == 'ı' || r == 'ſ' || r > 0xffff {
				return r
			}
			return unicode.ToUpper(r)
		}, s)
	}
	return []simulated{
		{name: "ext4", maxPath: 4095, length: bytesOf, key: same, stored: same},
		{name: "ext4 with casefold", maxPath: 4095, length: bytesOf, strict: true, stored: same, key: func(s string) string {
			return norm.NFD.String(fold(norm.NFD.String(strings.Map(withoutIgnorable, s))))
		}},
		{name: "APFS", maxPath: 1024, length: bytesOf, strict: true, stored: same, key: func(s string) string { return norm.NFD.String(fold(norm.NFD.String(s))) }},
		{name: "HFS+", maxPath: 1024, strict: true, stored: norm.NFD.String, length: func(s string) int { return unitsOf(norm.NFD.String(s)) },
			key: func(s string) string { return strings.Map(withoutIgnorable, fold(norm.NFD.String(s))) }},
		{name: "NTFS", windows: true, maxPath: 32767, length: unitsOf, strict: true, stored: same, key: upper, short: true},
		{name: "exFAT", windows: true, maxPath: 32767, length: unitsOf, strict: true, stored: same, key: upper},
		{name: "ZFS, formKD, insensitive", maxPath: 4095, length: bytesOf, strict: true, stored: same, key: func(s string) string {
			return norm.NFKD.String(strings.Map(unicode.ToUpper, norm.NFKD.String(s)))
		}},
	}
}

// withoutIgnorable drops characters of the property
// Default_Ignorable_Code_Point.
func withoutIgnorable(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return -1
	}
	return r
}

// simNode is a file, or a folder when entries is not nil.
type simNode struct {
	name    string
	body    string
	entries map[string]*simNode // by key
	aliases map[string]*simNode // by short name
}

func newSimFolder(name string) *simNode {
	return &simNode{name: name, entries: map[string]*simNode{}, aliases: map[string]*simNode{}}
}

// parts resolves a path as the system does; an error means that it leads
// elsewhere or cannot be stored.
func (s simulated) parts(path string) ([]string, error) {
	if s.windows {
		path = strings.ReplaceAll(path, `\`, "/")
	}
	switch {
	case strings.HasPrefix(path, "/"):
		return nil, errors.New("leaves the folder: absolute")
	case len(path) > s.maxPath:
		return nil, errors.New("the path is too long")
	}
	var out []string
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." {
			return nil, errors.New("leaves the folder")
		}
		if part == "" || part == "." {
			continue
		}
		part, err := s.part(part)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", part, err)
		}
		out = append(out, part)
	}
	if len(out) == 0 {
		return nil, errors.New("no name")
	}
	return out, nil
}

func (s simulated) part(part string) (string, error) {
	if strings.Contains(part, "\x00") {
		return part, errors.New("ends at a NUL")
	}
	if s.strict && !utf8.ValidString(part) {
		return part, errors.New("is not UTF-8")
	}
	if s.windows {
		if i := strings.IndexFunc(part, func(r rune) bool { return r < 0x20 || strings.ContainsRune(`<>:"|?*`, r) }); i >= 0 {
			return part, errors.New("is no name, a drive or a stream")
		}
		part = strings.TrimRight(part, ". ")
		if part == "" {
			return part, errors.New("is nothing")
		}
		if simDevice(part) {
			return part, errors.New("is a device")
		}
	}
	if s.length(part) > 255 {
		return part, errors.New("is too long")
	}
	return part, nil
}

// simDevice knows the devices of every Windows since MS-DOS.
func simDevice(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	if r := []rune(stem); len(r) == 4 && (string(r[:3]) == "COM" || string(r[:3]) == "LPT") {
		return strings.ContainsRune("0123456789¹²³", r[3])
	}
	return slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}, stem)
}

// find returns the entry of a folder under a name, or under its short name.
func (s simulated) find(dir *simNode, part string) *simNode {
	if n := dir.entries[s.key(part)]; n != nil {
		return n
	}
	return dir.aliases[strings.ToUpper(part)]
}

// create writes a new file and the folders above it.
func (s simulated) create(root *simNode, path, body string) error {
	parts, err := s.parts(path)
	if err != nil {
		return err
	}
	dir := root
	for i, part := range parts {
		n := s.find(dir, part)
		last := i == len(parts)-1
		switch {
		case n != nil && last:
			return fmt.Errorf("%q would overwrite %q", path, n.name)
		case n != nil && n.entries == nil:
			return fmt.Errorf("%q: %q is a file", path, n.name)
		case n == nil:
			n = newSimFolder(s.stored(part))
			if last {
				n.entries, n.body = nil, body
			}
			dir.entries[s.key(part)] = n
			s.alias(dir, n)
		}
		dir = n
	}
	return nil
}

// read opens a file by its path.
func (s simulated) read(root *simNode, path string) (string, error) {
	parts, err := s.parts(path)
	if err != nil {
		return "", err
	}
	n := root
	for _, part := range parts {
		if n.entries == nil {
			return "", errors.New("a file is no folder")
		}
		if n = s.find(n, part); n == nil {
			return "", errors.New("not there")
		}
	}
	return n.body, nil
}

// list returns the paths of all files, as the system names them.
func (n *simNode) list(above string) []string {
	var out []string
	for _, e := range n.entries {
		if e.entries == nil {
			out = append(out, above+e.name)
		} else {
			out = append(out, e.list(above+e.name+"/")...)
		}
	}
	return out
}

// alias gives a new entry its short name, when it needs one: up to six
// characters, a tilde and a number, and three of the extension; from the fifth
// on two characters and a hash.
func (s simulated) alias(dir, n *simNode) {
	if !s.short {
		return
	}
	stem, ext, plain := shortParts(n.name)
	if plain {
		return
	}
	if ext != "" {
		ext = "." + ext
	}
	for i := 1; i <= 999_999; i++ {
		tail := fmt.Sprintf("~%d", i)
		head := stem
		if i > 4 {
			h := fnv.New32a()
			h.Write([]byte(n.name))
			head = fmt.Sprintf("%.2s%04X", stem, h.Sum32()&0xffff)
			tail = fmt.Sprintf("~%d", i-4)
		}
		short := head[:min(len(head), 8-len(tail))] + tail + ext
		if s.find(dir, short) == nil {
			dir.aliases[short] = n
			return
		}
	}
}

// shortParts are the stem and extension of a short name. plain is true for
// names that are short already.
func shortParts(name string) (stem, ext string, plain bool) {
	trimmed := strings.TrimLeft(name, ". ")
	stem = trimmed
	if i := strings.LastIndexByte(trimmed, '.'); i >= 0 {
		stem, ext = trimmed[:i], trimmed[i+1:]
	}
	allowed := func(s string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case r == '.' || r == ' ':
				return -1
			case r > 0x7e || strings.ContainsRune("+,;=[]", r):
				return '_'
			}
			return unicode.ToUpper(r)
		}, s)
	}
	shortStem, shortExt := allowed(stem), allowed(ext)
	plain = name == trimmed && len(stem) <= 8 && len(ext) <= 3 && shortStem == strings.ToUpper(stem) && shortExt == strings.ToUpper(ext)
	return shortStem, shortExt[:min(3, len(shortExt))], plain
}
