package pack_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/pack"
)

// ruleCase is one rule about archives, broken once in each format that has it.
type ruleCase struct {
	rule     string
	code     string
	severity diag.Severity // error by default
	entry    string        // what the finding names, without the root of a tarball; "" for the archive itself
	tgz, zip []byte        // nil where the format has no such rule
	o        pack.Options
}

// rawTGZ is a sound tarball with more parts behind its two files.
func rawTGZ(parts ...any) []byte { return archivetest.TGZ(soundTar(parts...)...) }

func soundTar(parts ...any) []any {
	return append([]any{archivetest.File("package/plugin.json", plugin), archivetest.File("package/package.json", npm)}, parts...)
}

// rawZip is a sound zip with more entries behind its two files.
func rawZip(entries ...archivetest.ZipEntry) []byte { return tailedZip(nil, entries...) }

func tailedZip(tail func(dir, end []byte) ([]byte, []byte), entries ...archivetest.ZipEntry) []byte {
	return archivetest.Zip(tail, append([]archivetest.ZipEntry{{Name: "plugin.json", Body: plugin}, {Name: "package.json", Body: npm}}, entries...)...)
}

// both breaks a rule about names with the same files in both formats. Names
// too long for a header come in a PAX record.
func both(rule, code, entry string, names ...string) ruleCase {
	var tar []any
	var zip []archivetest.ZipEntry
	for _, name := range names {
		tar = append(tar, archivetest.PAX('x', archivetest.Record("path", "package/"+name)), archivetest.File("package/x", ""))
		zip = append(zip, archivetest.ZipEntry{Name: name})
	}
	return ruleCase{rule: rule, code: code, entry: entry, tgz: rawTGZ(tar...), zip: rawZip(zip...)}
}

// ruleCases lists every rule of an archive with a fixture.
func ruleCases() []ruleCase {
	return slices.Concat(nameRules(), entryRules(), tarRules(), zipRules(), wholeRules())
}

func nameRules() []ruleCase {
	long, deep := strings.Repeat("n", 256), strings.Repeat("d/", 32)+"f"
	path := strings.Repeat(strings.Repeat("p", 200)+"/", 5) + strings.Repeat("p", 30)
	return []ruleCase{
		both("..", "PATH_TRAVERSAL", "a/../../b", "a/../../b"),
		both("a part .", "PATH_TRAVERSAL", "a/./b", "a/./b"),
		both("compatibility form of ..", "PATH_TRAVERSAL", "a/\u2025/b", "a/\u2025/b"),
		{rule: "absolute path", code: "PATH_ABSOLUTE", entry: "/b", tgz: rawTGZ(archivetest.File("/b", "")), zip: rawZip(archivetest.ZipEntry{Name: "/b"})},
		{rule: "network path", code: "PATH_UNC", entry: "//host/b", tgz: rawTGZ(archivetest.File("//host/b", "")), zip: rawZip(archivetest.ZipEntry{Name: "//host/b"})},
		both("network path of Windows", "PATH_UNC", `\\host\b`, `\\host\b`),
		both("device path of Windows", "PATH_UNC", `\??\C:\b`, `\??\C:\b`),
		both("drive letter", "PATH_DRIVE", "C:/b", "C:/b"),
		both("backslash", "PATH_BACKSLASH", `a\b`, `a\b`),
		both("NUL", "PATH_CONTROL", `a\x00b`, "a\x00b"),
		both("control character", "PATH_CONTROL", `a\x1bb`, "a\x1bb"),
		both("C1 control character", "PATH_CONTROL", `a\u0085b`, "a\u0085b"),
		both("bidirectional override", "PATH_CONTROL", `a\u202eb`, "a\u202eb"),
		both("zero-width character", "PATH_CONTROL", `a\u200db`, "a\u200db"),
		both("colon", "PATH_CHARACTER", "ab:c", "ab:c"),
		both("question mark", "PATH_CHARACTER", "a?", "a?"),
		both("empty part", "PATH_EMPTY", "a//b", "a//b"),
		{rule: "empty name", code: "PATH_EMPTY", tgz: rawTGZ(archivetest.File("", "x")), zip: rawZip(archivetest.ZipEntry{Name: "", Body: "x"})},
		both("dot at the end", "PATH_TRAILING", "a./b", "a./b"),
		both("space at the end", "PATH_TRAILING", "b ", "b "),
		both("device name", "PATH_RESERVED", "x/nul", "x/nul"),
		both("device name with an extension", "PATH_RESERVED", "Aux.tar.gz", "Aux.tar.gz"),
		both("device name with a superscript", "PATH_RESERVED", "COM¹.txt", "COM¹.txt"),
		both("part over 255 bytes", "PATH_TOO_LONG", pathShow(long), long),
		both("part over 255 units on macOS", "PATH_TOO_LONG", pathShow(strings.Repeat("\u0390", 100)), strings.Repeat("\u0390", 100)),
		both("path over 1,024 bytes", "PATH_TOO_LONG", pathShow(path), path),
		both("over 32 levels", "PATH_TOO_DEEP", deep, deep),
		both(".git", "PATH_VCS", ".Git/config", ".Git/config"),
		both(".git with a character that some system ignores", "PATH_VCS", ".g\\u034fit/config", ".g\u034fit/config"),
		both("short name", "PATH_SHORTNAME", "PROGRA~1", "PROGRA~1"),
		both("not UTF-8", "PATH_ENCODING", `a\xff`, "a\xff"),
	}
}

