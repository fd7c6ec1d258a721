package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// journal describes the commit in progress, in state/journal.json. It is made
// durable before the first folder moves and removed after the last leftover
// is gone. Whether it is to be finished or reverted, the state file's epoch
// tells: it has reached Epoch or it has not.
type journal struct {
	Schema int      `json:"schema"`
	Epoch  uint64   `json:"epoch"` // of the state that the commit makes
	Moves  []move   `json:"moves"`
	Purge  []string `json:"purge"` // documents to remove after the commit point
}

// move replaces, adds or removes one folder. Paths are relative to the home,
// with slashes.
type move struct {
	Live     string `json:"live"`     // plugins/<id> or dev/<id>
	Staged   string `json:"staged"`   // the new folder; empty for a removal
	Previous string `json:"previous"` // transit name beside Live, ends as the old folder
	Had      bool   `json:"had"`      // something stood at Live before
	// Fingerprint is the new folder's: after an exchange, names alone do not
	// tell which of two folders is the new one.
	Fingerprint string `json:"fingerprint"`
}

const previousPrefix = ".previous-"

// readJournal returns nil when no commit is in progress.
func (c *Catalog) readJournal() (*journal, error) {
	file := c.home.JournalFile()
	b, err := fsx.ReadFile(file, stateLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var j journal
	if err == nil {
		err = decodeStrict(b, &j)
	}
	if err == nil {
		err = j.check()
	}
	if err != nil {
		return nil, fault.New(fault.Lock, "JOURNAL_DAMAGED", file, "the record of an interrupted change cannot be used: %w", plain(err)).
			WithHint("look for folders named %s* in %s, then remove the journal", previousPrefix, c.home.Plugins())
	}
	return &j, nil
}

// check makes sure that following the journal touches nothing but what a
// commit may touch.
func (j *journal) check() error {
	if j.Schema != stateSchema {
		return fmt.Errorf("has schema %d; this wuu reads schema %d", j.Schema, stateSchema)
	}
	for _, m := range j.Moves {
		parent, id := splitPath(m.Live)
		if parent != "plugins" && parent != "dev" || checkID(id) != nil {
			return fmt.Errorf("live path %q", m.Live)
		}
		if dir, name := splitPath(m.Previous); dir != parent || !strings.HasPrefix(name, previousPrefix) {
			return fmt.Errorf("transit path %q", m.Previous)
		}
		if m.Staged != "" && !(isInHome(m.Staged) && strings.HasPrefix(m.Staged, "staging/"+stagePrefix)) {
			return fmt.Errorf("staged path %q", m.Staged)
		}
	}
	for _, p := range j.Purge {
		if !isInHome(p) || !isDocument(p) {
			return fmt.Errorf("purged path %q", p)
		}
	}
	return nil
}

// isInHome accepts a relative path without any "..", "." or empty part.
func isInHome(p string) bool {
	return path.Clean(p) == p && filepath.IsLocal(filepath.FromSlash(p))
}

func splitPath(p string) (dir, name string) {
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return "", p
	}
	return p[:i], p[i+1:]
}

func (c *Catalog) writeJournal(j *journal) error {
	if err := c.at("journal"); err != nil {
		return err
	}
	b, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	return fsx.WriteFile(c.home.JournalFile(), append(b, '\n'), 0o600)
}

// dropJournal ends a commit. It is made durable at once: a journal that came
// back after a power cut would purge documents written since.
func (c *Catalog) dropJournal() error {
	if err := c.at("journal-drop"); err != nil {
		return err
	}
	if err := fsx.Remove(c.home.JournalFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fsx.SyncDir(c.home.State())
}

// abs and rel turn a journal's path into a file name and back.
func (c *Catalog) abs(p string) string { return filepath.Join(c.home.Dir(), filepath.FromSlash(p)) }

func (c *Catalog) rel(path string) string {
	p, err := filepath.Rel(c.home.Dir(), path)
	if err != nil {
		panic(err) // impossible: the catalog names only what is below the home
	}
	return filepath.ToSlash(p)
}
