package manifest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// settings reads contributes.settings, an object by local id.
func (r *reader) settings(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	r.m.Contributes.Settings = map[string]Setting{}
	for _, c := range n.Children {
		if !isSettingID(c.Key) {
			r.failKey(c, problem{code: "SETTING_ID", hint: "use a-z, 0-9, _ and -, in parts joined by dots, at most 128 characters"},
				"%s is no setting id", jsonpos.Quote(c.Key))
			continue
		}
		if r.kind(c, jsonpos.Object) {
			r.m.Contributes.Settings[c.Key] = r.setting(c)
		}
	}
}

func isSettingID(id string) bool {
	if len(id) > 128 {
		return false
	}
	for part := range strings.SplitSeq(id, ".") {
		if !isLocalID(part) {
			return false
		}
	}
	return true
}

func (r *reader) setting(n *jsonpos.Node) Setting {
	r.closed(n, "type", "title", "description", "default", "enum", "scope", "apply", "credential_origins")
	s := Setting{
		Type:        r.requiredChoice(n, "type", SettingTypes()),
		Title:       r.required(n, "title"),
		Description: r.text(r.get(n, "description")),
		Scope:       r.requiredChoice(n, "scope", SettingScopes()),
		Apply:       r.requiredChoice(n, "apply", SettingApplies()),
	}
	s.Enum = r.enum(n, s.Type)
	r.settingDefault(n, &s)
	r.secret(n, &s)
	return s
}

// enum reads the members of an enum setting; other types have none.
func (r *reader) enum(n *jsonpos.Node, kind string) []string {
	list := r.get(n, "enum")
	switch {
	case list == nil && kind == "enum":
		r.missing(n, "enum", problem{code: "SETTING_ENUM", hint: `list the values, for example ["low", "high"]`})
		return nil
	case list != nil && kind != "enum" && kind != "":
		r.failKey(list, problem{code: "SETTING_ENUM", hint: `remove it, or set "type": "enum"`}, "a %s setting has no enum", kind)
		return nil
	}
	var values []string
	seen := map[string]bool{}
	for _, c := range r.elements(list) {
		value := strings.TrimSpace(c.Text)
		switch {
		case value == "":
			r.fail(c, problem{code: "SETTING_ENUM"}, "an enum value is empty")
		case seen[value]:
			r.fail(c, problem{code: "SETTING_ENUM"}, "the value %s is listed twice", jsonpos.Quote(value))
		default:
			seen[value] = true
			values = append(values, value)
		}
	}
	if list != nil && list.Kind == jsonpos.Array && len(list.Children) == 0 {
		r.fail(list, problem{code: "SETTING_ENUM"}, "enum lists no value")
	}
	return values
}

// settingDefault checks that the default is there and has the setting's type.
func (r *reader) settingDefault(n *jsonpos.Node, s *Setting) {
	value := n.Get("default")
	bad := problem{code: "SETTING_DEFAULT"}
	if value == nil {
		if s.Type == "secret" {
			bad.hint = `write "default": ""; the host keeps the secret`
		}
		r.missing(n, "default", bad)
		return
	}
	s.Default = slices.Clone(r.doc.Raw(value))
	want := map[string]jsonpos.Kind{"boolean": jsonpos.Bool, "string": jsonpos.String, "number": jsonpos.Number, "enum": jsonpos.String, "secret": jsonpos.String}
	kind, known := want[s.Type]
	switch {
	case !known: // the type itself is reported
	case value.Kind != kind:
		bad.hint, bad.fix = converted(value, kind)
		if s.Type == "secret" {
			bad.hint, bad.fix = `write ""; the host keeps the secret`, `""`
		}
		r.fail(value, bad, "the default of a %s setting must be %s, not %s", s.Type, kind, value.Kind)
	case s.Type == "number":
		if _, err := strconv.ParseFloat(value.Text, 64); err != nil {
			r.fail(value, bad, "the default %s is no finite number", jsonpos.Quote(value.Text))
		}
	case s.Type == "enum" && len(s.Enum) > 0 && !listed(n.Get("enum"), value):
		bad.hint, bad.fix = didYouMean(value.Text, s.Enum), sameWord(value.Text, s.Enum)
		r.fail(value, bad, "the default %s is none of the enum's values", jsonpos.Quote(value.Text))
	}
}

