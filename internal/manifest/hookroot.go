package manifest

import (
	"fmt"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// shellRoot warns where a shell line uses the plugin's folder outside of double
// quotes: a space in the folder's name would cut the path in two.
func (r *reader) shellRoot(n *jsonpos.Node) {
	if n == nil || n.Kind != jsonpos.String {
		return
	}
	for _, span := range unquotedRoots(string(r.doc.Src[n.Start:n.End])) {
		name := string(r.doc.Src[n.Start+span.Start : n.Start+span.End])
		at := jsonpos.Span{Start: n.Start + span.Start, End: n.Start + span.End}
		r.found.Add(r.doc.At(n, at, diag.Finding{
			Code: "HOOK_UNQUOTED_ROOT", Severity: diag.Warning,
			Message: fmt.Sprintf("%s stands outside of quotes: a space in the plugin's folder breaks the command", name),
			Hint:    fmt.Sprintf(`write "%s"`, name),
			Fix:     []diag.Edit{{Start: at.Start, End: at.Start, Text: `\"`}, {Start: at.End, End: at.End, Text: `\"`}},
		}))
	}
}

// unquotedRoots finds the uses in a shell line that is written as a JSON
// string, by offsets into that.
func unquotedRoots(raw string) []jsonpos.Span {
	var spans []jsonpos.Span
	quote, escaped := byte(0), false
	for i := 1; i < len(raw)-1; {
		char, size := raw[i], 1
		if char == '\\' {
			char, size = jsonEscape(raw[i:])
		}
		switch {
		case escaped:
			escaped = false
		case char == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if char == quote {
				quote = 0
			}
		case char == '"' || char == '\'':
			quote = char
		case char == '$':
			if length := rootVariable(raw[i:]); length > 0 {
				spans = append(spans, jsonpos.Span{Start: i, End: i + length})
				size = length
			}
		}
		i += size
	}
	return spans
}

// jsonEscape returns the character that an escape stands for, as far as a
// shell cares, and the escape's length.
func jsonEscape(raw string) (byte, int) {
	if len(raw) > 5 && raw[1] == 'u' {
		switch strings.ToLower(raw[2:6]) {
		case "0022":
			return '"', 6
		case "0027":
			return '\'', 6
		case "005c":
			return '\\', 6
		}
		return ' ', 6
	}
	if raw[1] == '"' || raw[1] == '\\' {
		return raw[1], 2
	}
	return ' ', 2
}

// rootVariable returns the length of the use of a variable with the plugin's
// folder that text starts with, or 0. Such variables end in PLUGIN_ROOT, here
// and in other products.
func rootVariable(text string) int {
	rest, braces := strings.CutPrefix(text[1:], "{")
	length := 0
	for length < len(rest) && wordByte(rest[length]) {
		length++
	}
	switch name := strings.ToLower(rest[:length]); {
	case !strings.HasSuffix(name, "plugin_root"):
		return 0
	case !braces:
		return 1 + length
	case strings.HasPrefix(rest[length:], "}"):
		return 3 + length
	}
	return 0
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
