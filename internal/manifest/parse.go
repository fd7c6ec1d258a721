package manifest

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/nearest"
)

// Parse reads src as file's content. The Manifest is nil when the document
// cannot be used at all; findings of severity error mean that it must not be.
// What the manifest keeps in files of its own is read by Resolve.
func Parse(file string, src []byte) (*Manifest, []diag.Finding) {
	if f, stub := linkStub(file, src); stub {
		return nil, []diag.Finding{f}
	}
	doc, problems := jsonpos.Parse(file, src)
	if doc == nil {
		return nil, problems
	}
	found := &diag.List{}
	found.Add(problems...)
	r := &reader{doc: doc, found: found, m: &Manifest{doc: doc, SchemaVersion: 1}}
	if !r.kind(doc.Root, jsonpos.Object) {
		return nil, []diag.Finding{doc.AtValue(doc.Root, diag.Finding{
			Code: "MANIFEST_TYPE", Severity: diag.Error, Message: "a manifest must be an object, not " + doc.Root.Kind.String(),
		})}
	}
	r.manifest(doc.Root)
	return r.m, found.Findings()
}

func (r *reader) manifest(root *jsonpos.Node) {
	r.topLevel(root)
	r.schemaVersion(root)
	r.identity(root)
	r.descriptions(root)
	r.m.DefaultEnabled = r.flag(r.either(root, "default_enabled", "defaultEnabled"))
	r.platforms(root)
	r.minimumVersion(root)
	r.permissions(root)
	r.nativeHelper(root)
	r.relations(root)
	r.runtime(r.get(root, "runtime"))
	r.desktop(r.get(root, "desktop"))
	r.skills(r.get(root, "skills"))
	r.hooks(r.get(root, "hooks"))
	r.servers(r.either(root, "mcp_servers", "mcpServers"))
	r.contributes(r.get(root, "contributes"))
	r.transfers(r.get(root, "storageTransfers"))
	r.optional()
}

// topLevel collects what this wuu does not know. It is a warning: newer hosts
// may know more.
func (r *reader) topLevel(root *jsonpos.Node) {
	known := Fields()
	for _, c := range root.Children {
		if slices.Contains(known, c.Key) {
			continue
		}
		r.m.UnsupportedFields = append(r.m.UnsupportedFields, c.Key)
		if slices.Contains(ContributesKeys(), c.Key) {
			r.warnKey(c, problem{code: "MANIFEST_UNKNOWN_FIELD", hint: `move it into "contributes"`}, "%q is no top-level field", c.Key)
			continue
		}
		if !r.found.Room(diag.Warning) {
			continue
		}
		p := problem{code: "MANIFEST_UNKNOWN_FIELD", hint: "hosts ignore it"}
		if s := nearest.Name(c.Key, known); s != "" {
			p.hint = didYouMean(c.Key, known)
		} else if c.Key == "permissions" {
			p.hint = `did you mean "requested_permissions"?`
		}
		r.warnKey(c, p, "unknown field %s", jsonpos.Quote(c.Key))
	}
	r.m.UnsupportedFields = slices.Compact(slices.Sorted(slices.Values(r.m.UnsupportedFields)))
	if schema := r.get(root, "$schema"); schema != nil {
		r.kind(schema, jsonpos.String)
	}
}

// schemaVersion accepts the token 1 and nothing else: not "1", not 1.0.
func (r *reader) schemaVersion(root *jsonpos.Node) {
	a, b := root.Get("schema_version"), root.Get("schemaVersion")
	if a != nil && b != nil {
		r.failKey(b, problem{code: "MANIFEST_BOTH_SPELLINGS", hint: "keep schema_version"}, `"schemaVersion" and "schema_version" are both there`)
	}
	for _, n := range []*jsonpos.Node{a, b} {
		switch {
		case n == nil:
		case n.Kind == jsonpos.Number && n.Text == "1":
		case n.Kind == jsonpos.String && strings.TrimSpace(n.Text) == "1":
			r.fail(n, problem{code: "MANIFEST_TYPE", hint: "write 1 without quotes", fix: "1"}, "%s must be a number, not a string", n.Key)
		case n.Kind != jsonpos.Number:
			r.fail(n, problem{code: "MANIFEST_TYPE", hint: "write 1"}, "%s must be a number, not %s", n.Key, n.Kind)
		default:
			r.fail(n, problem{code: "MANIFEST_SCHEMA_VERSION", hint: "this wuu reads schema version 1"}, "%s must be 1, not %s", n.Key, n.Text)
		}
	}
}

// linkStub recognises a symbolic link that git checked out as a text file: the
// file holds nothing but the path of another one.
func linkStub(file string, src []byte) (diag.Finding, bool) {
	text := strings.TrimSpace(string(src[:min(len(src), 1024)]))
	if len(src) > 1024 || !strings.HasSuffix(text, ".json") || strings.ContainsAny(text, "{}[]\"'\n<> ") {
		return diag.Finding{}, false
	}
	start := strings.Index(string(src), text)
	return diag.Finding{
		Code: "MANIFEST_IS_LINK_STUB", Severity: diag.Error, File: file,
		Start: diag.Locate(src, start), End: diag.Locate(src, start+len(text)),
		Message: "the file is a symbolic link that was checked out as text: it only names " + jsonpos.Quote(text),
		Hint:    "put the manifest itself here, or run: git config core.symlinks true && git checkout -- " + file,
	}, true
}