// listed reports whether an enum has the text of value, or has members that are
// no text and reported already.
func listed(enum, value *jsonpos.Node) bool {
	return slices.ContainsFunc(enum.List(), func(c *jsonpos.Node) bool {
		return c.Kind != jsonpos.String || strings.TrimSpace(c.Text) == strings.TrimSpace(value.Text)
	})
}

// secret applies the rules for secrets: no default, one user, read live, bound
// to complete HTTPS origins.
func (r *reader) secret(n *jsonpos.Node, s *Setting) {
	origins := r.get(n, "credential_origins")
	if s.Type != "secret" {
		if origins != nil && s.Type != "" {
			r.failKey(origins, problem{code: "SETTING_SECRET", hint: `remove it, or set "type": "secret"`}, "only a secret setting has credential origins")
		}
		return
	}
	if v := n.Get("default"); v != nil && v.Kind == jsonpos.String && v.Text != "" {
		r.fail(v, problem{code: "SETTING_SECRET", hint: `write ""; the host keeps the secret`, fix: `""`}, "a secret has no default")
	}
	for _, rule := range []struct{ key, got, want string }{{"scope", s.Scope, "user"}, {"apply", s.Apply, "live"}} {
		if rule.got != "" && rule.got != rule.want {
			p := problem{code: "SETTING_SECRET", hint: "write " + strconv.Quote(rule.want), fix: strconv.Quote(rule.want)}
			r.fail(n.Get(rule.key), p, "the %s of a secret must be %q", rule.key, rule.want)
		}
	}
	if origins == nil {
		r.missing(n, "credential_origins", problem{code: "SETTING_SECRET", hint: `for example ["https://api.example.com"]`})
		return
	}
	if origins.Kind == jsonpos.Array && len(origins.Children) == 0 {
		r.fail(origins, problem{code: "SETTING_SECRET"}, "credential_origins lists no origin")
	}
	seen := map[string]bool{}
	for _, c := range r.elements(origins) {
		if why := originProblem(strings.TrimSpace(c.Text)); why != "" {
			p := problem{code: "SETTING_ORIGIN", hint: "for example https://api.example.com"}
			if bare := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(c.Text), "/")); originProblem(bare) == "" {
				p.hint, p.fix = "write "+bare, strconv.Quote(bare)
			}
			r.fail(c, p, "%s is no origin: %s", jsonpos.Quote(c.Text), why)
			continue
		}
		if text := strings.TrimSpace(c.Text); !seen[text] {
			seen[text] = true
			s.Origins = append(s.Origins, text)
		} else {
			r.warn(c, problem{code: "SETTING_ORIGIN_DUPLICATE", hint: "keep one of them"}, "%s is listed twice", text)
		}
	}
	s.Origins = sortedSet(s.Origins)
}

// originProblem says why text is not a complete HTTPS origin, or "".
func originProblem(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "it is no URL"
	case u.Scheme != "https" || !strings.HasPrefix(text, "https://"):
		return "it does not start with https://"
	case u.User != nil:
		return "it holds user information"
	case u.RawQuery != "" || u.ForceQuery:
		return "it holds a query"
	case strings.Contains(text, "#"):
		return "it holds a fragment"
	case u.Path != "":
		return "it holds a path"
	case u.Hostname() == "":
		return "it has no host"
	case strings.Contains(u.Host, "*"):
		return "it holds a wildcard"
	case strings.ToLower(u.Host) != u.Host:
		return "the host is not in lower case"
	case strings.HasSuffix(u.Host, ":") || !validPort(u.Port()) || strings.ContainsAny(u.Host, " ,;%\"'<>"):
		return "the host is malformed"
	}
	return ""
}

func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.Atoi(port)
	return err == nil && n > 0 && n < 65536
}
