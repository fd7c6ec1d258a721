package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// documentName is the file name of a subject's storage and settings documents
// (reference/wuu-facts.md §4; host/service writes them).
func documentName(subject string) string {
	sum := sha256.Sum256([]byte(subject))
	return "sha256-" + hex.EncodeToString(sum[:]) + ".json"
}

func userSubject(id string) string { return "plugin:user:" + id }
func devSubject(id string) string  { return "plugin:dev:" + id }

// documents lists the existing storage and settings documents of an installed
// plugin, of the user and of every workspace, relative to the home.
func (c *Catalog) documents(id string) (found []string, err error) {
	name := documentName(userSubject(id))
	dirs := []string{filepath.Join(c.home.PluginStorage(), "user"), filepath.Join(c.home.PluginSettings(), "user")}
	workspaces, err := os.ReadDir(c.home.Workspaces())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, w := range workspaces {
		dir := filepath.Join(c.home.Workspaces(), w.Name())
		dirs = append(dirs, filepath.Join(dir, "plugin-storage"), filepath.Join(dir, "plugin-settings"))
	}
	for _, dir := range dirs {
		there, err := fsx.Exists(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if there {
			found = append(found, c.rel(filepath.Join(dir, name)))
		}
	}
	return found, nil
}

// isDocument recognises what documents lists: a journal may purge no more.
func isDocument(p string) bool {
	dir, name := path.Split(p)
	if ok, _ := regexp.MatchString(`^sha256-[0-9a-f]{64}\.json$`, name); !ok {
		return false
	}
	ok, _ := regexp.MatchString(`^(plugin-(storage|settings)/user|workspaces/[^/]+/plugin-(storage|settings))/$`, dir)
	return ok
}
