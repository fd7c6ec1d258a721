package pack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/pack"
)

// twin is an archive of our own that plays the trick of a corpus case.
type twin struct {
	verdict string // accept, reject or normalise
	code    string // of the finding; "" when there need not be one
	data    []byte
	o       pack.Options
}

// twins are the cases of the shared corpus made anew, by their names there.
func twins() map[string]twin {
	all := map[string]twin{}
	maps.Copy(all, tarNameTwins())
	maps.Copy(all, tarTwins())
	maps.Copy(all, zipTwins())
	return all
}

// tarNameTwins are tarballs with one name that is not to be had.
func tarNameTwins() map[string]twin {
	out := map[string]twin{}
	add := func(id, code string, names ...string) {
		var parts []any
		for _, name := range names {
			if strings.HasPrefix(name, "=") { // as it is, without the root
				parts = append(parts, archivetest.File(name[1:], "x"))
				continue
			}
			parts = append(parts, archivetest.PAX('x', archivetest.Record("path", "package/"+name)), archivetest.File("package/x", "x"))
		}
		out[id] = twin{verdict: "reject", code: code, data: rawTGZ(parts...)}
	}
	add("t02-dotdot-top", "PATH_TRAVERSAL", "=../evil")
	add("t03-abs", "PATH_ABSOLUTE", "=/tmp/evil")
	add("t05-backslash", "PATH_BACKSLASH", `..\evil`)
	add("t06-drive", "PATH_DRIVE", "C:/evil")
	add("t08-unc", "PATH_UNC", `\\host\share\evil`)
	add("t09-ntdevice", "PATH_UNC", `\??\C:\evil`)
	add("t11-pax-dotdot", "PATH_TRAVERSAL", "../../evil")
	add("t35-dup-identical", "ENTRY_DUPLICATE", "a", "a")
	add("t36-casefold", "ENTRY_CASE_COLLISION", "A.js", "a.js")
	add("t38-casefold-manifest", "ENTRY_CASE_COLLISION", "PLUGIN.json")
	add("t39-nfc-nfd", "ENTRY_UNICODE_COLLISION", "caf\u00e9", "cafe\u0301")
	add("t41-ssfold", "ENTRY_CASE_COLLISION", "straße", "strasse")
	add("t42-badutf8", "PATH_ENCODING", "a\xff\xfe")
	add("t44-bidi", "PATH_CONTROL", "x\u202egpj.js")
	add("t45-reserved", "PATH_RESERVED", "con.js")
	add("t47-trail-dot", "PATH_TRAILING", "a./x")
	add("t48-trail-space", "PATH_TRAILING", "a ")
	add("t50-83", "PATH_SHORTNAME", "PLUGIN~1.JSO")
	add("t51-longname", "PATH_TOO_LONG", strings.Repeat("n", 300))
	add("t53-deep", "PATH_TOO_DEEP", strings.Repeat("d/", 2000)+"x")
	add("t54-file-as-dir", "ENTRY_FILE_DIR_CONFLICT", "x", "x/y")
	add("t83-dotgit", "PATH_VCS", ".git/hooks/post-checkout")
	add("t84-dotgit-hfs", "PATH_CONTROL", ".g\u200cit/config")
	return out
}

