package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/config"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func env(vars map[string]string) func(string) string {
	return func(k string) string { return vars[k] }
}

// TestLayers: environment over project over user over default.
func TestLayers(t *testing.T) {
	dir := t.TempDir()
	user := write(t, filepath.Join(dir, "config.toml"), "registry = \"https://user.example.com\"\ncolor = \"never\"\nnode = \"node-u\"\n[dev]\npoll = \"3s\"\n[cache]\nmax_bytes = 5\n")
	project := filepath.Join(dir, "project")
	write(t, filepath.Join(project, ".wuu", "config.toml"), "color = \"always\"\nnode = \"node-p\"\n")
	got, err := config.Load(user, project, env(map[string]string{"WUU_NODE": "node-e", "WUU_POLL_MS": "250"}))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{Registry: "https://user.example.com", Color: "always", Node: "node-e", DevPoll: 250 * time.Millisecond, CacheMax: 5}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestDefaults(t *testing.T) {
	got, err := config.Load(filepath.Join(t.TempDir(), "none.toml"), t.TempDir(), env(nil))
	if err != nil || got != config.Default() {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestRefusals: an unknown key, a broken file and a bad number name their source.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, file, poll, want string }{
		{"unknown key", "registy = \"x\"", "", "registy"},
		{"broken TOML", "registry = ", "", "config.toml"},
		{"wrong type", "cache = 7", "", "config.toml"},
		{"poll of zero", "", "0", "WUU_POLL_MS"},
		{"poll in words", "", "soon", "WUU_POLL_MS"},
	} {
		file := write(t, filepath.Join(dir, "config.toml"), c.file)
		_, err := config.Load(file, "", env(map[string]string{"WUU_POLL_MS": c.poll}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}
