package scaffold

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/schema"
	"github.com/wuu-plugins/wuu/internal/sdk"
)

// typesDir is the folder below a plugin's root that tsconfig.json and the
// "$schema" of plugin.json point into.
const typesDir = ".wuu/types"

// schemaFile is the manifest's JSON Schema in typesDir.
const schemaFile = "plugin.schema.json"

// WriteTypes writes the SDK's declarations and the manifest schema into
// root/.wuu/types, so that editors and tsc see them. Files that already hold
// the right bytes are not touched; declarations of an older SDK are removed.
func WriteTypes(root string) error {
	dir := filepath.Join(root, filepath.FromSlash(typesDir))
	files := sdk.Types()
	files[schemaFile] = schema.Manifest()
	if err := os.MkdirAll(filepath.Join(dir, sdk.TypesDir), 0o777); err != nil {
		return fmt.Errorf("write types: %w", err)
	}
	for name, text := range files {
		if err := writeChanged(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return fmt.Errorf("write types: %w", err)
		}
	}
	old, err := os.ReadDir(filepath.Join(dir, sdk.TypesDir))
	if err != nil {
		return fmt.Errorf("write types: %w", err)
	}
	for _, e := range old {
		name := sdk.TypesDir + "/" + e.Name()
		if files[name] == nil && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("write types: %w", err)
			}
		}
	}
	return nil
}

// writeChanged replaces a file whose bytes differ, in one step: an editor may
// be reading it. Nothing is lost with a power cut, so nothing is synced.
func writeChanged(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	tmp := filepath.Join(filepath.Dir(path), fsx.RandomName("."+filepath.Base(path)+fsx.TempInfix))
	err := os.WriteFile(tmp, text, 0o666)
	if err == nil {
		err = fsx.Rename(tmp, path)
	}
	if err != nil {
		return errors.Join(err, removeIfThere(tmp))
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