func pathShow(name string) string { return name[:20] }

func entryRules() []ruleCase {
	flag := func(f byte) []byte { return rawTGZ(archivetest.Member{Name: "package/l", Flag: f}) }
	mode := func(m uint32) []byte { return rawZip(archivetest.ZipEntry{Name: "l", Mode: m}) }
	lock, junk := both("a lock file", "LOCK_SHIPPED", ".wuu-package-lock.json", ".wuu-package-lock.json"), both("junk", "JUNK_FILE", ".DS_Store", "a/.DS_Store", "__MACOSX/x")
	junk.severity = diag.Warning
	return []ruleCase{
		{rule: "symbolic link", code: "ENTRY_LINK", entry: "l", tgz: flag('2'), zip: mode(0o120777)},
		{rule: "hard link", code: "ENTRY_LINK", entry: "l", tgz: flag('1')},
		{rule: "character device", code: "ENTRY_SPECIAL", entry: "l", tgz: flag('3'), zip: mode(0o020644)},
		{rule: "block device", code: "ENTRY_SPECIAL", entry: "l", tgz: flag('4'), zip: mode(0o060644)},
		{rule: "FIFO", code: "ENTRY_SPECIAL", entry: "l", tgz: flag('6'), zip: mode(0o010644)},
		{rule: "socket", code: "ENTRY_SPECIAL", entry: "l", zip: mode(0o140644)},
		{rule: "unknown type", code: "ENTRY_SPECIAL", entry: "l", tgz: flag(0x5a), zip: mode(0o170644)},
		{rule: "volume", code: "ENTRY_SPECIAL", entry: "l", tgz: flag('M'), zip: rawZip(archivetest.ZipEntry{Name: "l", Patch: func(_, c []byte) { c[38] = 8 }})},
		{rule: "sparse file", code: "ENTRY_SPARSE", entry: "l", tgz: flag('S')},
		{rule: "sparse file by PAX", code: "ENTRY_SPARSE", entry: "l", tgz: rawTGZ(archivetest.PAX('x', archivetest.Record("GNU.sparse.major", "1")), archivetest.File("package/l", ""))},
		both("the same path twice", "ENTRY_DUPLICATE", "a", "a", "a"),
		both("case", "ENTRY_CASE_COLLISION", "readme", "README", "readme"),
		both("case of a folder", "ENTRY_CASE_COLLISION", "lib", "Lib/a", "lib/b"),
		both("full case fold", "ENTRY_CASE_COLLISION", "STRASSE", "straße", "STRASSE"),
		both("the Turkish i of ZFS", "ENTRY_CASE_COLLISION", "dıs", "dis", "dıs"),
		both("normalisation", "ENTRY_UNICODE_COLLISION", "cafe", "caf\u00e9", "cafe\u0301"),
		both("compatibility", "ENTRY_UNICODE_COLLISION", "file", "ﬁle", "file"),
		both("ignorable characters", "ENTRY_UNICODE_COLLISION", "❤", "❤\ufe0f", "❤"),
		both("file, then folder", "ENTRY_FILE_DIR_CONFLICT", "x", "x", "x/y"),
		both("folder, then file", "ENTRY_FILE_DIR_CONFLICT", "x", "x/y", "x"),
		{rule: "folder with data", code: "ENTRY_FILE_DIR_CONFLICT", entry: "d",
			tgz: rawTGZ(archivetest.Member{Name: "package/d/", Flag: '5', Body: "x"}), zip: rawZip(archivetest.ZipEntry{Name: "d/", Body: "x"})},
		{rule: "folder by attributes alone", code: "ENTRY_FILE_DIR_CONFLICT", entry: "l", zip: mode(0o040755)},
		{rule: "set-id bit", code: "MODE_SPECIAL_BITS", severity: diag.Warning, entry: "l",
			tgz: rawTGZ(archivetest.Member{Name: "package/l", Flag: '0', Mode: "0004755\x00"}), zip: mode(0o104755)},
		both("a lock file in another form", "LOCK_SHIPPED", "uu-package-lock.json", ".ｗuu-package-lock.json"),
		lock, junk,
	}
}

