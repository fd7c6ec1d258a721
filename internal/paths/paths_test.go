package paths_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/paths"
)

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	env := func(home string) func(string) string {
		return func(k string) string {
			if k == "WUU_HOME" {
				return home
			}
			return ""
		}
	}
	for _, c := range []struct{ flag, env, want string }{
		{filepath.Join(dir, "flag"), filepath.Join(dir, "env"), filepath.Join(dir, "flag")},
		{"", filepath.Join(dir, "env"), filepath.Join(dir, "env")},
		{"", "", filepath.Join(dir, ".wuu")},
	} {
		got, err := paths.Resolve(c.flag, env(c.env))
		if err != nil || got.Dir() != c.want {
			t.Errorf("%+v: %s, %v", c, got.Dir(), err)
		}
	}
	relative, err := paths.At("x")
	if err != nil || !filepath.IsAbs(relative.Dir()) {
		t.Errorf("a relative home stays relative: %s, %v", relative.Dir(), err)
	}
}

func TestEnsureIsPrivate(t *testing.T) {
	home, err := paths.At(filepath.Join(t.TempDir(), "deep", "home"))
	if err != nil {
		t.Fatal(err)
	}
	if err := home.Ensure(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(home.Dir())
	if err != nil || (filepath.Separator == '/' && info.Mode().Perm() != 0o700) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestSocketDir: short even for a long home, and one for each home.
func TestSocketDir(t *testing.T) {
	long, _ := paths.At("/" + strings.Repeat("long/", 60))
	other, _ := paths.At("/other")
	env := func(k string) string { return map[string]string{"XDG_RUNTIME_DIR": "/run/user/1000"}[k] }
	a, b := long.SocketDir(env), other.SocketDir(env)
	if a == b || len(a) > 60 || !strings.HasPrefix(a, filepath.FromSlash("/run/user/1000/")) {
		t.Errorf("%s and %s", a, b)
	}
}
