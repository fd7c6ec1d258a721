// Package paths knows every file name below WUU_HOME. Nothing else joins them.
package paths

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Home is the root folder of one user's plugins, state and cache
// (design/distribution.md, "On disk").
type Home struct{ dir string }

// At returns the home at dir, made absolute. Nothing is created.
func At(dir string) (Home, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Home{}, err
	}
	return Home{abs}, nil
}

// Resolve picks the home: the --home flag, else WUU_HOME, else ~/.wuu.
func Resolve(flag string, getenv func(string) string) (Home, error) {
	if flag != "" {
		return At(flag)
	}
	if dir := getenv("WUU_HOME"); dir != "" {
		return At(dir)
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return Home{}, err
	}
	return At(filepath.Join(user, ".wuu"))
}

func (h Home) join(parts ...string) string {
	return filepath.Join(append([]string{h.dir}, parts...)...)
}

// Dir is the home folder itself.
func (h Home) Dir() string { return h.dir }

// Plugins holds one folder for each installed package.
func (h Home) Plugins() string { return h.join("plugins") }

// Plugin is the installed package id. The caller has checked id (pathname).
func (h Home) Plugin(id string) string { return h.join("plugins", id) }

// State is the folder of state files.
func (h Home) State() string { return h.join("state") }

// StateFile is the catalog's state document.
func (h Home) StateFile() string { return h.join("state", "plugins.json") }

// EpochFile holds the epoch, 8 bytes big endian.
func (h Home) EpochFile() string { return h.join("state", "epoch") }

// LeaseFile is locked by the one process that may change the catalog.
func (h Home) LeaseFile() string { return h.join("state", "catalog.lock") }

// JournalFile describes the commit in progress; its presence means recovery.
func (h Home) JournalFile() string { return h.join("state", "journal.json") }

// Hosts holds one JSON file for each live host.
func (h Home) Hosts() string { return h.join("state", "hosts") }

// Dev is the folder of the dev override of one plugin id.
func (h Home) Dev(id string) string { return h.join("dev", id) }

// DevAll holds one folder for each dev override.
func (h Home) DevAll() string { return h.join("dev") }

// Generations holds the read-only snapshots that runtimes run from.
func (h Home) Generations() string { return h.join("generations") }

// Generation is the snapshot with that fingerprint (64 hex digits).
func (h Home) Generation(fingerprint string) string { return h.join("generations", fingerprint) }

// Config is the user's settings file.
func (h Home) Config() string { return h.join("config.toml") }

// Staging holds private folders of commands in progress.
func (h Home) Staging() string { return h.join("staging") }

// Cache is the content store's root; deleting it loses nothing.
func (h Home) Cache() string { return h.join("cache") }

// Logs holds the hosts' logs.
func (h Home) Logs() string { return h.join("logs") }

// PluginStorage holds the storage documents of user scope.
func (h Home) PluginStorage() string { return h.join("plugin-storage") }

// PluginSettings holds the settings documents of user scope.
func (h Home) PluginSettings() string { return h.join("plugin-settings") }

// Workspaces holds one folder for each project: state, logs, undo stacks.
func (h Home) Workspaces() string { return h.join("workspaces") }

// Ensure creates the home with mode 0700, and nothing below it.
func (h Home) Ensure() error { return fsx.MkdirAll(h.dir, 0o700) }

// SocketDir is a short private folder for control sockets: a long home would
// break the 104 to 108 bytes that socket addresses may have.
func (h Home) SocketDir(getenv func(string) string) string {
	sum := sha256.Sum256([]byte(h.dir))
	name := "wuu-" + hex.EncodeToString(sum[:6])
	base := getenv("XDG_RUNTIME_DIR")
	if base == "" || len(base) > 40 {
		base = os.TempDir()
	}
	return filepath.Join(base, name)
}
