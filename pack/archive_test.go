package pack_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/pack"
)

// TestEntryRules puts one bad entry into a sound archive, in both formats.
func TestEntryRules(t *testing.T) {
	deep := strings.Repeat("d/", 40) + "f"
	tests := []struct {
		name string
		bad  []member
		want []string
	}{
		{"traversal", []member{{name: "a/../../b"}}, []string{"PATH_TRAVERSAL"}},
		{"backslash", []member{{name: `..\b`}}, []string{"PATH_BACKSLASH"}},
		{"drive", []member{{name: "C:/b"}}, []string{"PATH_DRIVE"}},
		{"control character", []member{{name: "a\x1bb"}}, []string{"PATH_CONTROL"}},
		{"bidi override", []member{{name: "a\u202eb"}}, []string{"PATH_CONTROL"}},
		{"device", []member{{name: "x/nul.txt"}}, []string{"PATH_RESERVED"}},
		{"trailing dot", []member{{name: "a."}}, []string{"PATH_TRAILING"}},
		{"short name", []member{{name: "PROGRA~1"}}, []string{"PATH_SHORTNAME"}},
		{"git", []member{{name: ".git/config"}}, []string{"PATH_VCS"}},
		{"too deep", []member{{name: deep}}, []string{"PATH_TOO_DEEP"}},
		{"too long", []member{{name: strings.Repeat("n", 256)}}, []string{"PATH_TOO_LONG"}},
		{"empty part", []member{{name: "a//b"}}, []string{"PATH_EMPTY"}},
		{"duplicate", []member{{name: "a", body: "1"}, {name: "a", body: "1"}}, []string{"ENTRY_DUPLICATE"}},
		{"case", []member{{name: "README.md"}, {name: "readme.md"}}, []string{"ENTRY_CASE_COLLISION"}},
		{"case of the manifest", []member{{name: "PLUGIN.JSON"}}, []string{"ENTRY_CASE_COLLISION"}},
		{"case of a folder", []member{{name: "Lib/a"}, {name: "lib/b"}}, []string{"ENTRY_CASE_COLLISION"}},
		{"full case fold", []member{{name: "straße"}, {name: "STRASSE"}}, []string{"ENTRY_CASE_COLLISION"}},
		{"normalisation", []member{{name: "caf\u00e9"}, {name: "cafe\u0301"}}, []string{"ENTRY_UNICODE_COLLISION"}},
		{"compatibility", []member{{name: "ﬁle"}, {name: "file"}}, []string{"ENTRY_UNICODE_COLLISION"}},
		{"file then folder", []member{{name: "x"}, {name: "x/y"}}, []string{"ENTRY_FILE_DIR_CONFLICT"}},
		{"folder then file", []member{{name: "x/y"}, {name: "x"}}, []string{"ENTRY_FILE_DIR_CONFLICT"}},
		{"lock", []member{{name: ".wuu-package-lock.json", body: "{}"}}, []string{"LOCK_SHIPPED"}},
		{"lock in capitals", []member{{name: ".WUU-Package-Lock.json", body: "{}"}}, []string{"LOCK_SHIPPED"}},
		{"two manifests", []member{{name: ".codex-plugin/plugin.json", body: "{}"}}, []string{"MANIFEST_CONFLICT"}},
		{"several", []member{{name: "a."}, {name: "b:c/d"}, {name: "ok"}, {name: "nul"}}, []string{"PATH_TRAILING", "PATH_DRIVE", "PATH_RESERVED"}},
	}
	for _, tt := range tests {
		members := slices.Concat(sound, tt.bad)
		for format, data := range map[string][]byte{"tgz": tgz(t, under("package", members...)...), "zip": zipped(t, members...)} {
			t.Run(tt.name+"/"+format, func(t *testing.T) {
				_, findings := open(t, data, pack.Options{})
				if got := errorCodes(findings); !slices.Equal(got, tt.want) {
					t.Errorf("%s, want %v", codes(findings), tt.want)
				}
				for _, f := range findings {
					if strings.ContainsAny(f.File+f.Message, "\x1b\u202e") {
						t.Errorf("the finding repeats a hostile name: %q", f.File)
					}
				}
				if want := tt.want[0] != "MANIFEST_CONFLICT"; pack.Refusal(findings) != want {
					t.Errorf("Refusal = %v", !want)
				}
			})
		}
	}
}

