package catalog

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

const (
	stagePrefix    = ".stage-"
	stageLock      = ".lock"      // suffix of the owner's lock file, beside the stage
	generationName = "generation" // the package inside a stage and inside dev/<id>
)

// Stage is a private folder on the home's file system in which a package is
// made ready. It is owned by a locked file, so that a sweep tells the leftover
// of a killed run from work in progress.
type Stage struct {
	home  string // staging/.stage-<random>, 0700
	dir   string // the package below it
	root  *os.Root
	owner *filelock.Held
}

// NewStage makes an empty stage; no lease is needed. The caller closes it.
func (c *Catalog) NewStage() (*Stage, error) {
	s, err := c.newStage()
	return s, ioFault(c.home.Staging(), "make a staging folder", err)
}

func (c *Catalog) newStage() (*Stage, error) {
	if err := c.at("stage"); err != nil {
		return nil, err
	}
	if err := errors.Join(c.home.Ensure(), privateDir(c.home.Staging())); err != nil {
		return nil, err
	}
	home := filepath.Join(c.home.Staging(), fsx.RandomName(stagePrefix))
	// The lock comes first: a folder without a locked file beside it is dead.
	owner, err := filelock.TryLock(home+stageLock, "")
	if err != nil {
		return nil, err
	}
	s := &Stage{home: home, dir: filepath.Join(home, generationName), owner: owner}
	if err := s.make(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stage) make() error {
	if err := fsx.Mkdir(s.home, 0o700); err != nil {
		return err
	}
	if err := fsx.Mkdir(s.dir, 0o755); err != nil {
		return err
	}
	var err error
	s.root, err = os.OpenRoot(s.dir)
	return err
}

// Root is the folder that takes the package's files. It is closed by the
// Commit of a transaction that the stage was put into.
func (s *Stage) Root() *os.Root { return s.root }

// Dir is Root's absolute path.
func (s *Stage) Dir() string { return s.dir }

// release closes Root: Windows moves no folder that is open.
func (s *Stage) release() error {
	if s.root == nil {
		return nil
	}
	err := s.root.Close()
	s.root = nil
	return err
}

// Close removes the stage unless a commit has taken its folder. It may be
// called more than once.
func (s *Stage) Close() error {
	if s.owner == nil {
		return nil
	}
	err := errors.Join(s.release(), fsx.RemoveAll(s.home), dropLock(s.owner))
	s.owner = nil
	return err
}

// dropLock removes a stage's lock file while it is held, so that nobody can
// hold a lock on the removed one (filelock looks again after locking). Windows
// removes no open file: there it goes just after.
func dropLock(h *filelock.Held) error {
	early := fsx.Remove(h.Path())
	err := h.Unlock()
	if early != nil && !errors.Is(early, os.ErrNotExist) {
		_ = fsx.Remove(h.Path()) // another process may have taken it for a look
	}
	return err
}
