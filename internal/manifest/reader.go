package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// reader turns nodes into values and says what is wrong with them. Every
// method takes nil for "absent" and then returns the zero value without a word.
type reader struct {
	doc   *jsonpos.Document
	found *diag.List
	m     *Manifest
	// misspelt holds the members that stand under a wrong name, so that they
	// are not reported as missing too.
	misspelt map[member]bool
	// nulls are the members that were read as absent; near are those of open
	// objects whose names look like one that is not there. claimed are those
	// among both that had to be there, which are errors.
	nulls   []*jsonpos.Node
	near    map[member]*jsonpos.Node
	order   []member // of near, as they were read
	claimed map[*jsonpos.Node]bool
	// warnedOfSkins is set once a field of newer skins was reported.
	warnedOfSkins bool
}

// member is a place for a value.
type member struct {
	object *jsonpos.Node
	key    string
}

// get returns a member, nil when it is absent. A null counts as absent.
func (r *reader) get(object *jsonpos.Node, key string) *jsonpos.Node {
	n := object.Get(key)
	if n != nil && n.Kind == jsonpos.Null {
		r.nulls = append(r.nulls, n)
		return nil
	}
	return n
}

// kind reports whether n has one of the wanted kinds, and says so when not.
func (r *reader) kind(n *jsonpos.Node, want ...jsonpos.Kind) bool {
	if n == nil {
		return false
	}
	if slices.Contains(want, n.Kind) {
		return true
	}
	names := make([]string, len(want))
	for i, k := range want {
		names[i] = k.String()
	}
	p := problem{code: "MANIFEST_TYPE"}
	p.hint, p.fix = converted(n, want[0])
	r.fail(n, p, "%s must be %s, not %s", label{n}, strings.Join(names, " or "), n.Kind)
	return false
}

// converted proposes n as a value of another kind, and repairs it when only
// the quotes are wrong.
func converted(n *jsonpos.Node, want jsonpos.Kind) (hint, fix string) {
	switch {
	case want == jsonpos.String && (n.Kind == jsonpos.Number || n.Kind == jsonpos.Bool):
		return fmt.Sprintf("write %q", n.Text), strconv.Quote(n.Text)
	case want == jsonpos.Bool && n.Kind == jsonpos.String && (n.Text == "true" || n.Text == "false"),
		want == jsonpos.Number && n.Kind == jsonpos.String && isNumber(n.Text):
		return "write " + n.Text + " without quotes", n.Text
	case want == jsonpos.Array && n.Kind == jsonpos.String:
		return "write [" + jsonpos.Quote(n.Text) + "]", ""
	}
	return "", ""
}

// isNumber reports whether text is a JSON number.
func isNumber(text string) bool {
	return text != "" && strings.IndexByte("-0123456789", text[0]) >= 0 && json.Valid([]byte(text))
}

// text reads a string, trimmed.
func (r *reader) text(n *jsonpos.Node) string {
	if !r.kind(n, jsonpos.String) {
		return ""
	}
	return strings.TrimSpace(n.Text)
}

// required reads a string that must be there and not be blank.
func (r *reader) required(object *jsonpos.Node, key string) string {
	n := r.get(object, key)
	if n == nil {
		r.missing(object, key, problem{})
		return ""
	}
	text := r.text(n)
	if text == "" && n.Kind == jsonpos.String {
		r.fail(n, problem{code: "MANIFEST_REQUIRED"}, "%s is empty", label{n})
	}
	return text
}

// choice reads a string that must be one of known.
func (r *reader) choice(n *jsonpos.Node, known []string) string {
	if !r.kind(n, jsonpos.String) {
		return ""
	}
	text := strings.TrimSpace(n.Text)
	if !slices.Contains(known, text) {
		if !r.found.Room(diag.Error) {
			return "" // before the costly search
		}
		p := problem{code: "MANIFEST_VALUE", hint: didYouMean(text, known), fix: sameWord(text, known)}
		r.fail(n, p, "%s cannot be %s", label{n}, jsonpos.Quote(text))
		return ""
	}
	return text
}

// requiredChoice is choice for a field that must be there.
func (r *reader) requiredChoice(object *jsonpos.Node, key string, known []string) string {
	n := r.get(object, key)
	if n == nil {
		r.missing(object, key, problem{hint: "one of " + strings.Join(known, ", ")})
		return ""
	}
	return r.choice(n, known)
}

// flag reads a boolean, nil when absent.
func (r *reader) flag(n *jsonpos.Node) *bool {
	if !r.kind(n, jsonpos.Bool) {
		return nil
	}
	value := n.Text == "true"
	return &value
}

// seconds reads a whole number that is not negative.
func (r *reader) seconds(n *jsonpos.Node) int {
	if !r.kind(n, jsonpos.Number) {
		return 0
	}
	value, err := strconv.ParseInt(n.Text, 10, 32)
	if err != nil || value < 0 {
		r.fail(n, problem{code: "MANIFEST_VALUE", hint: "0 means the host's default"}, "%s must be a whole number of seconds, 0 or more, not %s", label{n}, jsonpos.Quote(n.Text))
		return 0
	}
	return int(value)
}

// elements returns the members of an array of strings; the other members are
// reported.
func (r *reader) elements(n *jsonpos.Node) []*jsonpos.Node {
	if !r.kind(n, jsonpos.Array) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(n.Children), func(c *jsonpos.Node) bool { return !r.kind(c, jsonpos.String) })
}

// set reads an array of strings: trimmed, sorted, no empty or equal ones.
func (r *reader) set(n *jsonpos.Node) []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, c := range r.elements(n) {
		out = append(out, strings.TrimSpace(c.Text))
	}
	return sortedSet(out)
}

// words reads an array of strings as it is written.
func (r *reader) words(n *jsonpos.Node) []string {
	var out []string
	for _, c := range r.elements(n) {
		out = append(out, c.Text)
	}
	return out
}

// stringMap reads an object of strings. A name must not be empty; names of
// environment variables hold no "=".
func (r *reader) stringMap(n *jsonpos.Node, env bool) map[string]string {
	if !r.kind(n, jsonpos.Object) {
		return nil
	}
	out := map[string]string{}
	for _, c := range n.Children {
		if c.Key == "" || env && strings.Contains(c.Key, "=") {
			r.failKey(c, problem{code: "MANIFEST_VALUE"}, "%s cannot be a name in %s", jsonpos.Quote(c.Key), label{n})
			continue
		}
		if r.kind(c, jsonpos.String) {
			out[c.Key] = c.Text
		}
	}
	return out
}

// either returns the member that stands under one of two spellings; camel
// wins, as in upstream hosts, and both together are worth a warning.
func (r *reader) either(object *jsonpos.Node, snake, camel string) *jsonpos.Node {
	a, b := r.get(object, snake), r.get(object, camel)
	if b == nil {
		return a
	}
	if a != nil {
		r.warnKey(a, problem{code: "MANIFEST_BOTH_SPELLINGS", hint: "keep one of them", drop: true}, "%q is ignored, since %q is there too", snake, camel)
	}
	return b
}

// union returns the members under both spellings of a list; their values add up.
func (r *reader) union(object *jsonpos.Node, snake, camel string) []*jsonpos.Node {
	return slices.DeleteFunc([]*jsonpos.Node{r.get(object, snake), r.get(object, camel)}, func(n *jsonpos.Node) bool { return n == nil })
}
