package validate

import (
	"fmt"
	"slices"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/pack"
)

// Ignore drops the warnings and notes that an exception of the project names
// (pack.Settings.Ignore), and adds a finding for every exception that drops
// nothing or names no code. An error stays: whoever installs the package would
// find it again, since no package excuses itself there.
func Ignore(list []Finding, exceptions []pack.Allow) []Finding {
	type use struct{ dropped, kept bool }
	uses := make([]use, len(exceptions))
	list = slices.DeleteFunc(list, func(f Finding) bool {
		drop := false
		for i, e := range exceptions {
			switch {
			case !e.Matches(f):
			case f.Severity == diag.Error:
				uses[i].kept = true
			default:
				uses[i].dropped, drop = true, true
			}
		}
		return drop
	})
	for i, e := range exceptions {
		f := e.Found
		_, known := Explain(e.Code)
		switch {
		case !known:
			f.Code, f.Severity = "ALLOW_INVALID", diag.Warning // a newer wuu may know it
			f.Message = "there is no code " + jsonpos.Quote(e.Code)
			f.Hint = "wuu plugin validate names the code of each finding"
		case uses[i].dropped:
			continue
		default:
			f.Code, f.Severity = "ALLOW_UNUSED", diag.Warning
			f.Message = fmt.Sprintf("nothing in %s has to be allowed as %s", jsonpos.Quote(e.Path), e.Code)
			f.Hint = "remove the entry: it would hide the next mistake"
			if uses[i].kept {
				f.Message, f.Hint = e.Code+" is an error here, which an exception does not change", "installing would refuse it all the same: mend it"
			}
		}
		list = append(list, f)
	}
	return list
}
