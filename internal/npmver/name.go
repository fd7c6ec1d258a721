package npmver

import (
	"errors"
	"fmt"
	"strings"
)

// CheckName returns the first npm rule that a package name breaks. Capital
// letters are taken, since old packages have them; everything else is the rule
// for new names: "name" or "@scope/name", at most 214 bytes, letters, digits,
// "-", "_" and ".", not starting with a dot or underscore.
func CheckName(name string) error {
	switch {
	case name == "":
		return errors.New("the package name is empty")
	case len(name) > 214:
		return fmt.Errorf("the package name has %d bytes, npm allows 214", len(name))
	case strings.EqualFold(name, "node_modules") || strings.EqualFold(name, "favicon.ico"):
		return fmt.Errorf("npm forbids the package name %s", name)
	}
	bare := name
	if strings.HasPrefix(name, "@") {
		scope, rest, ok := strings.Cut(name[1:], "/")
		if !ok {
			return fmt.Errorf("%q: a scoped name is @scope/name", clip(name))
		}
		if err := checkPart("scope", scope); err != nil {
			return err
		}
		bare = rest
	}
	return checkPart("package name", bare)
}

func checkPart(what, s string) error {
	if s == "" {
		return fmt.Errorf("the %s is empty", what)
	}
	if s[0] == '.' || s[0] == '_' {
		return fmt.Errorf("the %s %q starts with %q", what, clip(s), s[:1])
	}
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
		default:
			return fmt.Errorf("the %s %q has the character %q; npm allows letters, digits, dashes, underscores and dots", what, clip(s), r)
		}
	}
	return nil
}
