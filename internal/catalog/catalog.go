// Package catalog knows what is installed, trusted and enabled, and changes
// it only in transactions: one lease, a journal, one commit point, recovery
// (design/distribution.md, "The pipeline" and "On disk").
//
// The commit point is the replacement of state/plugins.json. Folders are moved
// before it, under a journal that says how to move them back; what is dropped
// afterwards, the journal repeats until it is done. So a process may die at any
// step: the next Begin, and every Snapshot before it, sees the state before the
// commit or after it, with the complete packages of that state.
package catalog

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// Catalog gives access to one home. It keeps nothing in memory and may be
// used by several goroutines.
type Catalog struct {
	home paths.Home
	now  func() time.Time

	// at is called before each step that changes the disk, and between the two
	// readings of a snapshot, with the step's name; an error stands for a
	// failure of that step. Tests set it.
	at func(step string) error
	// exchange swaps two folders in one step, or is errors.ErrUnsupported.
	exchange func(a, b string) error
}

// Open returns the catalog of home. Nothing is created or read yet.
func Open(home paths.Home, now func() time.Time) *Catalog {
	return &Catalog{home, now, func(string) error { return nil }, fsx.Exchange}
}

// Epoch reads the epoch alone: 0 before the first change. It costs one small
// read, so that hosts may look often.
func (c *Catalog) Epoch() (uint64, error) {
	epoch, whole, err := c.readEpoch()
	if whole || err != nil {
		return epoch, err
	}
	d, err := c.readState()
	return d.Epoch, err
}

// readEpoch reads the epoch file. A missing or cut one is not whole: it only
// repeats what the state file says, and the next Begin writes it again.
func (c *Catalog) readEpoch() (epoch uint64, whole bool, err error) {
	path := c.home.EpochFile()
	b, err := fsx.ReadFile(path, 8)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fsx.ErrTooBig):
		return 0, false, nil
	case err != nil:
		return 0, false, damaged(path, err)
	case len(b) != 8:
		return 0, false, nil
	}
	return binary.BigEndian.Uint64(b), true, nil
}

func (c *Catalog) writeEpoch(epoch uint64) error {
	if err := c.at("epoch"); err != nil {
		return err
	}
	return fsx.WriteFile(c.home.EpochFile(), binary.BigEndian.AppendUint64(nil, epoch), 0o600)
}

func (c *Catalog) dropEpoch() error {
	if err := c.at("epoch-drop"); err != nil {
		return err
	}
	if err := fsx.Remove(c.home.EpochFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// privateDir makes dir, which only the user may enter.
func privateDir(dir string) error { return fsx.MkdirAll(dir, 0o700) }

// damaged is the error for a state file that cannot be used as it is. What the
// system refuses says nothing about the file.
func damaged(path string, err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return ioFault(path, "open the state file", plain(err))
	}
	return fault.New(fault.Lock, "STATE_DAMAGED", path, "the catalog's state cannot be used: %w", plain(err)).
		WithHint("restore the file from a backup, or move it away and install the plugins again")
}

// plain drops the path of a PathError: the subject says it.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// ioFault is the error for a disk that is full, read-only or failing.
func ioFault(subject, doing string, err error) error {
	var f *fault.Error
	if err == nil || errors.As(err, &f) {
		return err
	}
	return fault.New(fault.Usage, "HOME_IO", subject, "%s: %w", doing, err).
		WithHint("check the free space and the access rights of the wuu home; what was installed is unchanged")
}