func TestKinds(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"symbolic link", tgz(t, append(under("package", sound...), member{name: "package/l", typeflag: '2'})...), "ENTRY_LINK"},
		{"hard link", tgz(t, append(under("package", sound...), member{name: "package/l", typeflag: '1'})...), "ENTRY_LINK"},
		{"device", tgz(t, append(under("package", sound...), member{name: "package/l", typeflag: '3'})...), "ENTRY_SPECIAL"},
		{"FIFO", tgz(t, append(under("package", sound...), member{name: "package/l", typeflag: '6'})...), "ENTRY_SPECIAL"},
		{"link in a zip", zipped(t, append(sound[:2:2], member{name: "l", body: "/etc", fileMode: os.ModeSymlink | 0o777})...), "ENTRY_LINK"},
		{"socket in a zip", zipped(t, append(sound[:2:2], member{name: "l", fileMode: os.ModeSocket | 0o777})...), "ENTRY_SPECIAL"},
		{"link named like junk outside the root", zipped(t, append(under("x", sound...), member{name: "__MACOSX/l", body: "/etc", fileMode: os.ModeSymlink | 0o777})...), "ENTRY_LINK"},
		{"link named like junk", zipped(t, append(sound[:2:2], member{name: "__MACOSX/l", body: "/etc", fileMode: os.ModeSymlink | 0o777})...), "ENTRY_LINK"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, findings := open(t, tt.data, pack.Options{}); !slices.Equal(errorCodes(findings), []string{tt.want}) {
				t.Errorf("%s, want %s", codes(findings), tt.want)
			}
		})
	}
}

func TestLayout(t *testing.T) {
	here, wrapped := sound, under("hello-main", sound...)
	tests := []struct {
		name string
		data []byte
		want []string // errors
		note string
	}{
		{"npm", tgz(t, under("package", sound...)...), nil, ""},
		{"npm with dot", tgz(t, under("./package", sound...)...), nil, "LAYOUT_DOT_PREFIX"},
		{"npm with folders", tgz(t, append([]member{{name: "./", typeflag: '5'}, {name: "package/", typeflag: '5'}}, under("package", sound...)...)...), nil, ""},
		{"npm, other root", tgz(t, under("react", sound...)...), []string{"LAYOUT_ROOT"}, ""},
		{"npm, no root", tgz(t, sound...), []string{"LAYOUT_NO_ROOT"}, ""},
		{"npm, two roots", tgz(t, append(under("package", sound...), under("other", sound...)...)...), []string{"LAYOUT_MULTI_ROOT"}, ""},
		{"npm, two foreign roots", tgz(t, append(under("a", sound...), under("b", sound...)...)...), []string{"LAYOUT_MULTI_ROOT"}, ""},
		{"npm, file beside the root", tgz(t, append(under("package", sound...), member{name: "x"})...), []string{"LAYOUT_MULTI_ROOT"}, ""},
		{"npm, traversal beside the root", tgz(t, append(under("package", sound...), member{name: "../x"})...), []string{"PATH_TRAVERSAL"}, ""},
		{"npm, absolute", tgz(t, append(under("package", sound...), member{name: "/x"})...), []string{"PATH_ABSOLUTE"}, ""},
		{"npm, nothing", tgz(t), []string{"MANIFEST_MISSING"}, ""},
		{"zip", zipped(t, here...), nil, ""},
		{"zip with one folder", zipped(t, wrapped...), nil, ""},
		{"zip with one folder and junk", zipped(t, append([]member{{name: "__MACOSX/hello-main/._x"}, {name: ".DS_Store"}, {name: "hello-main/"}}, wrapped...)...), nil, "JUNK_FILE"},
		{"zip with a dot-folder manifest", zipped(t, member{name: ".claude-plugin/plugin.json", body: plugin}), nil, ""},
		{"zip with two folders", zipped(t, append(under("x", sound...), member{name: "y/a"})...), []string{"LAYOUT_WRAPPED"}, ""},
		{"zip with a folder and a file", zipped(t, append(under("x", sound...), member{name: "README"})...), []string{"LAYOUT_WRAPPED"}, ""},
		{"zip with one hostile folder", zipped(t, under("..", sound...)...), []string{"PATH_TRAVERSAL", "PATH_TRAVERSAL"}, ""},
		{"zip, absolute", zipped(t, under("", sound...)...), []string{"PATH_ABSOLUTE", "PATH_ABSOLUTE"}, ""},
		{"zip, nothing", zipped(t), []string{"MANIFEST_MISSING"}, ""},
		{"zip without manifest", zipped(t, member{name: "a"}), []string{"MANIFEST_MISSING"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, findings := open(t, tt.data, pack.Options{})
			if got := errorCodes(findings); !slices.Equal(got, tt.want) {
				t.Errorf("%s, want %v", codes(findings), tt.want)
			}
			if tt.note != "" && !slices.ContainsFunc(findings, func(f pack.Finding) bool { return f.Code == tt.note }) {
				t.Errorf("%s, want the note %s", codes(findings), tt.note)
			}
			if p != nil && p.ID != "hello" {
				t.Errorf("ID = %q", p.ID)
			}
		})
	}
}