// wholeRules are those about the archive as a whole and what has to be in it.
func wholeRules() []ruleCase {
	limits := func(l pack.Limits) pack.Options { return pack.Options{Limits: l} }
	sound := func(rule, code string, o pack.Options) ruleCase {
		return ruleCase{rule: rule, code: code, tgz: rawTGZ(archivetest.File("package/a", strings.Repeat("x", 2<<20))), zip: rawZip(archivetest.ZipEntry{Name: "a", Body: strings.Repeat("x", 2<<20), Deflated: true}), o: o}
	}
	inTGZ := func(root string) []byte {
		return archivetest.TGZ(archivetest.File(root+"plugin.json", plugin), archivetest.File(root+"package.json", npm))
	}
	manifests := both("two manifests", "MANIFEST_CONFLICT", ".codex-plugin/plugin.json", ".codex-plugin/plugin.json")
	large := plugin + noise(1<<20, 1)
	ratio, unpacked := sound("more than 200 to 1", "LIMIT_RATIO", pack.Options{}), sound("content too large", "LIMIT_UNPACKED", limits(pack.Limits{Unpacked: 1 << 20, Ratio: 1 << 40}))
	ratio.entry, unpacked.entry = "a", "a"
	return []ruleCase{
		ratio, unpacked, sound("archive too large", "LIMIT_ARCHIVE", limits(pack.Limits{Archive: 100})), sound("too many entries", "LIMIT_ENTRIES", limits(pack.Limits{Entries: 2})),
		{rule: "the other format", code: "ARCHIVE_TYPE", tgz: rawZip(), zip: rawTGZ()},
		{rule: "something else", code: "ARCHIVE_TYPE", tgz: []byte("text"), zip: []byte("text"), o: pack.Options{Format: "any"}},
		{rule: "cut off", code: "ARCHIVE_TRUNCATED", tgz: rawTGZ()[:100], zip: tailedZip(archivetest.PatchEnd(func(e []byte) []byte { e[20] = 9; return e }))},
		{rule: "other root", code: "LAYOUT_ROOT", entry: "react/plugin.json", tgz: inTGZ("react/")},
		{rule: "no root", code: "LAYOUT_NO_ROOT", entry: "plugin.json", tgz: inTGZ("")},
		{rule: "two roots", code: "LAYOUT_MULTI_ROOT", entry: "other/x", tgz: rawTGZ(archivetest.File("other/x", ""))},
		{rule: "dot in front", code: "LAYOUT_DOT_PREFIX", severity: diag.Info, entry: "./package/plugin.json", tgz: inTGZ("./package/")},
		{rule: "wrapped", code: "LAYOUT_WRAPPED", entry: "w/plugin.json", zip: archivetest.Zip(nil, archivetest.ZipEntry{Name: "w/plugin.json", Body: plugin}, archivetest.ZipEntry{Name: "b"})},
		{rule: "no manifest", code: "MANIFEST_MISSING", tgz: archivetest.TGZ(archivetest.File("package/package.json", npm)), zip: archivetest.Zip(nil)},
		{rule: "no package.json", code: "PACKAGE_JSON_MISSING", entry: "package.json", tgz: archivetest.TGZ(archivetest.File("package/plugin.json", plugin))},
		{rule: "manifest too large", code: "MANIFEST_TOO_LARGE", entry: "plugin.json", tgz: archivetest.TGZ(archivetest.File("package/plugin.json", large), archivetest.File("package/package.json", npm)), zip: archivetest.Zip(nil, archivetest.ZipEntry{Name: "plugin.json", Body: large})},
		{rule: "another version", code: "IDENTITY_MISMATCH", entry: "package.json", tgz: rawTGZ(), o: pack.Options{WantVersion: "2.0.0"}},
		manifests,
		{rule: "more than 50 findings", code: "MORE_FINDINGS", severity: diag.Info, tgz: rawTGZ(manyBad(60)...), zip: rawZip(manyBadZip(60)...)},
	}
}

func manyBad(n int) (out []any) {
	for i := range n {
		out = append(out, archivetest.File(fmt.Sprintf("package/a%d.", i), ""))
	}
	return out
}

func manyBadZip(n int) (out []archivetest.ZipEntry) {
	for i := range n {
		out = append(out, archivetest.ZipEntry{Name: fmt.Sprintf("a%d.", i)})
	}
	return out
}

// TestRules breaks every rule once: its code is reported with its severity,
// and the entry is named.
func TestRules(t *testing.T) {
	for _, c := range ruleCases() {
		if c.tgz == nil && c.zip == nil {
			t.Errorf("%s has no fixture", c.rule)
		}
		for format, data := range map[pack.Format][]byte{pack.TGZ: c.tgz, pack.Zip: c.zip} {
			if data == nil {
				continue
			}
			t.Run(c.rule+"/"+string(format), func(t *testing.T) {
				o := c.o
				switch o.Format {
				case "":
					o.Format = format
				case "any":
					o.Format = ""
				}
				checkRule(t, c, data, o)
			})
		}
	}
}