func tarTwins() map[string]twin {
	type m = archivetest.Member
	file, pax, record := archivetest.File, archivetest.PAX, archivetest.Record
	link := func(flag byte, target, body string) m {
		return m{Name: "package/l", Flag: flag, Body: body, Patch: func(h []byte) { copy(h[157:], target) }}
	}
	flag := func(f byte) m { return m{Name: "package/d", Flag: f} }
	sound := rawTGZ()
	reject := func(code string, data []byte) twin { return twin{verdict: "reject", code: code, data: data} }
	accept := func(code string, data []byte) twin { return twin{verdict: "accept", code: code, data: data} }
	withManifest := func(manifest string) []byte {
		return archivetest.TGZ(file("package/plugin.json", manifest), file("package/package.json", npm))
	}
	rooted := func(roots ...string) []byte {
		var parts []any
		for _, root := range roots {
			parts = append(parts, file(root+"plugin.json", plugin), file(root+"package.json", npm))
		}
		return archivetest.TGZ(parts...)
	}
	sum := bytes.Clone(sound)
	sum[len(sum)-1]++
	return map[string]twin{
		"t00-ok":                     accept("", sound),
		"t12-gnulong-dotdot":         reject("PATH_TRAVERSAL", rawTGZ(archivetest.LongName("package/../../evil"), file("package/x", ""))),
		"t14-symlink-out":            reject("ENTRY_LINK", rawTGZ(link('2', "/etc/passwd", ""))),
		"t15-symlink-then-file":      reject("ENTRY_LINK", rawTGZ(link('2', "/tmp", ""), file("package/l/evil", "x"))),
		"t17-dir-then-symlink":       reject("ENTRY_LINK", rawTGZ(m{Name: "package/l/", Flag: '5'}, link('2', "/tmp", ""), file("package/l/evil", "x"))),
		"t18-symlink-then-dir-chmod": reject("ENTRY_LINK", rawTGZ(link('2', "/tmp", ""), m{Name: "package/l/", Flag: '5', Mode: "0000777\x00"})),
		"t20-hardlink-rel":           reject("ENTRY_LINK", rawTGZ(link('1', "../../evil", ""))),
		"t21-hardlink-drive":         reject("ENTRY_LINK", rawTGZ(link('1', "C:evil", ""))),
		"t23-hardlink-self-preempt":  reject("ENTRY_LINK", rawTGZ(link('1', "package/later", ""), file("package/later", "x"))),
		"t24-link-with-data":         reject("ENTRY_LINK", rawTGZ(link('2', "x", hiddenMember))),
		"t26-chardev":                reject("ENTRY_SPECIAL", rawTGZ(flag('3'))),
		"t27-blkdev":                 reject("ENTRY_SPECIAL", rawTGZ(flag('4'))),
		"t29-unknown-type":           reject("ENTRY_SPECIAL", rawTGZ(flag('@'))),
		"t30-setuid":                 {verdict: "normalise", code: "MODE_SPECIAL_BITS", data: rawTGZ(m{Name: "package/run", Flag: '0', Mode: "0004755\x00"})},
		"t32-mode0":                  {verdict: "normalise", data: rawTGZ(m{Name: "package/x", Flag: '0', Mode: "0000000\x00"})},
		"t33-dirmode0":               {verdict: "normalise", data: rawTGZ(m{Name: "package/d/", Flag: '5', Mode: "0000000\x00"}, file("package/d/x", ""))},
		"t56-dot-entry":              accept("", archivetest.TGZ(append([]any{m{Name: "./", Flag: '5'}}, soundTar()...)...)),
		"t57-no-prefix-other-root":   reject("LAYOUT_ROOT", rooted("react/")),
		"t59-flat":                   reject("LAYOUT_NO_ROOT", rooted("")),
		"t60-two-roots":              reject("LAYOUT_MULTI_ROOT", rooted("package/", "other/")),
		"t62-plain-tar":              reject("GZIP_HEADER", archivetest.Tar(soundTar(archivetest.EndMarker())...)),
		"t63-trailing-zero":          accept("GZIP_TRAILING", slices.Concat(sound, make([]byte, 512))),
		"t65-multimember":            reject("GZIP_MULTIMEMBER", slices.Concat(sound, archivetest.TGZ(file("package/evil", "x")))),
		"t66-empty-members":          reject("GZIP_MULTIMEMBER", slices.Concat(sound, bytes.Repeat(archivetest.Gzip(nil), 5000))),
		"t68-gzip-isize":             reject("GZIP_CRC", sum),
		"t69-truncated":              reject("ARCHIVE_TRUNCATED", sound[:len(sound)-40]),
		"t71-after-eof":              reject("TAR_AFTER_EOF", archivetest.Gzip(archivetest.Tar(soundTar(archivetest.EndMarker(), file("package/evil", "x"), archivetest.EndMarker())...))),
		"t72-badsum":                 reject("TAR_CHECKSUM", rawTGZ(m{Name: "package/x", Flag: '0', BadSum: true})),
		"t74-hugesize":               reject("TAR_SIZE", rawTGZ(m{Name: "package/x", Flag: '0', Size: "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"})),
		"t75-pax-size":               reject("TAR_SIZE_CONFLICT", rawTGZ(pax('x', record("size", "1024")), file("package/c", ""), file("package/evil", "x"))),
		"t77-pax-malformed":          reject("TAR_PAX", rawTGZ(pax('x', "90 path=package/evil\n"), file("package/x", ""))),
		"t78-pax-global-path":        reject("TAR_PAX", rawTGZ(pax('g', record("path", "package/evil")), file("package/x", ""))),
		"t80-sparse-old":             reject("ENTRY_SPARSE", rawTGZ(flag('S'))),
		"t81-hugepax":                reject("TAR_PAX", rawTGZ(pax('x', record("comment", noise(2<<20, 1))), file("package/x", ""))),
		"t86-bom":                    accept("", rawTGZ(file("package/a.json", "\ufeff{}"))),
		"t87-bom-manifest":           accept("JSON_BOM", withManifest("\ufeff"+plugin)),
		"t89-dupkey-manifest":        reject("JSON_DUPLICATE_KEY", withManifest(`{"id":"hello","name":"Hello","version":"1.0.0","ID":"evil","id":"evil"}`)),
		"t90-name-mismatch":          {verdict: "reject", code: "IDENTITY_MISMATCH", data: archivetest.TGZ(file("package/plugin.json", plugin), file("package/package.json", `{"name":"other","version":"9.9.9"}`))},
		"t92-ansi-manifest":          reject("TEXT_CONTROL", withManifest(`{"id":"hello","name":"Hello\u001b[2J","version":"1.0.0"}`)),
		"t93-many":                   reject("LIMIT_ENTRIES", rawTGZ(many(60_000)...)),
		"t95-pax-vendor":             accept("", rawTGZ(pax('x', record("NODETAR.depth", "2")+record("SCHILY.dev", "1")+record("SCHILY.ino", "2")+record("NODETAR.blksize", "4096")), file("package/x", ""))),
	}
}

