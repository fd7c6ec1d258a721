package scaffold_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/scaffold"
	"github.com/wuu-plugins/wuu/internal/schema"
	"github.com/wuu-plugins/wuu/internal/sdk"
)

func TestWriteTypes(t *testing.T) {
	root := t.TempDir()
	if err := scaffold.WriteTypes(root); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".wuu/types/plugin.schema.json": string(schema.Manifest())}
	for name, text := range sdk.Types() {
		want[".wuu/types/"+name] = string(text)
	}
	if diff := cmp.Diff(want, tree(t, root)); diff != "" {
		t.Fatal(diff)
	}

	// A second time it repairs what is wrong and leaves the rest alone.
	types := filepath.Join(root, ".wuu", "types")
	index := filepath.Join(types, sdk.TypesDir, "index.d.ts")
	tools := filepath.Join(types, sdk.TypesDir, "tools.d.ts")
	past := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for path, text := range map[string]string{
		index: "damaged",
		filepath.Join(types, sdk.TypesDir, "of-an-older-sdk.d.ts"): "old",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(tools, past, past); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(types, "own.d.ts")
	if err := os.WriteFile(own, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := scaffold.WriteTypes(root); err != nil {
		t.Fatal(err)
	}
	want[".wuu/types/own.d.ts"] = "mine"
	if diff := cmp.Diff(want, tree(t, root)); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(tools); err != nil || !info.ModTime().Equal(past) {
		t.Errorf("an unchanged file was written: %v, %v", info.ModTime(), err)
	}
}

func TestWriteTypesWhereAFileIsInTheWay(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, ".wuu"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := scaffold.WriteTypes(root); err == nil {
		t.Error("no error")
	}
	if diff := cmp.Diff(map[string]string{".wuu": "mine"}, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}