func checkRule(t *testing.T, c ruleCase, data []byte, o pack.Options) {
	p, findings := open(t, data, o)
	severity := c.severity
	if severity == "" {
		severity = diag.Error
	}
	at := slices.IndexFunc(findings, func(f pack.Finding) bool {
		return f.Code == c.code && f.Severity == severity && (c.entry == "" || strings.Contains(f.File, c.entry))
	})
	if at < 0 {
		t.Fatalf("want %s %s about %q, got %s", severity, c.code, c.entry, codes(findings))
	}
	if c.code != "MORE_FINDINGS" && (p == nil) != (severity == diag.Error) {
		t.Errorf("accepted: %v", p != nil)
	}
	if x, again := extract(t, data, t.TempDir(), o); (x == nil) != (p == nil) || len(again) != len(findings) {
		t.Errorf("Extract says %s", codes(again))
	}
}

// foreign are the families of codes that no archive leads to: folders, what
// stands in files, and other commands.
var foreign = []string{"ALLOW_", "BUDGET_", "FILE_CHANGED", "HIDDEN_", "PACK_", "SBOM_", "SECRET_", "TEXT_", "VERIFY_", "WUU_"}

var codeLiteral = regexp.MustCompile(`^[A-Z]+(_[A-Z0-9]+)+$`)

// TestEveryCodeHasARule reads the source: a code that an archive can lead to
// and that no rule above expects makes it fail.
func TestEveryCodeHasARule(t *testing.T) {
	expected := map[string]bool{}
	for _, c := range ruleCases() {
		expected[c.code] = true
	}
	found := map[string]bool{}
	for _, dir := range []string{".", "../internal/archive", "../internal/pathname"} {
		for code, where := range codesIn(t, dir) {
			if slices.ContainsFunc(foreign, func(family string) bool { return strings.HasPrefix(code, family) }) {
				continue
			}
			found[code] = true
			if !expected[code] {
				t.Errorf("%s (%s) is expected by no rule of TestRules", code, where)
			}
		}
	}
	for code := range expected {
		if !found[code] {
			t.Errorf("%s is expected, but not in the source", code)
		}
	}
}

// codesIn collects the string literals that look like codes.
func codesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && codeLiteral.MatchString(s) {
					out[s] = files.Position(lit.Pos()).String()
				}
			}
			return true
		})
	}
	return out
}

// TestAllFindingsInOneRun puts many different mistakes into one archive: each
// is reported, in order, and nothing hides behind the first.
func TestAllFindingsInOneRun(t *testing.T) {
	names := []string{"a/../b", `c\d`, "e:f", "nul", "g.", "h ", "i/.git/x", "j~1", "k\x01", "l\xff", "README", "readme", "m", "m", "n", "n/o", "p//q", ".wuu-package-lock.json"}
	want := []string{
		"PATH_TRAVERSAL", "PATH_BACKSLASH", "PATH_DRIVE", "PATH_RESERVED", "PATH_TRAILING", "PATH_TRAILING", "PATH_VCS", "PATH_SHORTNAME", "PATH_CONTROL",
		"PATH_ENCODING", "ENTRY_CASE_COLLISION", "ENTRY_DUPLICATE", "ENTRY_FILE_DIR_CONFLICT", "PATH_EMPTY", "LOCK_SHIPPED",
	}
	c := both("", "", "", names...)
	for format, data := range map[string][]byte{"tgz": append(bytes.Clone(c.tgz), "rest"...), "zip": c.zip} {
		_, findings := open(t, data, pack.Options{})
		expect := want
		if format == "tgz" {
			expect = append(slices.Clone(want), "GZIP_TRAILING")
		}
		if got := errorCodes(findings); !slices.Equal(got, expect) {
			t.Errorf("%s: %v\nwant %v", format, got, expect)
		}
	}
}

// TestFindingsAreCounted: 50 are shown, and the last line counts the others.
func TestFindingsAreCounted(t *testing.T) {
	for format, data := range map[string][]byte{"tgz": rawTGZ(manyBad(200)...), "zip": rawZip(manyBadZip(200)...)} {
		_, findings := open(t, data, pack.Options{})
		if len(findings) != pack.MaxFindings+1 || len(errorCodes(findings)) != pack.MaxFindings {
			t.Fatalf("%s: %d findings", format, len(findings))
		}
		if last := findings[pack.MaxFindings]; last.Code != "MORE_FINDINGS" || !strings.HasPrefix(last.Message, "150 more findings") {
			t.Errorf("%s: the last finding is %+v", format, last)
		}
	}
}
