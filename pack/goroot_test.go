package pack_test

import (
	"bytes"
	"compress/bzip2"
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/pack"
)

// goVerdicts are the codes that the archives among Go's own test data have, in
// order and each once; none means that nothing is wrong with the archive. That
// there is no plugin in them is left out. archive/tar refuses two that pass
// here, for broken times and attributes that no package uses
// (pax-bad-mtime-file, pax-nul-xattrs); it reads many that are refused here:
// sparse files, links, binary sizes, header bytes that other readers take for
// a name, and zips with something around them or in the 64-bit format.
var goVerdicts = map[string]string{
	"tar/file-and-dir.tar":              "",
	"tar/gnu-incremental.tar":           "TAR_HEADER",
	"tar/gnu-long-nul.tar":              "TAR_LONGNAME",
	"tar/gnu-multi-hdrs.tar":            "TAR_LONGNAME ENTRY_LINK",
	"tar/gnu-nil-sparse-data.tar":       "ENTRY_SPARSE",
	"tar/gnu-nil-sparse-hole.tar":       "ENTRY_SPARSE",
	"tar/gnu-not-utf8.tar":              "PATH_ENCODING",
	"tar/gnu-sparse-big.tar.base64":     "ENTRY_SPARSE TAR_CHECKSUM",
	"tar/gnu-sparse-many-zeros.tar.bz2": "ENTRY_SPARSE LIMIT_RATIO",
	"tar/gnu-utf8.tar":                  "",
	"tar/gnu.tar":                       "",
	"tar/hardlink.tar":                  "ENTRY_LINK",
	"tar/hdr-only.tar":                  "ENTRY_SPECIAL ENTRY_LINK ENTRY_FILE_DIR_CONFLICT",
	"tar/invalid-go17.tar":              "TAR_HEADER",
	"tar/issue10968.tar":                "TAR_CHECKSUM",
	"tar/issue11169.tar":                "TAR_CHECKSUM",
	"tar/issue12435.tar":                "TAR_CHECKSUM",
	"tar/neg-size.tar.base64":           "TAR_HEADER",
	"tar/nil-uid.tar":                   "",
	"tar/pax-bad-hdr-file.tar":          "TAR_PAX",
	"tar/pax-bad-hdr-large.tar.bz2":     "TAR_PAX",
	"tar/pax-bad-mtime-file.tar":        "",
	"tar/pax-global-records.tar":        "TAR_PAX",
	"tar/pax-multi-hdrs.tar":            "TAR_PAX ENTRY_LINK",
	"tar/pax-nil-sparse-data.tar":       "ENTRY_SPARSE",
	"tar/pax-nil-sparse-hole.tar":       "ENTRY_SPARSE",
	"tar/pax-nul-path.tar":              "PATH_CONTROL",
	"tar/pax-nul-xattrs.tar":            "",
	"tar/pax-path-hdr.tar":              "TAR_PAX",
	"tar/pax-pos-size-file.tar":         "TAR_SIZE_CONFLICT",
	"tar/pax-records.tar":               "",
	"tar/pax-sparse-big.tar.base64":     "ENTRY_SPARSE",
	"tar/pax.tar":                       "ENTRY_LINK",
	"tar/sparse-formats.tar":            "ENTRY_SPARSE TAR_CHECKSUM",
	"tar/star.tar":                      "",
	"tar/trailing-slash.tar":            "",
	"tar/ustar-file-devs.tar":           "",
	"tar/ustar-file-reg.tar":            "",
	"tar/ustar.tar":                     "",
	"tar/v7.tar":                        "",
	"tar/writer-big-long.tar.base64":    "TAR_SIZE_CONFLICT ARCHIVE_TRUNCATED",
	"tar/writer-big.tar":                "TAR_SIZE",
	"tar/writer.tar":                    "ENTRY_LINK",
	"tar/xattrs.tar":                    "",
	"zip/comment-truncated.zip":         "ARCHIVE_TRUNCATED",
	"zip/crc32-not-streamed.zip":        "",
	"zip/dd.zip":                        "",
	"zip/dupdir.zip":                    "ENTRY_FILE_DIR_CONFLICT",
	"zip/go-no-datadesc-sig.zip.base64": "",
	"zip/go-with-datadesc-sig.zip":      "",
	"zip/readme.zip":                    "ZIP_TRAILING",
	"zip/subdir.zip":                    "",
	"zip/symlink.zip":                   "ENTRY_LINK",
	"zip/test-badbase.zip":              "ZIP_PREFIX",
	"zip/test-baddirsz.zip":             "ZIP_GAP",
	"zip/test-prefix.zip":               "ZIP_TRAILING",
	"zip/test-trailing-junk.zip":        "ZIP_TRAILING",
	"zip/test.zip":                      "",
	"zip/time-22738.zip":                "",
	"zip/time-7zip.zip":                 "",
	"zip/time-go.zip":                   "",
	"zip/time-infozip.zip":              "",
	"zip/time-osx.zip":                  "",
	"zip/time-win7.zip":                 "",
	"zip/time-winrar.zip":               "",
	"zip/time-winzip.zip":               "",
	"zip/unix.zip":                      "",
	"zip/utf8-7zip.zip":                 "",
	"zip/utf8-infozip.zip":              "",
	"zip/utf8-osx.zip":                  "",
	"zip/utf8-winrar.zip":               "",
	"zip/utf8-winzip.zip":               "",
	"zip/winxp.zip":                     "",
	"zip/zip64-2.zip":                   "ZIP_ZIP64",
	"zip/zip64.zip":                     "ZIP_ZIP64",
}

