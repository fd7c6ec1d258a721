package pack_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/pack"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// nastyPart draws names in which file systems differ.
var nastyPart = rapid.OneOf(
	rapid.SampledFrom([]string{
		// case, normalisation and width
		"a", "A", "readme", "README", "Readme", "straße", "STRASSE", "strasse", "ﬁle", "file", "FILE", "caf\u00e9", "cafe\u0301", "CAF\u00c9", "Å", "Å", "\u212b",
		"Kelvin", "\u212aelvin", "ſo", "so", "dıs", "dis", "DİS", "Ω", "\u2126", "µ", "μ", "ǆ", "ǅ", "Ꭰ", "ꭰ", "ΐ", "Σας", "σασ", "ＡＢ", "AB", "①", "1", "x²", "x2", "가", "\u1100\u1161",
		// what nobody sees
		"❤", "❤\ufe0f", "a\u034fb", "ab", "\u3164", "a\u200db", "\ufeffa", "x\u202ey", "\u115f",
		// Windows
		"con", "CON.txt", "aux.", "nul .js", "com1", "COM¹", "com10", "lpt0", "conin$", "clock$", "console", "a.", "a ", " a", "...", "a..b", "x:y", "C:", "C:x", "a?b", "a*", `a"b`, "a<b", "a|b", `a\b`, `..\x`, `\\h\s`,
		// short names
		"PROGRA~1", "progra~1", "Program Files", "program files x86", "GIT~1", "a~1", "longlo~1.txt", "longlongname.text", "longlongname.texts", "longlongname.textile", "longlongname.texty", "longlongname.textus", "LO1234~1.TEX", "notes~backup", "a~", "~1",
		// where a path leads
		"..", ".", "", "‥", "．．", "a\x00b", "a\x1fb", "a\u0085b", "a\xffb", ".git", ".Git", ".g\u0131t", ".gitignore", ".ｇit", ".hidden", "__MACOSX",
		// lengths
		strings.Repeat("n", 255), strings.Repeat("n", 256), strings.Repeat("é", 127), strings.Repeat("ΐ", 86), strings.Repeat("ΐ", 85), strings.Repeat("가", 85), strings.Repeat("🙂", 63),
	}),
	rapid.StringMatching(`[a-cA-C~1. ]{1,4}`),
	rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SliceOfN(rapid.RuneFrom([]rune("aAßsſıiİkKKéÉ\u0301\u0308ǅΐᾂ가ᄀ\u1161①¹²～~1.: ")), 1, 4).Draw(t, "runes"))
	}),
)

// drawNasty draws a tree: path → content.
func drawNasty(t *rapid.T) map[string][]byte {
	files := map[string][]byte{}
	for i := range rapid.IntRange(1, 5).Draw(t, "files") {
		path := strings.Join(rapid.SliceOfN(nastyPart, 1, 3).Draw(t, "path"), "/")
		files[path] = fmt.Appendf(nil, "content %d", i)
	}
	switch rapid.IntRange(0, 60).Draw(t, "deep") {
	case 0:
		files[strings.Repeat("d/", 31)+"f"] = nil
	case 1:
		files[strings.Repeat(strings.Repeat("p", 200)+"/", 5)+"f"] = nil
	}
	return files
}

// breaks says what goes wrong when files are written into a system in this
// order, "" when nothing does: no file overwrites, aliases or escapes, and the
// system lists back the same files.
func (s simulated) breaks(paths []string, body func(path string) string) string {
	root := newSimFolder("")
	for _, p := range paths {
		if err := s.create(root, p, body(p)); err != nil {
			return err.Error()
		}
	}
	for _, p := range paths {
		if got, err := s.read(root, p); err != nil || got != body(p) {
			return fmt.Sprintf("%q reads %q (%v)", p, got, err)
		}
	}
	listed, want := composed(root.list("")), composed(paths)
	if !slices.Equal(listed, want) {
		return fmt.Sprintf("listed as %q, packed as %q", listed, want)
	}
	return ""
}

func composed(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = norm.NFC.String(p)
	}
	slices.Sort(out)
	return out
}

// breaksSomewhere tries every system, first to last and last to first.
func breaksSomewhere(paths []string, body func(string) string) string {
	backwards := slices.Clone(paths)
	slices.Reverse(backwards)
	for _, s := range simulatedSystems() {
		for _, order := range [][]string{paths, backwards} {
			if why := s.breaks(order, body); why != "" {
				return s.name + ": " + why
			}
		}
	}
	return ""
}

// TestAcceptedTreesInstallEverywhere: a tree that OpenDir accepts, from memory
// or from disk, installs on every simulated system, and comes out of both
// archive formats with the same fingerprint. And a tree that it refuses breaks
// on at least one of them, unless the reason is one of needless.
func TestAcceptedTreesInstallEverywhere(t *testing.T) {
	base := t.TempDir()
	var run, accepted, broken, excused int
	rapid.Check(t, func(t *rapid.T) {
		run++
		dir := filepath.Join(base, fmt.Sprint(run))
		defer os.RemoveAll(dir)
		p, findings, tree := openNasty(t, filepath.Join(dir, "tree"))
		if p == nil {
			why := breaksSomewhere(tree, func(path string) string { return path })
			switch {
			case excusedBy(findings):
				excused++
			case why == "":
				t.Fatalf("%q is refused, but works everywhere: %s", tree, codes(findings))
			default:
				broken++
			}
			return
		}
		accepted++
		packed := paths(p)
		body := func(path string) string {
			b, err := p.ReadFile(path, 1<<20)
			must(t, err)
			return string(b)
		}
		if why := breaksSomewhere(packed, body); why != "" {
			t.Fatalf("%q is accepted, but breaks on %s", packed, why)
		}
		if rapid.IntRange(0, 3).Draw(t, "round trip") == 0 {
			roundTrip(t, p, dir)
		}
	})
	t.Logf("%d trees: %d accepted, %d refused that break a system, %d refused for other reasons", run, accepted, broken, excused)
	if accepted == 0 || broken == 0 {
		t.Error("nothing was compared")
	}
}

