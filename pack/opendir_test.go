package pack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/pack"
)

func TestPackedSet(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string]string
		overlay map[string]string
		want    []string // besides plugin.json and package.json
		omitted []string // "path reason-word"
	}{
		{name: "everything", files: map[string]string{"dist/a.js": "", ".env.example": "", ".gitignore": "dist/", "empty": ""},
			want: []string{".env.example", ".gitignore", "dist/a.js", "empty"}},
		{name: "never", files: map[string]string{
			".git/HEAD": "", "sub/.git": "gitdir: x", "node_modules/x/i.js": "", "a/node_modules/y": "", ".wuu/types/t.d.ts": "", "a/.wuu/x": "",
			".DS_Store": "", "__MACOSX/x": "", ".wuu-package-lock.json": "{}", "a/keep": "",
		}, want: []string{"a/keep"}, omitted: []string{
			".DS_Store left", ".git/ version", ".wuu-package-lock.json lock", ".wuu/ working", "__MACOSX/ left", "a/.wuu/ working", "a/node_modules/ dependencies",
			"node_modules/ dependencies", "sub/.git version",
		}},
		{name: "outputs", files: map[string]string{
			"hello-1.0.0.zip": "", "hello-0.9.0-rc.1.zip": "", "hello.zip": "", "wuu-hello-1.0.0.tgz": "", "hello-extra.zip": "", "other-1.0.0.zip": "",
			"assets/hello-1.0.0.zip": "", "hello-1.0.0.txt": "",
		}, want: []string{"assets/hello-1.0.0.zip", "hello-1.0.0.txt", "hello-extra.zip", "other-1.0.0.zip"},
			omitted: []string{"hello-0.9.0-rc.1.zip earlier", "hello-1.0.0.zip earlier", "hello.zip earlier", "wuu-hello-1.0.0.tgz earlier"}},
		{name: "ignore file", files: map[string]string{
			".wuuignore": "*.ts\n!keep.ts\nsecret/\n", "a.ts": "", "keep.ts": "", "secret/x": "", "secret/keep.ts": "", "src/b.ts": "", "src/c.js": "",
		}, want: []string{"keep.ts", "src/c.js"}, omitted: []string{".wuuignore ignore", "a.ts left", "secret/ left", "src/b.ts left"}},
		{name: "nested ignore file", files: map[string]string{
			".wuuignore": "*.map\n", "x/.wuuignore": "!a.map\n/only\n", "x/a.map": "", "x/b.map": "", "x/only": "", "x/y/only": "", "a.map": "",
		}, want: []string{"x/a.map", "x/y/only"}, omitted: []string{".wuuignore ignore", "a.map left", "x/.wuuignore ignore", "x/b.map left", "x/only left"}},
		{name: "files", files: map[string]string{
			"package.json": `{"name":"wuu-hello","version":"1.0.0","files":["dist","./lib/*.js","!dist/**/*.map","/assets/"]}`,
			"dist/a.js":    "", "dist/x/a.map": "", "dist/x/b.js": "", "lib/a.js": "", "lib/a.ts": "", "lib/sub/a.js": "", "assets/i.png": "", "src/a/b.ts": "", "src/c.ts": "",
			"README.md": "", "LICENSE": "", "docs/README.md": "", "CHANGELOG.md": "",
		}, want: []string{"LICENSE", "README.md", "assets/i.png", "dist/a.js", "dist/x/b.js", "lib/a.js"},
			omitted: []string{"CHANGELOG.md not", "dist/x/a.map not", "docs/ not", "lib/a.ts not", "lib/sub/ not", "src/ not"}},
		{name: "files and ignore file", files: map[string]string{
			"package.json": `{"name":"wuu-hello","version":"1.0.0","files":["dist"]}`, ".wuuignore": "*.map", "dist/a.js": "", "dist/a.map": "",
		}, want: []string{"dist/a.js"}, omitted: []string{".wuuignore ignore", "dist/a.map left"}},
		{name: "files empty", files: map[string]string{"package.json": `{"name":"wuu-hello","version":"1.0.0","files":[]}`, "a": ""}, omitted: []string{"a not"}},
		{name: "files everything", files: map[string]string{"package.json": `{"name":"wuu-hello","version":"1.0.0","files":["."]}`, "a/b": ""}, want: []string{"a/b"}},
		{name: "files unreadable", files: map[string]string{"package.json": `{"name":"wuu-hello","version":"1.0.0","files":"dist"}`, "a": ""}, want: []string{"a"}},
		{name: "overlay", files: map[string]string{
			"package.json": `{"name":"wuu-hello","version":"1.0.0","files":["src"]}`, ".wuuignore": "*.js\n", "dist/a.js": "old", "src/a.ts": "",
		}, overlay: map[string]string{"dist/a.js": "new", "dist/b.js": "made"}, want: []string{"dist/a.js", "dist/b.js", "src/a.ts"}, omitted: []string{".wuuignore ignore"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			overlay := map[string][]byte{}
			for path, body := range tt.overlay {
				overlay[path] = []byte(body)
			}
			p, findings := openDir(t, folder(t, withManifest(tt.files)), pack.Options{Overlay: overlay})
			if len(findings) > 0 {
				t.Errorf("findings: %s", codes(findings))
			}
			want := append([]string{"package.json", "plugin.json"}, tt.want...)
			slices.Sort(want)
			if got := paths(p); !slices.Equal(got, want) {
				t.Errorf("packed %q\nwant   %q", got, want)
			}
			var omitted []string
			for _, o := range p.Omitted {
				word, _, _ := strings.Cut(o.Reason, " ")
				omitted = append(omitted, o.Path+" "+word)
			}
			if !slices.Equal(omitted, tt.omitted) {
				t.Errorf("omitted %q\nwant    %q", omitted, tt.omitted)
			}
			for path, body := range tt.overlay {
				if got, err := p.ReadFile(path, 100); err != nil || string(got) != body {
					t.Errorf("%s = %q, %v", path, got, err)
				}
			}
		})
	}
}

