package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestLogFileRotates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "host.log")
	log, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	line := append(bytes.Repeat([]byte("x"), maxLog/3), '\n')
	for range 4 {
		if _, err := log.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for name, lines := range map[string]int{path + ".1": 2, path: 2} {
		data, err := os.ReadFile(name)
		if err != nil || len(data) != lines*len(line) {
			t.Errorf("%s: %d bytes, %v; want %d lines", filepath.Base(name), len(data), err, lines)
		}
	}
	if _, err := log.Write(line); err == nil {
		t.Error("a closed log took a line")
	}
}
