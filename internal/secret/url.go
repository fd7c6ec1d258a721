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
	end := span(data, from, isURLByte)
	if end-from > 512 {
		return match{}, false
	}
	rest := string(data[from:end])
	if what, n := webhook(rest); what != "" {
		return named(data, start, from+n, what), true
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	i := strings.LastIndexByte(authority, '@')
	if i < 0 {
		return match{}, false
	}
	user, password, ok := strings.Cut(authority[:i], ":")
	if !ok || !realPassword(user, password, authority[i+1:]) {
		return match{}, false
	}
	first := from + len(user) + 1
	return match{first, first + len(password), "a password in an address (" + Show([]byte(password)) + ")"}, true
}

func isSchemeByte(c byte) bool { return isAlnum(c) || c == '+' || c == '.' || c == '-' }

func isURLByte(c byte) bool {
	return c > ' ' && c < 0x7f && bytes.IndexByte([]byte("\"'`<>\\|"), c) < 0
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
	lower := strings.ToLower(password)
	for _, w := range words {
		if lower == w || strings.Trim(lower, "0123456789!_-") == w {
			return false
		}
	}
	b := []byte(lower)
	return !strings.Contains(lower, "xxx") && run(b, 0) < 4 && run(b, 1) < 6
}

// webhook names the service and returns the length of the address.
func webhook(rest string) (what string, n int) {
	if path, ok := strings.CutPrefix(rest, "hooks.slack.com/services/"); ok {
		parts := strings.SplitN(path, "/", 3)
		if len(parts) == 3 && len(parts[0]) >= 9 && parts[0][0] == 'T' && len(parts[1]) >= 9 && parts[1][0] == 'B' {
			if to := span([]byte(parts[2]), 0, isAlnum); to >= 20 && plausible([]byte(parts[2][:to])) {
				return "a Slack web hook", len(rest) - len(parts[2]) + to
			}
		}
	}
	for _, host := range []string{"discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"} {
		if path, ok := strings.CutPrefix(rest, host+"/api/webhooks/"); ok {
			id, token, _ := strings.Cut(path, "/")
			if to := span([]byte(token), 0, isWord); len(id) >= 17 && span([]byte(id), 0, isDigit) == len(id) && to >= 60 && plausible([]byte(token[:to])) {
				return "a Discord web hook", len(rest) - len(token) + to
			}
		}
	}
	return "", 0
}
