package host

import (
	"maps"
	"runtime"
	"slices"
)

// inherited are the variables of the host that plugins may see
// (reference/wuu-facts.md §3.11). WUU_* never pass: initialize says it all.
var inherited = [...]string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP",
	"LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY",
	"LC_PAPER", "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION",
}

// inheritedWindows are the further ones there.
var inheritedWindows = [...]string{
	"SYSTEMROOT", "SYSTEMDRIVE", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	"ProgramFiles", "ProgramFiles(x86)", "ProgramData", "CommonProgramFiles", "CommonProgramFiles(x86)",
	"PROCESSOR_ARCHITECTURE", "PROCESSOR_IDENTIFIER", "COMPUTERNAME", "USERNAME",
}

// environment is the whole environment of a plugin process, sorted: the
// allow-list, and over it the manifest's runtime.env.
func environment(getenv func(string) string, own map[string]string) []string {
	vars := map[string]string{}
	names := inherited[:]
	if runtime.GOOS == "windows" {
		names = append(slices.Clone(names), inheritedWindows[:]...)
	}
	for _, name := range names {
		if v := getenv(name); v != "" {
			vars[name] = v
		}
	}
	maps.Copy(vars, own)
	out := make([]string, 0, len(vars))
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		out = append(out, name+"="+vars[name])
	}
	return out
}
