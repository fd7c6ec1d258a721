package manifest

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// maxFiles bounds how many files one manifest may be spread over, and with it
// chains of command files that name each other.
const maxFiles = 64

// later keeps the path of a file that Resolve reads.
func (r *reader) later(n *jsonpos.Node, kind RefKind) {
	if clean := r.path(n, kind); clean != "" {
		r.m.pending = append(r.m.pending, r.m.refs[len(r.m.refs)-1])
	}
}

// Files lists the files that Resolve still has to read.
func (m *Manifest) Files() []string {
	var files []string
	for _, ref := range m.pending {
		files = append(files, ref.Path)
	}
	return sortedSet(files)
}

// Resolve reads the hooks, MCP servers and commands that stand in files of
// their own and adds them to m. read returns the content of a package file; a
// file that does not exist (fs.ErrNotExist) is left out without a finding,
// since References names it. Any other error of read ends Resolve.
func (m *Manifest) Resolve(read func(path string) ([]byte, error)) ([]diag.Finding, error) {
	found := &diag.List{}
	seen := map[string]bool{}
	for len(m.pending) > 0 {
		next := m.pending[0]
		m.pending = m.pending[1:]
		key := string(next.Kind) + ":" + next.Path
		if seen[key] {
			found.Add(next.At(diag.Finding{Code: "MANIFEST_FILE_TWICE", Severity: diag.Error, Message: "this file is named twice", Hint: "name it once"}))
			continue
		}
		if seen[key] = true; len(seen) > maxFiles {
			found.Add(next.At(diag.Finding{
				Code: "MANIFEST_FILES", Severity: diag.Error, Message: fmt.Sprintf("the manifest is spread over more than %d files", maxFiles),
			}))
			break
		}
		src, err := read(next.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return found.Findings(), fmt.Errorf("read %s: %w", next.Path, err)
		}
		doc, problems := jsonpos.Parse(next.Path, src)
		found.Add(problems...)
		if doc != nil {
			r := &reader{doc: doc, found: found, m: m}
			r.file(next.Kind)
			r.optional()
		}
	}
	return found.Findings(), nil
}

// file reads the document of a file by what it is for.
func (r *reader) file(kind RefKind) {
	root := r.doc.Root
	if kind == RefCommands {
		r.commands(root)
		return
	}
	if !r.rootObject(root) {
		return
	}
	if kind == RefHooks {
		if n := r.get(root, "hooks"); n == nil {
			r.missing(root, "hooks", problem{})
		} else if r.kind(n, jsonpos.Object) {
			r.hookEvents(n)
		}
		return
	}
	n := r.get(root, "mcpServers")
	if n == nil {
		n = r.get(root, "mcp_servers")
	}
	if n == nil {
		r.missing(root, "mcpServers", problem{})
	} else if r.kind(n, jsonpos.Object) {
		r.serverMap(n)
	}
}

func (r *reader) rootObject(root *jsonpos.Node) bool {
	if root.Kind == jsonpos.Object {
		return true
	}
	r.fail(root, problem{code: "MANIFEST_TYPE"}, "the file must hold an object, not %s", root.Kind)
	return false
}
