package manifest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// services reads desktop.required_services: the services that the module
// calls, by name and major version. A runtime declares its own when it starts.
func (r *reader) services(n *jsonpos.Node) {
	seen := map[string]bool{}
	r.each(n, func(c *jsonpos.Node) {
		r.typos(c, "name", "major_version", "required")
		r.flag(r.get(c, "required"))
		r.majorVersion(c)
		name := r.required(c, "name")
		at := c.Get("name")
		switch {
		case name == "":
		case !isServiceName(name):
			r.fail(at, problem{code: "SERVICE_NAME", hint: "for example example.text.analysis"}, "%s is no service name: it has two or more words of a-z, 0-9 and -, joined by dots", jsonpos.Quote(name))
		case seen[name]:
			r.fail(at, problem{code: "SERVICE_DUPLICATE", hint: "keep one entry"}, "the service %s is listed twice", jsonpos.Quote(name))
		default:
			seen[name] = true
		}
	})
}

// majorVersion checks that the major version is a whole number.
func (r *reader) majorVersion(service *jsonpos.Node) {
	n := r.get(service, "major_version")
	if n == nil {
		r.missing(service, "major_version", problem{hint: `for example "major_version": 1`})
		return
	}
	if !r.kind(n, jsonpos.Number) {
		return
	}
	if _, err := strconv.ParseUint(n.Text, 10, 31); err != nil {
		r.fail(n, problem{code: "MANIFEST_VALUE", hint: "the first number of the service's version"}, "%s must be a whole number, 0 or more, not %s", label{n}, jsonpos.Quote(n.Text))
	}
}

// isServiceName applies the rule that the protocol has for names of services.
func isServiceName(name string) bool {
	words := strings.Split(name, ".")
	return len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool {
		return w == "" || w[0] < 'a' || w[0] > 'z' || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-") != ""
	})
}