func TestDirRules(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows cannot hold these names")
	}
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"reserved", map[string]string{"aux.js": ""}, []string{"PATH_RESERVED"}},
		{"colon", map[string]string{"a:b": ""}, []string{"PATH_DRIVE"}},
		{"trailing space", map[string]string{"x /y": ""}, []string{"PATH_TRAILING"}},
		{"hidden character", map[string]string{"a\u200bb": ""}, []string{"PATH_CONTROL"}},
		{"left out, so fine", map[string]string{"aux.js": "", ".wuuignore": "aux.js"}, nil},
		{"no manifest", map[string]string{"plugin.json": "-", "a": ""}, []string{"MANIFEST_MISSING"}},
		{"two manifests", map[string]string{".claude-plugin/plugin.json": "{}"}, []string{"MANIFEST_CONFLICT"}},
		{"two manifests, one ignored", map[string]string{".claude-plugin/plugin.json": "{}", ".wuuignore": ".claude-plugin/"}, nil},
		{"too deep", map[string]string{strings.Repeat("d/", 40) + "f": ""}, []string{"PATH_TOO_DEEP"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := withManifest(tt.files)
			if files["plugin.json"] == "-" {
				delete(files, "plugin.json")
			}
			_, findings := openDir(t, folder(t, files), pack.Options{})
			if got := errorCodes(findings); !slices.Equal(got, tt.want) {
				t.Errorf("%s, want %v", codes(findings), tt.want)
			}
		})
	}
}

func TestDirCollisions(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("skipped: this file system may not keep such names apart")
	}
	dir := folder(t, withManifest(map[string]string{"Foo.js": "12", "foo.js": "1", "caf\u00e9": "", "cafe\u0301": ""}))
	_, findings := openDir(t, dir, pack.Options{})
	if got := errorCodes(findings); !slices.Equal(got, []string{"ENTRY_DUPLICATE", "ENTRY_CASE_COLLISION"}) {
		t.Errorf("findings: %s", codes(findings))
	}
	text := codes(findings)
	for _, want := range []string{"Foo.js (2 bytes)", "foo.js", "1 bytes"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not name %q", text, want)
		}
	}
}

func TestNamesAreStoredComposed(t *testing.T) {
	p, _ := openDir(t, folder(t, withManifest(map[string]string{"cafe\u0301/e\u0301": "text"})), pack.Options{})
	if !slices.Contains(paths(p), "caf\u00e9/\u00e9") {
		t.Fatalf("packed %q", paths(p))
	}
	if got, err := p.ReadFile("caf\u00e9/\u00e9", 10); err != nil || string(got) != "text" {
		t.Errorf("ReadFile = %q, %v", got, err)
	}
}

