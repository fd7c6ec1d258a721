package bundle

import (
	"slices"
	"testing"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

func TestRuntimeOutput(t *testing.T) {
	for _, c := range []struct {
		command string
		args    []string
		want    string
	}{
		{"node", []string{"dist/index.js"}, "dist/index.js"},
		{"node", []string{"./dist/index.mjs"}, "dist/index.mjs"},
		{"node", []string{"--enable-source-maps", "dist/a.cjs", "dist/b.js"}, "dist/a.cjs"},
		{"node", []string{"--import", "./hook", "run.js"}, "run.js"},
		{"./bin/tool", []string{"dist/index.js"}, "bin/tool"},
		{"bin/tool", nil, "bin/tool"},
		{"python3", []string{"main.py"}, ""},
		{"node", []string{"/abs/index.js"}, ""},
		{"node", []string{"../outside.js"}, ""},
		{"../outside", nil, ""},
		{"node", nil, ""},
	} {
		if got := runtimeOutput(&manifest.Runtime{Command: c.command, Args: c.args}); got != c.want {
			t.Errorf("%s %q: output %q, want %q", c.command, c.args, got, c.want)
		}
	}
}

func TestSources(t *testing.T) {
	for output, first := range map[string]string{
		"dist/index.js":    "src/index.ts",
		"dist/a/b.mjs":     "src/a/b.ts",
		"build/x.cjs":      "src/x.ts",
		"lib/x.js":         "src/x.ts",
		"out/x.js":         "src/x.ts",
		"index.js":         "",
		"runtime/index.js": "",
		"dist/style.css":   "",
		"bin/tool":         "",
	} {
		got := sources(output)
		if first == "" {
			if got != nil {
				t.Errorf("%s: sources %v, want none", output, got)
			}
			continue
		}
		if len(got) != len(sourceExts) || got[0] != first {
			t.Errorf("%s: sources %v, want %s first", output, got, first)
		}
	}
	want := []string{"src/x.ts", "src/x.tsx", "src/x.mts", "src/x.js", "src/x.mjs", "src/x.jsx"}
	if got := sources("dist/x.js"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
