package procgroup_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/procgroup"
)

func TestLookPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tools are made with a Unix mode")
	}
	dir, bin, later := t.TempDir(), t.TempDir(), t.TempDir()
	file := func(folder, name string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tool := file(bin, "tool", 0o700)
	file(later, "tool", 0o700)
	file(bin, "plain", 0o600)
	plain := file(later, "plain", 0o700)
	here := file(dir, "here", 0o700)
	if err := os.Mkdir(filepath.Join(bin, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=/nowhere", "PATH=" + strings.Join([]string{"", ".", bin, later}, string(os.PathListSeparator))}
	t.Chdir(dir)
	for _, c := range []struct {
		name, want string
		env        []string
	}{
		{"tool", tool, env},
		{"plain", plain, env}, // the first has no executable bit
		{"folder", "", env},
		{"here", "", env}, // . and the empty entry of PATH never count
		{"./here", here, env},
		{here, here, nil},
		{"tool", "", nil},
		{"./missing", "", env},
	} {
		got, err := procgroup.LookPath(c.name, dir, c.env)
		if got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
		var f *fault.Error
		if c.want == "" && (!errors.As(err, &f) || f.Code != "COMMAND_NOT_FOUND" || f.Hint == "") {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}