func many(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = archivetest.File("package/"+string(rune('a'+i%26))+strings.Repeat("x", i/26%50)+string(rune(0x4e00+i/1300)), "")
	}
	return out
}

func zipTwins() map[string]twin {
	type z = archivetest.ZipEntry
	reject := func(code string, data []byte) twin { return twin{verdict: "reject", code: code, data: data} }
	accept := func(code string, data []byte) twin { return twin{verdict: "accept", code: code, data: data} }
	link := z{Name: "l", Body: "/etc", Mode: 0o120777}
	bomb := []z{}
	for i := range 64 {
		e := z{Name: "b" + string(rune('0'+i)), Body: "kernel", Packed: []byte{}}
		if i == 0 {
			e.Packed = nil
		}
		offset := archivetest.SizeOf(z{Name: "plugin.json", Body: plugin}, z{Name: "package.json", Body: npm})
		e.Patch = func(_, central []byte) {
			copy(central[20:], "\x06\x00\x00\x00")
			copy(central[42:], []byte{byte(offset), byte(offset >> 8), 0, 0})
		}
		bomb = append(bomb, e)
	}
	entries := make([]z, 60_000)
	for i, m := range many(60_000) {
		entries[i] = z{Name: m.(archivetest.Member).Name}
	}
	end := func(change func(e []byte)) []byte {
		return tailedZip(archivetest.PatchEnd(func(e []byte) []byte { change(e); return e }))
	}
	return map[string]twin{
		"z00-ok":                 accept("", rawZip()),
		"z02-abs":                reject("PATH_ABSOLUTE", rawZip(z{Name: "/tmp/evil"})),
		"z03-backslash":          reject("PATH_BACKSLASH", rawZip(z{Name: `..\evil`})),
		"z05-symlink":            reject("ENTRY_LINK", rawZip(link)),
		"z06-symlink-chain":      reject("ENTRY_LINK", rawZip(link, z{Name: "l/evil", Body: "x"})),
		"z08-case":               reject("ENTRY_CASE_COLLISION", rawZip(z{Name: "Plugin.JSON", Body: "{}"})),
		"z09-local-name-differs": reject("ZIP_HEADER_MISMATCH", rawZip(z{Name: "good.js", Local: "evil.js", Body: "x"})),
		"z11-crc":                reject("ZIP_CRC", rawZip(z{Name: "x", Body: "x", CRC: 1})),
		"z12-overlap":            reject("ZIP_OVERLAP", rawZip(bomb...)),
		"z14-many":               reject("LIMIT_ENTRIES", rawZip(entries...)),
		"z15-eocd-count":         reject("ZIP_EOCD", end(func(e []byte) { copy(e[8:], "\xfe\xfe\xfe\xfe") })),
		"z17-method":             reject("ZIP_METHOD", rawZip(z{Name: "x", Body: "x", Patch: func(_, c []byte) { c[10] = 14 }})),
		"z18-prefix":             reject("ZIP_PREFIX", archivetest.Zip(nil, z{Name: "plugin.json", Body: plugin, Before: []byte("#!/bin/sh\nexit 0\n")})),
		"z20-trailing":           reject("ZIP_TRAILING", append(rawZip(), "signature block"...)),
		"z21-comment":            accept("ZIP_COMMENT", tailedZip(archivetest.Comment("built by hand"))),
		"z23-dir-with-data":      reject("ENTRY_FILE_DIR_CONFLICT", rawZip(z{Name: "d/", Body: "data"})),
		"z24-emptyname":          reject("PATH_EMPTY", rawZip(z{Name: "", Body: "x"})),
		"z26-unicode-path-extra": reject("ZIP_EXTRA_NAME", rawZip(z{Name: "a", Extra: archivetest.UnicodePath("a", "evil.js")})),
		"z27-exec-bit":           accept("", rawZip(z{Name: "run", Body: "#!/bin/sh\n", Mode: 0o100755})),
		"z29-setuid":             {verdict: "normalise", code: "MODE_SPECIAL_BITS", data: rawZip(z{Name: "run", Mode: 0o104755})},
		"z30-dd":                 accept("", rawZip(z{Name: "x", Body: "abc", Descriptor: archivetest.Descriptor(true, "abc", 0)})),
		"z31-empty":              reject("MANIFEST_MISSING", archivetest.Zip(nil)),
		"z33-macosx":             {verdict: "normalise", code: "JUNK_FILE", data: rawZip(z{Name: "__MACOSX/._plugin.json", Body: "x"}, z{Name: ".DS_Store", Body: "x"})},
		"z34-zip-is-tgz":         reject("ARCHIVE_TYPE", rawTGZ()),
		"z37-dd-lies":            reject("ZIP_DESCRIPTOR", rawZip(z{Name: "x", Body: "abc", Descriptor: archivetest.Descriptor(true, "abc", 1)})),
	}
}

