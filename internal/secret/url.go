package secret

import (
	"bytes"
	"strings"
)

// urlSecret finds what an address gives away: a password before the host, and
// the addresses of web hooks, whose path is the secret.
func urlSecret(data []byte, at int, _ bool) (match, bool) {
	start := back(data, at, 20, isSchemeByte)
	if at-start < 2 {
		return match{}, false
	}
	from := at + 3
	end := span(data, from, isAuthorityByte)
	if what, n := webhook(data[from:end], data[end:]); what != "" {
		return named(data, start, end+n, what), true
	}
	i := bytes.LastIndexByte(data[from:end], '@')
	if i < 0 || end-from > 512 {
		return match{}, false
	}
	authority := string(data[from:end])
	user, password, ok := strings.Cut(authority[:i], ":")
	if !ok || !realPassword(user, password, authority[i+1:]) {
		return match{}, false
	}
	first := from + len(user) + 1
	return match{first, first + len(password), "a password in an address (" + Show([]byte(password)) + ")"}, true
}

func isSchemeByte(c byte) bool { return isAlnum(c) || c == '+' || c == '.' || c == '-' }

// isAuthorityByte goes up to the path, or to where no address goes on.
func isAuthorityByte(c byte) bool {
	switch c {
	case '"', '\'', '`', '<', '>', '\\', '|', '/', '?', '#':
		return false
	}
	return c > ' ' && c < 0x7f
}

// words are passwords of examples.
var words = [...]string{"password", "passwd", "pass", "secret", "changeme", "example", "hunter2", "letmein", "postgres", "mysql", "redis", "guest", "admin", "root", "user"}

// realPassword tells a password from a template or an example.
func realPassword(user, password, host string) bool {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	switch {
	case len(password) < 6, strings.ContainsAny(password, "${}<>()[]*%,;"), strings.EqualFold(user, password):
		return false
	case name == "", name == "localhost", strings.HasPrefix(name, "127."), name == "host", name == "hostname", name == "db":
		return false
	case name == "example.com", name == "example.org", name == "example.net", strings.HasSuffix(name, ".example.com"), strings.HasSuffix(name, ".example.org"),
		strings.HasSuffix(name, ".example.net"), strings.HasSuffix(name, ".example"), strings.HasSuffix(name, ".test"), strings.HasSuffix(name, ".invalid"):
		return false
	}
	lower := strings.NewReplacer("@", "a", "0", "o", "$", "s").Replace(strings.ToLower(password))
	for _, w := range words {
		if lower == w || strings.Trim(lower, "o123456789!_-") == w {
			return false
		}
	}
	b := []byte(lower)
	return !strings.Contains(lower, "xxx") && run(b, 0) < 4 && run(b, 1) < 6
}

// webhook names the service and returns how much of rest, which is what stands
// behind the host, belongs to the address.
func webhook(host, rest []byte) (what string, n int) {
	switch string(host) {
	case "hooks.slack.com":
		path, ok := bytes.CutPrefix(rest, []byte("/services/"))
		team := span(path, 0, isUpperDigit)
		if !ok || team < 9 || path[0] != 'T' || team == len(path) || path[team] != '/' {
			return "", 0
		}
		bot := span(path, team+1, isUpperDigit)
		if bot-team < 10 || path[team+1] != 'B' || bot == len(path) || path[bot] != '/' {
			return "", 0
		}
		if end := span(path, bot+1, isAlnum); end-bot > 20 && plausible(path[bot+1:end]) {
			return "a Slack web hook", len(rest) - len(path) + end
		}
	case "discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com":
		path, ok := bytes.CutPrefix(rest, []byte("/api/webhooks/"))
		id := span(path, 0, isDigit)
		if !ok || id < 17 || id == len(path) || path[id] != '/' {
			return "", 0
		}
		if end := span(path, id+1, isWord); end-id > 60 && plausible(path[id+1:end]) {
			return "a Discord web hook", len(rest) - len(path) + end
		}
	}
	return "", 0
}
