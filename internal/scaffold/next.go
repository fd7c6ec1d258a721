package scaffold

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/wuu-plugins/wuu/internal/lazyregexp"
)

// next lists the commands that a person types after Create, from o.From.
func next(o Options, l layout) []string {
	target := o.Dir
	if o.From != "" {
		if rel, err := filepath.Rel(o.From, o.Dir); err == nil {
			target = rel
		}
	}
	if l.single {
		return []string{"wuu plugin dev " + quote(target)}
	}
	commands := []string{"cd " + quote(target), "wuu plugin validate"}
	if l.runtime != nil {
		commands = append(commands, "wuu plugin test")
	}
	return append(commands, "wuu plugin dev")
}

var plain = lazyregexp.New(`^[\pL\pN_./\\:@%+,=-]+$`)

// quote makes s one word of a shell: cmd.exe and PowerShell on Windows, POSIX
// elsewhere.
func quote(s string) string {
	if strings.HasPrefix(s, "-") {
		s = "." + string(filepath.Separator) + s
	}
	switch {
	case runtime.GOOS == "windows":
		if plain().MatchString(s) {
			return s
		}
		return `"` + s + `"` // no Windows path holds a quote
	case plain().MatchString(s) && !strings.Contains(s, `\`):
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
