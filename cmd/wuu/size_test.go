package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestBinarySize keeps the stripped binary under 20 MB.
func TestBinarySize(t *testing.T) {
	out := filepath.Join(t.TempDir(), "wuu")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", out, ".")
	if msg, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	info, err := os.Stat(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("stripped binary: %.1f MB", float64(info.Size())/1e6)
	if info.Size() >= 20_000_000 {
		t.Errorf("%d bytes, want fewer than 20,000,000", info.Size())
	}
}