func TestFormatHasToMatch(t *testing.T) {
	z, g := zipped(t, sound...), tgz(t, under("package", sound...)...)
	tests := []struct {
		name string
		data []byte
		want []string
	}{
		{"x.zip", z, nil}, {"x.TGZ", g, nil}, {"x.tar.gz", g, nil}, {"x", z, nil}, {"x", g, nil},
		{"x.zip", g, []string{"ARCHIVE_TYPE"}},
		{"x.tgz", z, []string{"ARCHIVE_TYPE"}},
		{"x", []byte("text"), []string{"ARCHIVE_TYPE"}},
	}
	for _, tt := range tests {
		_, findings := open(t, tt.data, pack.Options{Format: pack.FormatOf(tt.name)})
		if !slices.Equal(errorCodes(findings), tt.want) {
			t.Errorf("%s: %s, want %v", tt.name, codes(findings), tt.want)
		}
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows has no such modes")
	}
	tar := append(under("package", sound...), member{name: "package/run", mode: 0o755}, member{name: "package/su", mode: 0o6755}, member{name: "package/zero", mode: 0o100000})
	zip := append(sound[:2:2], member{name: "run", fileMode: 0o755}, member{name: "su", fileMode: os.ModeSetuid | 0o755}, member{name: "zero", fileMode: 0o400})
	for format, data := range map[string][]byte{"tgz": tgz(t, tar...), "zip": zipped(t, zip...)} {
		t.Run(format, func(t *testing.T) {
			old := umask(0o077)
			defer umask(old)
			dir := t.TempDir()
			p, findings := extract(t, data, dir, pack.Options{})
			if len(findings) != 1 || findings[0].Code != "MODE_SPECIAL_BITS" || findings[0].Severity != diag.Warning || findings[0].File != map[string]string{"tgz": "package/su", "zip": "su"}[format] {
				t.Errorf("findings: %s", codes(findings))
			}
			for _, f := range p.Files {
				info, err := os.Lstat(filepath.Join(dir, f.Path))
				if err != nil {
					t.Fatal(err)
				}
				want := os.FileMode(0o644)
				if f.Path == "run" || f.Path == "su" {
					want = 0o755
				}
				if info.Mode() != want || f.Exec != (want == 0o755) {
					t.Errorf("%s has mode %v, Exec %v, want %v", f.Path, info.Mode(), f.Exec, want)
				}
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	npmWith := func(name, version string) []byte {
		return tgz(t, member{name: "package/plugin.json", body: plugin}, member{name: "package/package.json", body: fmt.Sprintf(`{"name":%q,"version":%q}`, name, version)})
	}
	want := pack.Options{WantName: "wuu-hello", WantVersion: "1.0.0"}
	tests := []struct {
		name string
		data []byte
		o    pack.Options
		want []string
	}{
		{"as wanted", npmWith("wuu-hello", "1.0.0"), want, nil},
		{"nothing wanted", npmWith("other", "1.0.0"), pack.Options{}, nil},
		{"other name", npmWith("other", "1.0.0"), want, []string{"IDENTITY_MISMATCH"}},
		{"other version", npmWith("wuu-hello", "1.0.1"), want, []string{"IDENTITY_MISMATCH", "IDENTITY_MISMATCH"}},
		{"manifest of another version", npmWith("wuu-hello", "2.0.0"), pack.Options{}, []string{"IDENTITY_MISMATCH"}},
		{"zip of another version", zipped(t, member{name: "plugin.json", body: plugin}, member{name: "package.json", body: `{"version":"2.0.0"}`}), pack.Options{}, nil},
		{"no package.json", tgz(t, member{name: "package/plugin.json", body: plugin}), pack.Options{}, []string{"PACKAGE_JSON_MISSING"}},
		{"zip without package.json", zipped(t, member{name: "plugin.json", body: plugin}), pack.Options{}, nil},
		{"large manifest", zipped(t, member{name: "plugin.json", body: plugin + noise(1<<20, 1)}), pack.Options{}, []string{"MANIFEST_TOO_LARGE"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, findings := open(t, tt.data, tt.o)
			if !slices.Equal(errorCodes(findings), tt.want) {
				t.Errorf("%s, want %v", codes(findings), tt.want)
			}
			if pack.Refusal(findings) {
				t.Error("what a manifest says is no refusal of the archive")
			}
		})
	}
}

// noise is text that compresses badly.
func noise(n, seed int) string {
	r := rand.New(rand.NewPCG(1, uint64(seed)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('!' + r.IntN(90))
	}
	return string(b)
}

func TestLenientManifest(t *testing.T) {
	tests := []struct{ manifest, id, version string }{
		{plugin, "hello", "1.0.0"},
		{"\ufeff" + plugin, "hello", "1.0.0"},
		{`{"name":" by-name ","version":"2.0.0"}`, "by-name", "2.0.0"},
		{`{"id":"../up","version":"1.0.0"}`, "", "1.0.0"},
		{`{"id":7}`, "", ""},
		{`{"id":`, "", ""},
		{`[]`, "", ""},
	}
	for _, tt := range tests {
		p, _ := open(t, zipped(t, member{name: "plugin.json", body: tt.manifest}), pack.Options{})
		if p == nil || p.ID != tt.id || p.Version != tt.version || string(p.Manifest) != tt.manifest || p.ManifestPath != "plugin.json" {
			t.Errorf("%s: %+v", tt.manifest, p)
		}
	}
}

func TestFindingsAreBounded(t *testing.T) {
	var flood []member
	for i := range 200 {
		flood = append(flood, member{name: fmt.Sprintf("d%d/.DS_Store", i)})
	}
	p, findings := open(t, zipped(t, append(flood, sound...)...), pack.Options{})
	if p == nil || len(findings) != pack.MaxFindings+1 || findings[pack.MaxFindings].Code != "MORE_FINDINGS" {
		t.Errorf("200 notes: %d findings, package %v", len(findings), p != nil)
	}
	_, findings = open(t, zipped(t, append(append(flood, sound...), member{name: "nul"})...), pack.Options{})
	if !slices.Equal(errorCodes(findings), []string{"PATH_RESERVED"}) || !pack.Refusal(findings) {
		t.Errorf("the error is lost behind the notes: %v", errorCodes(findings))
	}
}

func TestEntryLimitCountsFolders(t *testing.T) {
	members := sound[:2:2]
	for i := range 10 {
		members = append(members, member{name: fmt.Sprintf("a%d/b/c/f", i)})
	}
	o := pack.Options{Limits: pack.Limits{Entries: 42}}
	if p, findings := open(t, zipped(t, members...), o); p == nil {
		t.Errorf("42 files and folders: %s", codes(findings))
	}
	o.Limits.Entries = 41
	if _, findings := open(t, zipped(t, members...), o); !slices.Equal(errorCodes(findings), []string{"LIMIT_ENTRIES"}) {
		t.Errorf("41 allowed: %s", codes(findings))
	}
}
