package protocol_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

type row struct {
	Name      string          `json:"name"`
	Direction string          `json:"direction"`
	Method    string          `json:"method"`
	Frame     json.RawMessage `json:"frame"`
	Line      *string         `json:"line"`
	OK        bool            `json:"ok"`
	Code      string          `json:"code"`
	Subject   string          `json:"subject"`
}

func (r row) line() []byte {
	if r.Line != nil {
		return []byte(*r.Line)
	}
	return r.Frame
}

// table reads testdata/protocol of the repository, which other
// implementations run too.
func table[T any](t testing.TB, name string) []T {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "protocol", name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []T
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		var r T
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%s: %v in %.80s", name, err, lines.Bytes())
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", name, len(rows), err)
	}
	return rows
}

func check(t *testing.T, r row, err error) {
	t.Helper()
	if r.OK {
		if err != nil {
			t.Errorf("%s: refused: %v", r.Name, err)
		}
		return
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Errorf("%s: got %v, want a fault with code %s", r.Name, err, r.Code)
		return
	}
	if f.Code != r.Code || f.Subject != r.Subject {
		t.Errorf("%s: got %s at %q, want %s at %q (%v)", r.Name, f.Code, f.Subject, r.Code, r.Subject, err)
	}
}

func TestFrames(t *testing.T) {
	for _, r := range table[row](t, "frames.jsonl") {
		f, err := protocol.ParseFrame(r.line())
		check(t, r, err)
		if r.Code == protocol.FrameInvalid && f.ID == "" {
			t.Errorf("%s: the id is lost, so that nobody can answer", r.Name)
		}
	}
}

func TestInitialize(t *testing.T) {
	for _, r := range table[row](t, "initialize.jsonl") {
		f, err := protocol.ParseFrame(r.line())
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		var result protocol.InitializeResult
		if err := json.Unmarshal(f.Result, &result); err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		check(t, r, protocol.ValidateInitialize(result))
	}
}

func TestToolResults(t *testing.T) {
	for _, r := range table[row](t, "tool-results.jsonl") {
		f, err := protocol.ParseFrame(r.line())
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		var result protocol.ToolExecuteResult
		if err := json.Unmarshal(f.Result, &result); err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		check(t, r, protocol.ValidateToolResult(result.Result))
	}
}

func TestPublicToolName(t *testing.T) {
	type row struct {
		Plugin, Tool, Name string
		Attempt            int
	}
	for _, r := range table[row](t, "tool-names.jsonl") {
		got := protocol.PublicToolName(r.Plugin, r.Tool, r.Attempt)
		if got != r.Name {
			t.Errorf("%s %s %d: got %s, want %s", r.Plugin, r.Tool, r.Attempt, got, r.Name)
		}
		if len(got) > 64 {
			t.Errorf("%s has %d characters", got, len(got))
		}
	}
}

// TestResultSizes covers the limits that are too large for a table.
func TestResultSizes(t *testing.T) {
	text := func(n int) protocol.ContentPart {
		return protocol.ContentPart{Type: "text", Text: strings.Repeat("x", n)}
	}
	// 4 base64 digits are 3 bytes; one more quadruple with padding makes 2 MiB.
	full := strings.Repeat("AAAA", protocol.MaxInlineData/3) + "AAA="
	quoted := func(n int) json.RawMessage { return json.RawMessage(`"` + strings.Repeat("q", n-2) + `"`) }
	for _, c := range []struct {
		name    string
		result  protocol.ToolResult
		subject string
	}{
		{"text of 1 MiB", protocol.ToolResult{Content: []protocol.ContentPart{text(1 << 20)}}, ""},
		{"text over 1 MiB", protocol.ToolResult{Content: []protocol.ContentPart{text(1<<20 + 1)}}, "content[0].text"},
		{"data of 2 MiB", protocol.ToolResult{Content: []protocol.ContentPart{{Type: "file", MimeType: "a/b", Data: full}}}, ""},
		{"data over 2 MiB", protocol.ToolResult{Content: []protocol.ContentPart{{Type: "file", MimeType: "a/b", Data: "AAAA" + full}}}, "content[0].data"},
		{"structured content of 1 MiB", protocol.ToolResult{StructuredContent: quoted(1 << 20)}, ""},
		{"structured content over 1 MiB", protocol.ToolResult{StructuredContent: quoted(1<<20 + 1)}, "structured_content"},
		{"meta over 1 MiB", protocol.ToolResult{Meta: quoted(1<<20 + 1)}, "meta"},
		{"whole over 3 MiB", protocol.ToolResult{Content: []protocol.ContentPart{text(1 << 20), text(1 << 20), text(1 << 20)}}, "result"},
	} {
		check(t, row{Name: c.name, OK: c.subject == "", Code: protocol.BadToolResult, Subject: c.subject}, protocol.ValidateToolResult(c.result))
	}
}

func TestUnwrappedToolResultIsRefused(t *testing.T) {
	for _, raw := range []string{`{"content":[]}`, `{"result":null}`, `{"result":"done"}`, `"done"`, `null`} {
		var r protocol.ToolExecuteResult
		if err := json.Unmarshal([]byte(raw), &r); err == nil {
			t.Errorf("%s passes for a result", raw)
		}
	}
}
