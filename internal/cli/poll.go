package cli

import "time"

// joinPoll lets --poll stand alone, as --poll=500ms, and as --poll 500ms: a
// following word that parses as a duration is its value (design/cli.md).
func joinPoll(args []string) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if args[i] == "--poll" && i+1 < len(args) {
			if _, err := time.ParseDuration(args[i+1]); err == nil {
				out = append(out, "--poll="+args[i+1])
				i++
				continue
			}
		}
		out = append(out, args[i])
	}
	return out
}
