package catalog_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
)

// model is what the catalog should hold, in the plainest way to say it.
type model struct {
	installed map[string]modelRecord
	dev       map[string]modelRecord
	epoch     uint64
}

type modelRecord struct{ version, source, enabled string }

func (m model) clone() model {
	return model{maps.Clone(m.installed), maps.Clone(m.dev), m.epoch}
}

func (m model) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, "epoch", m.epoch)
	for name, list := range map[string]map[string]modelRecord{"installed": m.installed, "dev": m.dev} {
		for _, id := range slices.Sorted(maps.Keys(list)) {
			fmt.Fprintln(&b, name, id, list[id])
		}
	}
	lines := strings.Split(b.String(), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// read is the catalog's state in the model's terms.
func read(t fatal, s catalog.State) model {
	m := model{map[string]modelRecord{}, map[string]modelRecord{}, s.Epoch}
	checkComplete(t, s)
	for _, r := range s.Plugins {
		m.installed[r.ID] = modelRecord{r.Version, r.Origin.Identity, word(r.EnabledOverride)}
	}
	for _, r := range s.Dev {
		m.dev[r.ID] = modelRecord{r.Version, r.Origin.Path, ""}
	}
	return m
}

func word(b *bool) string {
	if b == nil {
		return ""
	}
	return fmt.Sprint(*b)
}

// machine runs random transactions, some of which die.
type machine struct {
	c       *catalog.Catalog
	now     model
	sources []string
}

func TestModel(t *testing.T) {
	base := realDir(t)
	sources := []string{filepath.Join(base, "one"), filepath.Join(base, "two")}
	for _, dir := range sources {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ways := exchanges()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(base, "home-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		c, home := open(t, dir)
		way := rapid.SampledFrom([]string{"exchange", "renames"}).Draw(t, "way")
		m := &machine{c.WithExchange(ways[way]), read(t, catalog.State{}), sources}
		for range rapid.IntRange(1, 8).Draw(t, "transactions") {
			m.transaction(t)
		}
		begin(t, m.c).Close()
		if left := leftovers(t, home); len(left) > 0 {
			t.Fatalf("leftovers: %v", left)
		}
	})
}

// transaction runs one to three steps and commits, closes or dies.
func (m *machine) transaction(t *rapid.T) {
	death := rapid.OneOf(rapid.Just(never), rapid.IntRange(0, 30)).Draw(t, "death")
	at, _ := dyingAt(death)
	c := m.c.WithHook(at)
	var stages []*catalog.Stage
	next := m.now.clone()
	tx, err := c.Begin(bg)
	died := errors.Is(err, errDead)
	if err != nil && !died {
		t.Fatal(err)
	}
	for range rapid.IntRange(1, 3).Draw(t, "steps") {
		if died {
			break
		}
		err := m.step(t, c, tx, &next, &stages)
		if died = errors.Is(err, errDead); err != nil && !died {
			t.Fatal(err)
		}
	}
	commit := rapid.IntRange(0, 9).Draw(t, "commit") > 0
	if !died && commit {
		// Steps that undo each other may count as a change or not.
		changed := next.String() != m.now.String()
		if next.epoch = tx.Next().Epoch; changed && next.epoch != m.now.epoch+1 {
			t.Fatalf("next epoch %d after %d", next.epoch, m.now.epoch)
		}
		epoch, err := tx.Commit(bg)
		if died = errors.Is(err, errDead); err != nil && !died {
			t.Fatal(err)
		}
		if err == nil && epoch != next.epoch {
			t.Fatalf("epoch %d, want %d", epoch, next.epoch)
		}
		m.settle(t, next, err == nil)
	}
	m.end(tx, stages, died || death != never)
	m.settle(t, m.now, true)
}

// settle compares what a reader sees now: next for sure, or next or what was.
func (m *machine) settle(t *rapid.T, next model, sure bool) {
	s, err := m.c.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	got := read(t, s).String()
	switch {
	case got == next.String():
		m.now = next
	case sure || got != m.now.String():
		t.Fatalf("got\n%s\nwant\n%s\nor (%v)\n%s", got, next, !sure, m.now)
	}
}

func (m *machine) end(tx *catalog.Tx, stages []*catalog.Stage, dead bool) {
	for _, s := range stages {
		if dead {
			s.Abandon()
		} else {
			s.Close()
		}
	}
	switch {
	case tx == nil:
	case dead:
		tx.Abandon()
	default:
		tx.Close()
	}
}

func (m *machine) step(t *rapid.T, c *catalog.Catalog, tx *catalog.Tx, next *model, stages *[]*catalog.Stage) error {
	id := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id")
	version := rapid.SampledFrom([]string{"1.0.0", "2.0.0", "3.0.0"}).Draw(t, "version")
	source := rapid.SampledFrom(m.sources).Draw(t, "source")
	switch op := rapid.SampledFrom([]string{"put", "put", "set", "remove", "dev", "dev", "move", "revoke"}).Draw(t, "op"); op {
	case "put":
		return m.put(t, c, tx, next, stages, plugin{id: id, version: version, identity: "npm:" + filepath.Base(source)})
	case "set":
		on := rapid.Bool().Draw(t, "on")
		_, err := tx.Set(id, on)
		r, there := next.installed[id]
		if there {
			r.enabled = fmt.Sprint(on)
			next.installed[id] = r
		}
		return expect(there, "NOT_INSTALLED", err)
	case "remove":
		_, err := tx.Remove(id, rapid.Bool().Draw(t, "purge"))
		_, there := next.installed[id]
		delete(next.installed, id)
		return expect(there, "NOT_INSTALLED", err)
	case "dev":
		s, candidate, err := m.stage(t, c, stages, plugin{id: id, version: version})
		if err != nil {
			return err
		}
		_, err = tx.PutDev(s, candidate, source)
		return m.expectDev(next, id, version, source, err)
	case "move":
		_, err := tx.MoveDev(id, source)
		r, there := next.dev[id]
		if there && err == nil {
			r.source = source
			next.dev[id] = r
		}
		return expect(there, "NOT_INSTALLED", err)
	default:
		_, err := tx.RevokeDev(id)
		_, there := next.dev[id]
		delete(next.dev, id)
		return expect(there, "NOT_INSTALLED", err)
	}
}

func (m *machine) stage(t *rapid.T, c *catalog.Catalog, stages *[]*catalog.Stage, p plugin) (*catalog.Stage, catalog.Candidate, error) {
	s, err := c.NewStage()
	if err != nil {
		return nil, catalog.Candidate{}, err
	}
	*stages = append(*stages, s)
	return s, p.fill(t, s), nil
}

func (m *machine) put(t *rapid.T, c *catalog.Catalog, tx *catalog.Tx, next *model, stages *[]*catalog.Stage, p plugin) error {
	s, candidate, err := m.stage(t, c, stages, p)
	if err != nil {
		return err
	}
	_, err = tx.Put(s, candidate, catalog.Consent{Yes: true})
	old, there := next.installed[p.id]
	if there && old.source == p.identity && p.version < old.version {
		return expect(false, "DOWNGRADE", err)
	}
	r := modelRecord{p.version, p.identity, ""}
	if there && old.source == p.identity {
		r.enabled = old.enabled
	}
	next.installed[p.id] = r
	return err
}

func (m *machine) expectDev(next *model, id, version, source string, err error) error {
	was, there := next.dev[id]
	if !there {
		was.source = source
	}
	if was.source != source {
		return expect(false, "DEV_PATH", err)
	}
	next.dev[id] = modelRecord{version, source, ""}
	return err
}

// expect passes nil and the death of the process on when ok, else wants code.
func expect(ok bool, code string, err error) error {
	if ok || errors.Is(err, errDead) {
		return err
	}
	if e := fault.As(err); e == nil || e.Code != code {
		return fmt.Errorf("got %v, want %s", err, code)
	}
	return nil
}
