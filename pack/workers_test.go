package pack

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestWorkersDoNotChangeTheBytes packs with one worker and with several.
func TestWorkersDoNotChangeTheBytes(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"plugin.json": `{"id":"x","version":"1.0.0"}`, "package.json": `{"name":"x","version":"1.0.0"}`}
	for i := range 60 {
		files[fmt.Sprintf("f%02d.txt", i)] = numbers(i, i*4000)
	}
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p, findings, err := OpenDir(t.Context(), root, Options{})
	if err != nil || p == nil {
		t.Fatal(findings, err)
	}
	for format, write := range map[string]func(*bytes.Buffer, int) error{
		"zip": func(w *bytes.Buffer, workers int) error { return p.writeZip(t.Context(), w, workers) },
		"tgz": func(w *bytes.Buffer, workers int) error { return p.writeTGZ(t.Context(), w, workers) },
	} {
		var first []byte
		for _, workers := range []int{1, 2, 5} {
			var buf bytes.Buffer
			if err := write(&buf, workers); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = buf.Bytes()
			} else if !bytes.Equal(first, buf.Bytes()) {
				t.Errorf("%s: %d workers give other bytes", format, workers)
			}
		}
	}
}

// numbers is text of n bytes that shrinks to a third.
func numbers(seed, n int) string {
	var b bytes.Buffer
	for x := uint32(seed); b.Len() < n; x = x*1664525 + 1013904223 {
		fmt.Fprintln(&b, x>>8)
	}
	return b.String()
}