// openNasty draws a tree and opens it: with the overlay, which takes any name,
// or from the disk where that keeps all names apart. tree are the paths.
func openNasty(t *rapid.T, dir string) (*pack.Package, []pack.Finding, []string) {
	files := drawNasty(t)
	must(t, os.MkdirAll(dir, 0o755))
	files["plugin.json"], files["package.json"] = []byte(plugin), []byte(npm)
	o := pack.Options{Overlay: files}
	if runtime.GOOS == "linux" && rapid.IntRange(0, 3).Draw(t, "disk") == 0 && onDisk(dir, files) {
		o.Overlay = nil
	}
	root, err := os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { root.Close() })
	p, findings, err := pack.OpenDir(context.Background(), root, o)
	must(t, err)
	var tree []string
	for path := range files {
		tree = append(tree, path)
	}
	slices.Sort(tree)
	return p, findings, tree
}

// onDisk writes files whose names the disk takes as they are.
func onDisk(dir string, files map[string][]byte) bool {
	for path, body := range files {
		if path == "" || filepath.Clean(path) != path || !filepath.IsLocal(path) {
			return false
		}
		at := filepath.Join(dir, path)
		if os.MkdirAll(filepath.Dir(at), 0o755) != nil || os.WriteFile(at, body, 0o644) != nil {
			return false
		}
	}
	return true
}

func roundTrip(t *rapid.T, p *pack.Package, dir string) {
	z, g := packed(t, p)
	for name, data := range map[string][]byte{"zip": z, "tgz": g} {
		at := filepath.Join(dir, name)
		must(t, os.MkdirAll(at, 0o755))
		root, err := os.OpenRoot(at)
		must(t, err)
		x, findings, err := pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), root, pack.Options{Format: pack.Format(name)})
		root.Close()
		must(t, err)
		if x == nil || x.Fingerprint != p.Fingerprint {
			t.Fatalf("the %s of %q installs as something else: %s", name, paths(p), codes(findings))
		}
	}
}

// needless are the reasons for which a tree is refused although every system
// could hold it.
var needless = map[string]string{
	"PATH_CONTROL":      "what nobody sees makes one name look like another",
	"PATH_VCS":          "a .git folder in a package runs hooks once a tool takes it for a repository",
	"PATH_SHORTNAME":    "the name is taken only where a longer one was there before (TestShortNamesAreTaken)",
	"PATH_TOO_DEEP":     "a limit: deep trees exhaust tools that recurse",
	"LIMIT_ENTRIES":     "a limit",
	"LOCK_SHIPPED":      "the lock is written by install alone",
	"MANIFEST_CONFLICT": "which manifest counts must not depend on the reader",
}

// excusedBy reports findings of which one is needless, or is about a
// compatibility form of "..", which no simulated system resolves.
func excusedBy(findings []pack.Finding) bool {
	return slices.ContainsFunc(findings, func(f pack.Finding) bool {
		_, known := needless[f.Code]
		return f.Severity == diag.Error && (known || strings.Contains(f.Message, "another Unicode form"))
	})
}

// TestOverlayHoldsNothingThatInstallSkips: what a build makes under the names
// of macOS's leftovers is left out, and a lock is refused.
func TestOverlayHoldsNothingThatInstallSkips(t *testing.T) {
	dir := folder(t, withManifest(nil))
	p, _ := openDir(t, dir, pack.Options{Overlay: map[string][]byte{"a/.DS_Store": nil, "__MACOSX/x": nil, "b": nil}})
	if got := paths(p); !slices.Equal(got, []string{"b", "package.json", "plugin.json"}) || len(p.Omitted) != 2 {
		t.Errorf("packed %q, omitted %v", got, p.Omitted)
	}
	_, findings := openDir(t, dir, pack.Options{Overlay: map[string][]byte{pack.LockName: nil}})
	if !slices.Equal(errorCodes(findings), []string{"LOCK_SHIPPED"}) {
		t.Errorf("a lock: %s", codes(findings))
	}
}

// TestShortNamesAreTaken: for each name of the shape ~1 there is a longer one
// that NTFS reaches under it, so that both cannot be in one folder.
func TestShortNamesAreTaken(t *testing.T) {
	for short, long := range map[string]string{
		"PROGRA~1": "Program Files", "GIT~1": ".git", "a~1.txt": "a.txtx", "LONGNA~1.JS": "longname with more.js",
	} {
		_, findings := openDir(t, folder(t, withManifest(nil)), pack.Options{Overlay: map[string][]byte{short: nil}})
		if !slices.Contains(errorCodes(findings), "PATH_SHORTNAME") {
			t.Errorf("%s is not refused: %s", short, codes(findings))
		}
		if breaksSomewhere([]string{long, short}, func(string) string { return "" }) == "" {
			t.Errorf("%s and %s live side by side everywhere", long, short)
		}
	}
}
