package manifest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// problem is what a rule says; where is added by the reader.
type problem struct {
	code string
	hint string
	fix  string // replaces the value or key when not empty
	drop bool   // the safe fix is to take the member out
}

func (r *reader) report(severity diag.Severity, n *jsonpos.Node, span jsonpos.Span, p problem, format string, args []any) {
	if !r.found.Room(severity) {
		return
	}
	f := diag.Finding{Code: p.code, Severity: severity, Message: fmt.Sprintf(format, args...), Hint: p.hint}
	if p.fix != "" {
		f.Fix = []diag.Edit{{Start: span.Start, End: span.End, Text: p.fix}}
	}
	if p.drop {
		f.Fix = n.Removal()
	}
	r.found.Add(r.doc.At(n, span, f))
}

// fail reports an error at a value.
func (r *reader) fail(n *jsonpos.Node, p problem, format string, args ...any) {
	r.report(diag.Error, n, n.Span, p, format, args)
}

// warn reports a warning at a value.
func (r *reader) warn(n *jsonpos.Node, p problem, format string, args ...any) {
	r.report(diag.Warning, n, n.Span, p, format, args)
}

// failKey reports an error at a key.
func (r *reader) failKey(n *jsonpos.Node, p problem, format string, args ...any) {
	r.report(diag.Error, n, keySpan(n), p, format, args)
}

// warnKey reports a warning at a key.
func (r *reader) warnKey(n *jsonpos.Node, p problem, format string, args ...any) {
	r.report(diag.Warning, n, keySpan(n), p, format, args)
}

// missing reports that an object lacks a field, at its opening bracket, or at
// the null that stands there.
func (r *reader) missing(object *jsonpos.Node, field string, p problem) {
	if r.misspelt[member{object, field}] {
		return
	}
	if c := r.near[member{object, field}]; c != nil {
		r.claim(c)
		r.failKey(c, misspelling(field), "unknown field %s", jsonpos.Quote(c.Key))
		return
	}
	if p.code == "" {
		p.code = "MANIFEST_REQUIRED"
	}
	if n := object.Get(field); n != nil && n.Kind == jsonpos.Null {
		r.claim(n)
		r.fail(n, p, "%s is null, which counts as absent", label{n})
		return
	}
	bracket := jsonpos.Span{Start: object.Start, End: object.Start + 1}
	if object == r.doc.Root {
		r.report(diag.Error, object, bracket, p, "%q is missing", []any{field})
		return
	}
	r.report(diag.Error, object, bracket, p, "%q is missing in %s", []any{field, label{object}})
}

// optional warns about nulls and misspelt names in places that may be empty.
func (r *reader) optional() {
	for _, n := range r.nulls {
		if !r.claimed[n] {
			r.warn(n, problem{code: "MANIFEST_NULL", hint: "remove the field"}, "%s is null, which counts as absent", label{n})
		}
	}
	for _, m := range r.order {
		if c := r.near[m]; !r.claimed[c] {
			r.warnKey(c, misspelling(m.key), "unknown field %s", jsonpos.Quote(c.Key))
		}
	}
	r.nulls, r.near, r.order = nil, nil, nil
}

func misspelling(meant string) problem {
	return problem{code: "MANIFEST_UNKNOWN_FIELD", hint: fmt.Sprintf("did you mean %q?", meant)}
}

// claim keeps n from being reported again.
func (r *reader) claim(n *jsonpos.Node) {
	if r.claimed == nil {
		r.claimed = map[*jsonpos.Node]bool{}
	}
	r.claimed[n] = true
}

func keySpan(n *jsonpos.Node) jsonpos.Span {
	if n.KeySpan.End == 0 {
		return n.Span
	}
	return n.KeySpan
}

// label names a value the way people write it: runtime.args[0]. It is a
// Stringer so that only findings that are kept pay for it.
type label struct{ n *jsonpos.Node }

func (l label) String() string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(l.n.Pointer(), "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if _, err := strconv.Atoi(part); err == nil {
			b.WriteString("[" + part + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strings.Trim(jsonpos.Quote(part), `"`))
	}
	return b.String()
}
