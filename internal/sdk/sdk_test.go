package sdk_test

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"testing"

	"github.com/wuu-plugins/wuu/internal/sdk"
)

var specifier = regexp.MustCompile(`(?:from|import) "([^"]+)"`)

// TestSourcesStandAlone checks that every import of a source is a source: the
// bundler needs nothing else, neither a package nor a part of Node.
func TestSourcesStandAlone(t *testing.T) {
	names, err := fs.Glob(sdk.Files(), "*")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) < 10 {
		t.Fatalf("only %d sources", len(names))
	}
	for _, name := range append(names, sdk.Entry, sdk.Guard) {
		text, err := fs.ReadFile(sdk.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsRune(text, '\r') {
			t.Errorf("%s has CRLF line ends", name)
		}
		for _, m := range specifier.FindAllSubmatch(text, -1) {
			if _, err := fs.Stat(sdk.Files(), path.Clean(string(m[1]))); err != nil {
				t.Errorf("%s imports %q, which is no source", name, m[1])
			}
		}
	}
}

// TestTypesAreComplete checks that the declarations reach nothing outside.
func TestTypesAreComplete(t *testing.T) {
	types := sdk.Types()
	if types[sdk.TypesDir+"/index.d.ts"] == nil {
		t.Fatal("no index.d.ts")
	}
	for name, text := range types {
		for _, m := range specifier.FindAllSubmatch(text, -1) {
			target := path.Join(sdk.TypesDir, string(bytes.TrimSuffix(m[1], []byte(".js")))+".d.ts")
			if types[target] == nil {
				t.Errorf("%s imports %q, which is no declaration", name, m[1])
			}
		}
	}
}

// TestTypesAreCopies checks that a caller may change what it got.
func TestTypesAreCopies(t *testing.T) {
	const name = sdk.TypesDir + "/index.d.ts"
	first := sdk.Types()[name]
	want := bytes.Clone(first)
	first[0] = '!'
	if !bytes.Equal(sdk.Types()[name], want) {
		t.Error("Types shares its memory")
	}
}