func TestLinks(t *testing.T) {
	outside := folder(t, map[string]string{"secret": "s"})
	tests := []struct {
		name, link, target string
		code               string
		packed             map[string]string
	}{
		{"file inside", "l", "real/f", "PACK_LINK_INSIDE", map[string]string{"l": "content"}},
		{"file through a folder above", "real/l", "../plugin.json", "PACK_LINK_INSIDE", map[string]string{"real/l": plugin}},
		{"folder inside", "l", "real", "", map[string]string{"l/f": "content", "l/sub/g": "more"}},
		{"folder from below", "other/l", "../real", "", map[string]string{"other/l/f": "content", "other/l/sub/g": "more"}},
		{"to a folder above", "real/l", "..", "PACK_LINK_LOOP", nil},
		{"to itself", "l", "l", "PACK_LINK_OUTSIDE", nil},
		{"nowhere", "l", "missing", "PACK_LINK_BROKEN", nil},
		{"outside, relative", "l", "../x", "PACK_LINK_OUTSIDE", nil},
		{"outside, absolute", "l", filepath.Join(outside, "secret"), "PACK_LINK_OUTSIDE", nil},
		{"outside, folder", "l", outside, "PACK_LINK_OUTSIDE", nil},
		{"never packed", "node_modules", outside, "", map[string]string{}},
		{"left out", "left.lnk", outside, "", map[string]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := folder(t, withManifest(map[string]string{"real/f": "content", "real/sub/g": "more", "other/x": "", ".wuuignore": "*.lnk"}))
			if err := os.Symlink(tt.target, filepath.Join(dir, tt.link)); err != nil {
				t.Skipf("skipped: no symbolic links here (%v)", err)
			}
			p, findings := openDir(t, dir, pack.Options{})
			if tt.code != "" && (len(findings) == 0 || findings[0].Code != tt.code || findings[0].File != tt.link) {
				t.Errorf("%s, want %s", codes(findings), tt.code)
			}
			if tt.code == "" && len(findings) > 0 && tt.packed != nil && len(tt.packed) == 0 {
				t.Errorf("findings: %s", codes(findings))
			}
			if (p != nil) != (tt.packed != nil) {
				t.Fatalf("package %v: %s", p != nil, codes(findings))
			}
			for path, want := range tt.packed {
				if got, err := p.ReadFile(path, 1000); err != nil || string(got) != want {
					t.Errorf("%s = %q, %v", path, got, err)
				}
			}
			if p != nil && len(p.Files) != 5+len(tt.packed) {
				t.Errorf("packed %q", paths(p))
			}
		})
	}
}

func TestExecutables(t *testing.T) {
	pe := make([]byte, 0x90)
	copy(pe, "MZ")
	pe[0x3c] = 0x80
	copy(pe[0x80:], "PE\x00\x00")
	files := map[string]string{
		"plugin.json": `{"id":"hello","version":"1.0.0","runtime":{"command":"./bin/server"}}`,
		"bin/server":  "text", "src/bin/server": "text", "script": "#!/bin/sh\n", "elf": "\x7fELF\x02", "macho": "\xcf\xfa\xed\xfe\x07\x00\x00\x01",
		"fat": "\xca\xfe\xba\xbe\x00\x00\x00\x02", "Java.class": "\xca\xfe\xba\xbe\x00\x00\x00\x41", "win.exe": string(pe), "MZ.txt": "MZ is not enough", "index.js": "x",
	}
	dir := folder(t, files)
	for _, name := range []string{"index.js", "src/bin/server"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := openDir(t, dir, pack.Options{})
	var got []string
	for _, f := range p.Files {
		if f.Exec {
			got = append(got, f.Path)
		}
	}
	if want := []string{"bin/server", "elf", "fat", "macho", "script", "win.exe"}; !slices.Equal(got, want) {
		t.Errorf("executable %q, want %q", got, want)
	}
}

func TestDirLimits(t *testing.T) {
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("d/f%d", i)] = "12345"
	}
	dir := folder(t, withManifest(files))
	tests := []struct {
		l    pack.Limits
		want []string
	}{
		{pack.Limits{Entries: 23}, nil},
		{pack.Limits{Entries: 22}, []string{"LIMIT_ENTRIES"}},
		{pack.Limits{Entries: 5}, []string{"LIMIT_ENTRIES"}},
		{pack.Limits{Unpacked: 150}, []string{"LIMIT_UNPACKED"}},
	}
	for _, tt := range tests {
		if _, findings := openDir(t, dir, pack.Options{Limits: tt.l}); !slices.Equal(errorCodes(findings), tt.want) {
			t.Errorf("%+v: %s, want %v", tt.l, codes(findings), tt.want)
		}
	}
}

func TestSpecialFiles(t *testing.T) {
	dir := folder(t, withManifest(nil))
	if err := mkfifo(filepath.Join(dir, "pipe")); err != nil {
		t.Skipf("skipped: no FIFOs here (%v)", err)
	}
	if _, findings := openDir(t, dir, pack.Options{}); !slices.Equal(errorCodes(findings), []string{"ENTRY_SPECIAL"}) {
		t.Errorf("findings: %s", codes(findings))
	}
}

func TestOverlayNamesAreChecked(t *testing.T) {
	_, findings := openDir(t, folder(t, withManifest(nil)), pack.Options{Overlay: map[string][]byte{"../x": nil}})
	if !slices.Equal(errorCodes(findings), []string{"PATH_TRAVERSAL"}) {
		t.Errorf("findings: %s", codes(findings))
	}
}
