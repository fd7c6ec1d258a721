package scaffold

import (
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/lazyregexp"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// namePattern is narrower than an id has to be: the name is also a folder, a
// file and a part of an npm name (reference/wuu-facts.md §9).
var namePattern = lazyregexp.New(`^[a-z][a-z0-9_-]{0,63}$`)

func checkName(name string) error {
	if !namePattern().MatchString(name) {
		return fault.New(fault.Usage, "NAME_INVALID", name, "is not a name for a plugin").
			WithHint("start with a letter, then letters, digits, - and _, all in lower case, at most 64")
	}
	if p := pathname.CheckID(name); p != nil {
		return fault.New(fault.Usage, "NAME_INVALID", name, "%s", p.Message).
			WithHint("choose another name")
	}
	return nil
}
