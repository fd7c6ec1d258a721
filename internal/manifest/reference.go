package manifest

import (
	"path"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// RefKind says what a path in a manifest is for.
type RefKind string

// The kinds of references.
const (
	RefCommand   RefKind = "runtime command" // a program inside the package
	RefScript    RefKind = "runtime script"  // the first .js, .mjs or .cjs argument
	RefDesktop   RefKind = "desktop entry"
	RefSkill     RefKind = "skill" // a file or folder
	RefPrompt    RefKind = "prompt"
	RefIcon      RefKind = "icon"
	RefSkinImage RefKind = "skin image"
	RefHooks     RefKind = "hooks file"
	RefMCP       RefKind = "MCP servers file"
	RefCommands  RefKind = "commands file"
)

// Reference is a path that the manifest, or a file it refers to, names.
type Reference struct {
	Kind RefKind
	Path string // slash-separated, relative to the package root, cleaned
	doc  *jsonpos.Document
	node *jsonpos.Node
}

// At returns f placed at the path.
func (ref Reference) At(f diag.Finding) diag.Finding { return ref.doc.AtValue(ref.node, f) }

// References lists the paths that obey the rules for package paths, in the
// order in which they were read. Whether they exist is validate's question.
func (m *Manifest) References() []Reference { return m.refs }

// At returns f placed at the value of a JSON pointer of the manifest, or at
// the manifest's opening bracket when the field is absent.
func (m *Manifest) At(pointer string, f diag.Finding) diag.Finding {
	root := m.doc.Root
	if n := root.Find(pointer); n != nil && n != root {
		return m.doc.AtValue(n, f)
	}
	return m.doc.At(root, jsonpos.Span{Start: root.Start, End: root.Start + 1}, f)
}

// Field returns the first of several spellings that is there and neither null
// nor blank, as a JSON pointer; the first of all when none is.
func (m *Manifest) Field(names ...string) string {
	for _, name := range names {
		n := m.doc.Root.Get(name)
		if n != nil && n.Kind != jsonpos.Null && (n.Kind != jsonpos.String || strings.TrimSpace(n.Text) != "") {
			return n.Pointer()
		}
	}
	return "/" + names[0]
}

// path reads a package path, keeps it as a reference and returns it cleaned;
// "" when it is bad.
func (r *reader) path(n *jsonpos.Node, kind RefKind) string {
	if !r.kind(n, jsonpos.String) {
		return ""
	}
	clean, p := cleanPath(strings.TrimSpace(n.Text))
	if p != nil {
		r.fail(n, problem{code: p.Code, hint: pathHint(p.Code)}, "%s is no path inside the package: %s", label{n}, p.Message)
		return ""
	}
	r.refer(n, kind, clean)
	return clean
}

func (r *reader) refer(n *jsonpos.Node, kind RefKind, clean string) {
	r.m.refs = append(r.m.refs, Reference{Kind: kind, Path: clean, doc: r.doc, node: n})
}

// cleanPath applies reference/wuu-facts.md §2.5 and the rules for names in a
// package.
func cleanPath(text string) (string, *pathname.Problem) {
	if text == "" {
		return "", &pathname.Problem{Code: "PATH_EMPTY", Message: "it is empty"}
	}
	if strings.ContainsRune(text, '\\') {
		return "", &pathname.Problem{Code: "PATH_BACKSLASH", Message: "it holds a backslash"}
	}
	if strings.HasPrefix(text, "/") {
		return "", &pathname.Problem{Code: "PATH_ABSOLUTE", Message: "it is absolute"}
	}
	clean := path.Clean(text)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return "", &pathname.Problem{Code: "PATH_TRAVERSAL", Message: "it leads out of the package"}
	}
	if clean == "." {
		return "", &pathname.Problem{Code: "PATH_EMPTY", Message: "it is the package itself"}
	}
	if p := pathname.Check(clean); p != nil {
		return "", p
	}
	return clean, nil
}

func pathHint(code string) string {
	switch code {
	case "PATH_BACKSLASH":
		return "use forward slashes on every system"
	case "PATH_TRAVERSAL", "PATH_ABSOLUTE", "PATH_DRIVE", "PATH_UNC":
		return "paths are relative to the package root; put the file into the package"
	}
	return ""
}