// TestGoTestdata judges every archive that the tests of archive/tar and
// archive/zip read. A new one has to be added to the table.
func TestGoTestdata(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("skipped: no Go here (%v)", err)
	}
	seen := map[string]bool{}
	for _, format := range []string{"tar", "zip"} {
		dir := filepath.Join(strings.TrimSpace(string(root)), "src", "archive", format, "testdata")
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Skipf("skipped: no source of Go here (%v)", err)
		}
		for _, f := range files {
			if ext := filepath.Ext(f.Name()); ext == ".txt" || ext == ".png" || ext == ".notzip" {
				continue
			}
			name := format + "/" + f.Name()
			seen[name] = true
			t.Run(name, func(t *testing.T) {
				want, known := goVerdicts[name]
				got := verdictOf(t, filepath.Join(dir, f.Name()))
				if !known || got != want {
					t.Errorf("%q: %q, want %q (in the table: %v)", name, got, want, known)
				}
			})
		}
	}
	for name := range goVerdicts {
		if !seen[name] {
			t.Logf("%s is not in this version of Go", name)
		}
	}
}

func verdictOf(t *testing.T, file string) string {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(file)
	var r io.Reader = bytes.NewReader(data)
	if n, ok := strings.CutSuffix(name, ".base64"); ok {
		name, r = n, base64.NewDecoder(base64.StdEncoding, r)
	}
	if n, ok := strings.CutSuffix(name, ".bz2"); ok {
		name, r = n, bzip2.NewReader(r)
	}
	if data, err = io.ReadAll(io.LimitReader(r, 200<<20)); err != nil {
		t.Fatal(err)
	}
	o := pack.Options{Format: pack.Zip}
	if strings.HasSuffix(name, ".tar") {
		data, o.Format = archivetest.Gzip(data), pack.TGZ
	}
	_, findings := open(t, data, o)
	var out []string
	for _, f := range findings {
		switch {
		case f.Severity != diag.Error, strings.HasPrefix(f.Code, "LAYOUT_"), f.Code == "MANIFEST_MISSING", slices.Contains(out, f.Code):
		default:
			out = append(out, f.Code)
		}
	}
	return strings.Join(out, " ")
}
