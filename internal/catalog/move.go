package catalog

import (
	"context"
	"errors"
	"os"

	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/pack"
)

// do carries a move out, up to the commit point. The old folder ends at
// Previous. Each step leaves a picture that locate can read.
func (c *Catalog) do(m move) error {
	live, staged, previous := c.abs(m.Live), c.abs(m.Staged), c.abs(m.Previous)
	switch {
	case m.Staged == "":
		return c.rename("move-out", live, previous)
	case !m.Had:
		return c.rename("move-in", staged, live)
	}
	if err := c.rename("move-aside", staged, previous); err != nil {
		return err
	}
	err := c.swap(live, previous)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := c.rename("move-back", previous, staged); err != nil {
		return err
	}
	if err := c.rename("move-out", live, previous); err != nil {
		return err
	}
	return c.rename("move-in", staged, live)
}

func (c *Catalog) rename(step, from, to string) error {
	if err := c.at(step); err != nil {
		return err
	}
	return fsx.Rename(from, to)
}

func (c *Catalog) swap(a, b string) error {
	if err := c.at("exchange"); err != nil {
		return err
	}
	return c.exchange(a, b)
}

// picture is what stands at the three places of a move.
type picture struct{ live, staged, previous bool }

func (c *Catalog) look(m move) (p picture, err error) {
	for _, place := range []struct {
		path string
		is   *bool
	}{{m.Live, &p.live}, {m.Staged, &p.staged}, {m.Previous, &p.previous}} {
		if place.path == "" {
			continue
		}
		if *place.is, err = fsx.Exists(c.abs(place.path)); err != nil {
			return p, err
		}
	}
	return p, nil
}

// old finds the folder that stood at Live before an uncommitted move; "" when
// there was none.
func (c *Catalog) old(ctx context.Context, m move) (string, error) {
	p, err := c.look(m)
	switch {
	case err != nil:
		return "", err
	case !m.Had:
		return "", nil
	case !p.previous:
		return m.Live, nil // not begun
	case m.Staged != "" && p.live && !c.holdsNew(ctx, m):
		return m.Live, nil // the new folder still waits at Previous
	}
	return m.Previous, nil
}

// holdsNew tells whether the new folder stands at Live.
func (c *Catalog) holdsNew(ctx context.Context, m move) bool {
	got, err := fingerprint(ctx, c.abs(m.Live))
	return err == nil && got == m.Fingerprint
}

// undo brings the old folder back to Live and drops the new one. It may be
// repeated after dying at any step.
func (c *Catalog) undo(ctx context.Context, m move) error {
	live, previous := c.abs(m.Live), c.abs(m.Previous)
	p, err := c.look(m)
	if err != nil {
		return err
	}
	if !m.Had {
		if p.live && !p.staged {
			if err := c.rename("undo-in", live, previous); err != nil {
				return err
			}
		}
		return c.removeAll("undo-drop", previous)
	}
	at, err := c.old(ctx, m)
	if err != nil {
		return err
	}
	if at == m.Previous {
		if err := c.putBack(p.live, live, previous); err != nil {
			return err
		}
	}
	return errors.Join(c.removeAll("undo-drop", previous), c.removeAll("undo-drop", previous+discarded))
}

// discarded is the suffix of a new folder that an undo has moved away.
const discarded = ".new"

func (c *Catalog) putBack(isLive bool, live, previous string) error {
	if isLive {
		err := c.swap(live, previous)
		if !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		if err := c.rename("undo-in", live, previous+discarded); err != nil {
			return err
		}
	}
	return c.rename("undo-out", previous, live)
}

func (c *Catalog) removeAll(step, path string) error {
	if err := c.at(step); err != nil {
		return err
	}
	return fsx.RemoveAll(path)
}

// fingerprint is pack's, of a folder named by its path.
func fingerprint(ctx context.Context, dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	return pack.FingerprintDir(ctx, root)
}