// TestTwins judges our own archives as TestCorpus judges the shared ones.
func TestTwins(t *testing.T) {
	for id, c := range twins() {
		t.Run(id, func(t *testing.T) {
			o := c.o
			o.Format = pack.TGZ
			if id[0] == 'z' {
				o.Format = pack.Zip
			}
			p, findings, err := pack.OpenArchive(context.Background(), bytes.NewReader(c.data), int64(len(c.data)), o)
			if err != nil {
				t.Fatal(err)
			}
			if p != nil {
				m, said := manifest.Parse(p.ManifestPath, p.Manifest)
				findings = append(findings, said...)
				if m == nil || diag.Count(said).Errors > 0 {
					p = nil
				}
			}
			if (p == nil) != (c.verdict == "reject") {
				t.Errorf("want %s, got %s", c.verdict, codes(findings))
			}
			if c.code != "" && !slices.ContainsFunc(findings, func(f pack.Finding) bool {
				return f.Code == c.code && (f.Severity == diag.Error) == (c.verdict == "reject")
			}) {
				t.Errorf("want %s, got %s", c.code, codes(findings))
			}
		})
	}
}

// TestEveryCorpusCaseHasATwin compares with the shared corpus when it is
// there: names, verdicts and codes.
func TestEveryCorpusCaseHasATwin(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(corpusDir(), "cases.json"))
	if err != nil {
		t.Skipf("skipped: no corpus of archives (%v)", err)
	}
	var cases []corpusCase
	if err := json.Unmarshal(list, &cases); err != nil {
		t.Fatal(err)
	}
	ours := twins()
	for _, c := range cases {
		own, ok := ours[c.ID]
		switch {
		case !ok:
			t.Errorf("%s (%s) has no archive of our own", c.ID, c.Trick)
		case own.verdict != c.Verdict || c.Verdict != "accept" && own.code != c.Code:
			t.Errorf("%s is %s %s in the corpus, %s %s here", c.ID, c.Verdict, c.Code, own.verdict, own.code)
		}
	}
}
