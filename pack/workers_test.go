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
	files := map[string]string{"plugin.json": `{"id":"x","version":"1.0.0"}`}
	for i := range 60 {
		files[fmt.Sprintf("f%02d.txt", i)] = fmt.Sprintln(i, bytes.Repeat([]byte("text "), i*37))
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
	var first []byte
	for _, workers := range []int{1, 2, 5} {
		var buf bytes.Buffer
		if err := p.writeZip(t.Context(), &buf, workers); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = buf.Bytes()
		} else if !bytes.Equal(first, buf.Bytes()) {
			t.Errorf("%d workers give other bytes", workers)
		}
	}
}
