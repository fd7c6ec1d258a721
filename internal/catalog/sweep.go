package catalog

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// sweep removes what killed runs have left. It runs under the lease, after
// recovery. What cannot be removed now is tried again by the next one.
func (c *Catalog) sweep() []Repair {
	var repairs []Repair
	removed := func(path string, err error) {
		if err == nil {
			repairs = append(repairs, Repair{"removed the leftover", path})
		}
	}
	for _, path := range c.leftovers(c.home.Staging(), stagePrefix) {
		if owner, swept, err := c.sweepStage(path); owner && swept {
			removed(path, err)
		}
	}
	// Nobody moves folders without the lease, and it is ours.
	for _, dir := range []string{c.home.Plugins(), c.home.DevAll()} {
		for _, path := range c.leftovers(dir, previousPrefix) {
			removed(path, fsx.RemoveAll(path))
		}
	}
	for _, file := range []string{c.home.StateFile(), c.home.EpochFile(), c.home.JournalFile()} {
		dir, base := filepath.Split(file)
		for _, path := range c.leftovers(dir, "."+base+fsx.TempInfix) {
			removed(path, fsx.Remove(path))
		}
	}
	return repairs
}

func (c *Catalog) leftovers(dir, prefix string) (paths []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // not there yet
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// sweepStage removes a stage, or the lock file of one that has gone, when its
// owner is dead: age says nothing. owner tells that the lock was free, swept
// that there was a folder.
func (c *Catalog) sweepStage(path string) (owner, swept bool, err error) {
	lock, isLock := path, strings.HasSuffix(path, stageLock)
	if !isLock {
		lock += stageLock
	} else if dir, err := fsx.Exists(strings.TrimSuffix(path, stageLock)); dir || err != nil {
		return false, false, err // the folder's turn takes both
	}
	held, err := filelock.TryLock(lock, "")
	if err != nil {
		return false, false, nil
	}
	if !isLock {
		err = fsx.RemoveAll(path)
	}
	if err != nil {
		held.Unlock()
		return true, false, err
	}
	return true, !isLock, dropLock(held)
}
