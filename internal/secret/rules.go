package secret

// rule is one shape. A rule has a literal and the place at of three bytes in
// it that are rare, or a list of pairs that set it off.
type rule struct {
	code     string
	hint     string
	literal  string
	at       int
	pairs    func() []uint16
	textOnly bool
	// match looks at the place where the literal starts; start says that data
	// starts with the file.
	match func(data []byte, at int, start bool) (match, bool)
}

type match struct {
	start, end int
	what       string
}

const (
	revokeHint = "take it out and revoke it: whoever had the file may have it; if it is no secret, allow it by name: --allow SECRET_TOKEN:<path>"
	keyHint    = "leave the file out with .wuuignore and replace the key: whoever had the file may have it; if it is a test's, allow it by name: --allow SECRET_PRIVATE_KEY:<path>"
	hiddenHint = "remove it, or write it as an escape; if it has to be there, allow it by name: --allow HIDDEN_UNICODE:<path>"
)

// rules is every rule that goes by content.
func rules() []rule {
	list := []rule{
		{code: PrivateKey, hint: keyHint, literal: "BEGIN ", at: 0, match: pemKey},
		{code: PrivateKey, hint: keyHint, literal: "PuTTY-User-Key-File-", at: 1, match: puttyKey},
		{code: Token, literal: "://", at: 0, match: urlSecret},
		{code: Token, literal: "T3BlbkFJ", at: 0, match: openAI},
		{code: Token, literal: "AKIA", at: 1, match: awsID},
		{code: Token, literal: "ASIA", at: 1, match: awsID},
		{code: Token, literal: "ecret_access_key", at: 4, match: awsSecret},
		{code: Token, literal: "ECRET_ACCESS_", at: 4, match: awsSecret},
		{code: Token, literal: "ecretAccessKey", at: 4, match: awsSecret},
		{code: Token, literal: "npm_", at: 1, match: npmToken},
		{code: Token, pairs: discordPairs, match: discordToken},
		{code: Hidden, hint: hiddenHint, pairs: hiddenPairs, textOnly: true, match: hiddenRun},
	}
	for _, kind := range []string{"p", "o", "u", "s", "r"} {
		list = append(list, rule{code: Token, literal: "gh" + kind + "_", at: 1, match: githubToken})
	}
	for _, first := range "h0rq4jl6iu" { // the fourth character of {"alg, {"typ, {"kid, {"jku, {"x5t, {"cty, {"enc, {"zip, {"b64, {"nonce
		list = append(list, rule{code: Token, literal: "eyJ" + string(first), at: 1, match: jwt})
	}
	for _, t := range shapes {
		list = append(list, rule{code: Token, literal: t.literal, at: t.at, match: t.match})
	}
	for i := range list {
		if list[i].hint == "" {
			list[i].hint = revokeHint
		}
	}
	return list
}

// shape is a token that is a literal and random characters behind it.
type shape struct {
	literal  string
	at       int
	what     string
	set      func(byte) bool
	min, max int // of the characters behind the literal
}

// shapes are the tokens of services that gave them a prefix to be found by.
var shapes = [...]shape{
	{"github_pat_", 5, "a fine-grained GitHub token", isWord, 82, 82},
	{"glpat-", 0, "a GitLab access token", isDotWord, 20, 300},
	{"gldt-", 0, "a GitLab deploy token", isWord, 20, 64},
	{"glrt-", 0, "a GitLab runner token", isDotWord, 20, 300},
	{"glptt-", 0, "a GitLab trigger token", isHex, 40, 40},
	{"glcbt-", 0, "a GitLab job token", isWord, 20, 100},
	{"xoxb-", 1, "a Slack bot token", isWord, 24, 120},
	{"xoxp-", 1, "a Slack user token", isWord, 24, 160},
	{"xoxa-", 1, "a Slack access token", isWord, 24, 160},
	{"xoxr-", 1, "a Slack refresh token", isWord, 24, 200},
	{"xoxs-", 1, "a Slack session token", isWord, 24, 160},
	{"xoxc-", 1, "a Slack session token", isWord, 24, 200},
	{"xapp-", 2, "a Slack app token", isWord, 40, 160},
	{"sk-ant-", 1, "an Anthropic API key", isWord, 60, 200},
	{"AIza", 1, "a Google API key", isWord, 35, 35},
	{"ya29.", 2, "a Google OAuth token", isDotWord, 60, 1024},
	{"GOCSPX-", 3, "a Google OAuth client secret", isWord, 28, 28},
	{"SG.", 0, "a SendGrid API key", isDotWord, 66, 66},
	{"hf_", 0, "a Hugging Face token", isAlnum, 34, 37},
	{"pypi-AgEIcHlwaS5vcmc", 3, "a PyPI token", isWord, 50, 400},
	{"pypi-AgENdGVzdC5weXBpLm9yZw", 3, "a TestPyPI token", isWord, 50, 400},
	{"dop_v1_", 2, "a DigitalOcean token", isHex, 64, 64},
	{"doo_v1_", 2, "a DigitalOcean OAuth token", isHex, 64, 64},
	{"dor_v1_", 2, "a DigitalOcean refresh token", isHex, 64, 64},
	{"sq0atp-", 1, "a Square access token", isWord, 22, 22},
	{"sq0csp-", 1, "a Square OAuth secret", isWord, 43, 43},
	{"sk_live_", 1, "a Stripe secret key", isAlnum, 24, 247},
	{"rk_live_", 1, "a Stripe restricted key", isAlnum, 24, 247},
	{"AGE-SECRET-KEY-1", 3, "an age secret key", isUpperDigit, 58, 58},
}

func isDotWord(c byte) bool    { return isWord(c) || c == '.' }
func isUpperDigit(c byte) bool { return isUpper(c) || isDigit(c) }

func (t shape) match(data []byte, at int, _ bool) (match, bool) {
	from := at + len(t.literal)
	end := span(data, from, t.set)
	for end > from && data[end-1] == '.' { // the end of a sentence
		end--
	}
	body := data[from:end]
	if len(body) < t.min || len(body) > t.max || !begins(data, at) || !plausible(body) || !t.holds(body) {
		return match{}, false
	}
	return named(data, at, end, t.what), true
}

// holds checks what single formats say about their random part.
func (t shape) holds(body []byte) bool {
	switch t.literal {
	case "SG.":
		return body[22] == '.'
	case "github_pat_":
		return body[22] == '_'
	case "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-":
		return isDigit(body[0])
	case "xapp-":
		return isDigit(body[0]) && body[1] == '-'
	}
	return true
}

func named(data []byte, start, end int, what string) match {
	return match{start, end, what + " (" + Show(data[start:end]) + ")"}
}
