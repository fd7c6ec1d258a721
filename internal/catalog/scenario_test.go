package catalog_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// scenario is one transaction on the prepared home. It takes the stages that
// it needs from put and the source folders of dev plugins from src.
type scenario struct {
	name  string
	swaps bool // a folder is replaced
	inAll bool // a part of "all at once"
	run   func(tx *catalog.Tx, put func(plugin) (*catalog.Stage, catalog.Candidate, error), src sources) error
}

type sources struct{ first, second string }

func scenarios() []scenario {
	yes := catalog.Consent{Yes: true}
	type putter = func(plugin) (*catalog.Stage, catalog.Candidate, error)
	install := func(p plugin) func(*catalog.Tx, putter, sources) error {
		return func(tx *catalog.Tx, put putter, _ sources) error {
			s, c, err := put(p)
			if err == nil {
				_, err = tx.Put(s, c, yes)
			}
			return err
		}
	}
	publish := func(p plugin) func(*catalog.Tx, putter, sources) error {
		return func(tx *catalog.Tx, put putter, src sources) error {
			s, c, err := put(p)
			if err == nil {
				_, err = tx.PutDev(s, c, src.first)
			}
			return err
		}
	}
	step := func(f func(*catalog.Tx, sources) (catalog.Change, error)) func(*catalog.Tx, putter, sources) error {
		return func(tx *catalog.Tx, _ putter, src sources) error { _, err := f(tx, src); return err }
	}
	update := install(plugin{id: "a", version: "2.0.0", lock: true})
	remove := step(func(tx *catalog.Tx, _ sources) (catalog.Change, error) { return tx.Remove("b", true) })
	republish := publish(plugin{id: "d", version: "0.2.0"})
	return []scenario{
		{"install", false, false, install(plugin{id: "new", version: "1.0.0", lock: true})},
		{"update", true, true, update},
		{"other source, same bytes", true, false, install(plugin{id: "b", version: "1.0.0", identity: "npm:other"})},
		{"remove and purge", false, true, remove},
		{"disable", false, false, step(func(tx *catalog.Tx, _ sources) (catalog.Change, error) { return tx.Set("a", false) })},
		{"publish", false, false, publish(plugin{id: "e", version: "0.1.0"})},
		{"publish again", true, true, republish},
		{"move dev", true, false, step(func(tx *catalog.Tx, src sources) (catalog.Change, error) { return tx.MoveDev("d", src.second) })},
		{"revoke dev", false, false, step(func(tx *catalog.Tx, _ sources) (catalog.Change, error) { return tx.RevokeDev("d") })},
		{"all at once", true, false, func(tx *catalog.Tx, put putter, src sources) error {
			return errors.Join(update(tx, put, src), remove(tx, put, src), republish(tx, put, src))
		}},
	}
}

// template is a prepared home that each run gets a copy of.
type template struct {
	home paths.Home
	src  sources
	docs []string // storage of b, relative to the home
}

func prepare(t *testing.T) template {
	t.Helper()
	c, home := newHome(t)
	p := template{home: home, src: sources{realDir(t), realDir(t)}}
	install(t, c, plugin{id: "a", version: "1.0.0"})
	install(t, c, plugin{id: "b", version: "1.0.0"})
	mustPublish(t, c, plugin{id: "d", version: "0.1.0"}, p.src.first)
	name := catalog.DocumentName(catalog.UserSubject("b"))
	p.docs = []string{"plugin-storage/user/" + name, "workspaces/w-0/plugin-settings/" + name}
	for _, doc := range p.docs {
		path := filepath.Join(home.Dir(), filepath.FromSlash(doc))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{}"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p template) copy(t *testing.T) (*catalog.Catalog, paths.Home) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "home")
	if err := os.CopyFS(dir, os.DirFS(p.home.Dir())); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

// attempt runs s with c. With dead set, the process is taken to have died when
// an error comes: nothing is tidied.
func attempt(t fatal, c *catalog.Catalog, s scenario, src sources, dead bool) (err error) {
	t.Helper()
	tx, err := c.Begin(bg)
	if err != nil {
		return err
	}
	var stages []*catalog.Stage
	put := func(p plugin) (*catalog.Stage, catalog.Candidate, error) {
		stage, err := c.NewStage()
		if err != nil {
			return nil, catalog.Candidate{}, err
		}
		stages = append(stages, stage)
		return stage, p.fill(t, stage), nil
	}
	if err = s.run(tx, put, src); err == nil {
		_, err = tx.Commit(bg)
	}
	if dead {
		tx.Abandon()
		for _, s := range stages {
			s.Abandon()
		}
		return err
	}
	for _, s := range stages {
		err = errors.Join(err, s.Close(), s.Close())
	}
	return errors.Join(err, tx.Close())
}

// shape is what two equal states have in common, whatever folder they are in.
func shape(t fatal, s catalog.State) string {
	t.Helper()
	for _, list := range []*[]catalog.Record{&s.Plugins, &s.Dev} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i].Root = ""
		}
	}
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// outcome is the two states between which a scenario goes.
type outcome struct{ before, after string }

func (p template) outcome(t *testing.T, s scenario) outcome {
	t.Helper()
	c, home := p.copy(t)
	o := outcome{before: shape(t, snapshot(t, c))}
	if err := attempt(t, c, s, p.src, false); err != nil {
		t.Fatalf("without any fault: %v", err)
	}
	now := snapshot(t, c)
	checkComplete(t, now)
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
	if o.after = shape(t, now); o.after == o.before {
		t.Fatal("the scenario changes nothing")
	}
	return o
}

// check says which of the two states the home is in; anything else is a failure.
func (o outcome) check(t *testing.T, c *catalog.Catalog) (after bool) {
	t.Helper()
	now := snapshot(t, c)
	checkComplete(t, now)
	switch shape(t, now) {
	case o.before:
		return false
	case o.after:
		return true
	}
	t.Fatalf("neither before nor after:\n%s", shape(t, now))
	return false
}

// checkTidy is for after the next Begin: nothing is left of the fault, and the
// purged documents are there or not as the state says.
func (p template) checkTidy(t *testing.T, c *catalog.Catalog, home paths.Home, s scenario, after bool) {
	t.Helper()
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
	epoch, err := c.Epoch()
	if want := snapshot(t, c).Epoch; err != nil || epoch != want {
		t.Errorf("epoch file %d, %v, state %d", epoch, err, want)
	}
	purges := s.name == "remove and purge" || s.name == "all at once"
	for _, doc := range p.docs {
		if there, _ := fsx.Exists(filepath.Join(home.Dir(), filepath.FromSlash(doc))); there == (purges && after) {
			t.Errorf("%s there %v", doc, there)
		}
	}
}

// exchanges are the ways to swap folders that a commit must live with.
func exchanges() map[string]func(a, b string) error {
	return map[string]func(a, b string) error{
		"exchange": fsx.Exchange,
		"renames":  func(a, b string) error { return errors.ErrUnsupported },
	}
}
