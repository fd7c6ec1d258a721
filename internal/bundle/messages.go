package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/lazyregexp"
)

// unresolvedText is how esbuild words an import that it cannot find.
var unresolvedText = lazyregexp.New(`^Could not resolve "(.+)"$`)

func unresolved(errors []api.Message) map[string]bool {
	specs := map[string]bool{}
	for _, m := range errors {
		if found := unresolvedText().FindStringSubmatch(m.Text); found != nil {
			specs[found[1]] = true
		}
	}
	return specs
}

// findings turns esbuild's messages into ours. files caches what was read for
// the positions.
func findings(root string, platform Platform, severity diag.Severity, messages []api.Message) []diag.Finding {
	code := CodeError
	if severity != diag.Error {
		code = CodeWarning
	}
	var list []diag.Finding
	for _, m := range messages {
		f := diag.Finding{Code: code, Severity: severity, Message: lowerFirst(m.Text), Hint: noteText(m.Notes)}
		if m.Location != nil {
			place(&f, root, m.Location)
		}
		if m.Location != nil && m.Location.Suggestion != "" && f.Hint == "" {
			f.Hint = fmt.Sprintf("did you mean %s?", m.Location.Suggestion)
		}
		if strings.HasPrefix(f.File, runNamespace+":") {
			inRunner(&f, m)
		}
		found := unresolvedText().FindStringSubmatch(m.Text)
		if found != nil && platform == Browser && strings.Contains(f.Hint, "built into node") {
			f.Message = fmt.Sprintf("%q is built into Node and does not exist where a desktop entry runs", found[1])
			f.Hint = "move that work to the runtime and call it with api.invokeRuntime"
		}
		if found != nil && strings.Contains(f.Hint, "as external") { // esbuild's own option, which wuu has not
			f.Hint = ""
			if name := packageName(found[1]); name != "" {
				f.Hint = fmt.Sprintf("npm install --save-dev %s; building puts what is imported into the output", name)
			}
		}
		list = append(list, f)
	}
	return list
}

// inRunner words what is wrong with a single-file plugin, seen from the entry
// that wuu makes for it, in terms of the file itself.
func inRunner(f *diag.Finding, m api.Message) {
	f.File = strings.TrimPrefix(f.File, runNamespace+":")
	f.Start, f.End = diag.Pos{}, diag.Pos{}
	if strings.HasPrefix(m.Text, "No matching export") {
		f.Message = "there is no default export"
		f.Hint = "export the plugin: export default { async initialize() { … } } satisfies RuntimePlugin"
	}
}

// place fills in file and positions. esbuild counts columns in bytes; a file
// that changed meanwhile keeps esbuild's line.
func place(f *diag.Finding, root string, l *api.Location) {
	f.File = filepath.ToSlash(l.File)
	if l.Namespace == "file" || l.Namespace == "" {
		if filepath.IsAbs(l.File) {
			if rel, err := filepath.Rel(root, l.File); err == nil {
				f.File = filepath.ToSlash(rel)
			}
		}
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.File)))
		if start, ok := lineStart(src, l); err == nil && ok {
			f.Start = diag.Locate(src, start+l.Column)
			f.End = diag.Locate(src, start+l.Column+l.Length)
			return
		}
	}
	f.Start = within(l, l.Column)
	f.End = within(l, l.Column+l.Length)
}

// lineStart finds the offset of l's line in src and makes sure it is the line
// that esbuild saw; a byte order mark is part of both.
func lineStart(src []byte, l *api.Location) (int, bool) {
	offset := 0
	for range l.Line - 1 {
		i := strings.IndexByte(string(src[offset:]), '\n')
		if i < 0 {
			return 0, false
		}
		offset += i + 1
	}
	return offset, strings.HasPrefix(string(src[offset:]), l.LineText)
}

// within counts the columns of a byte column in the line's own text.
func within(l *api.Location, column int) diag.Pos {
	column = min(column, len(l.LineText))
	for column > 0 && column < len(l.LineText) && !utf8.RuneStart(l.LineText[column]) {
		column--
	}
	pos := diag.Locate([]byte(l.LineText[:column]), column)
	pos.Line, pos.Offset = l.Line, 0
	return pos
}

func noteText(notes []api.Note) string {
	var parts []string
	for _, n := range notes {
		text := n.Text
		if n.Location != nil {
			text = fmt.Sprintf("%s (%s:%d:%d)", strings.TrimSuffix(text, ":"), filepath.ToSlash(n.Location.File), n.Location.Line, n.Location.Column+1)
		}
		parts = append(parts, text)
	}
	return lowerFirst(strings.Join(parts, "; "))
}

// lowerFirst lower-cases the first letter of a sentence, unless the first word
// is written in capitals.
func lowerFirst(s string) string {
	if len(s) < 2 || s[0] < 'A' || s[0] > 'Z' || s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
