package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// stateSchema is the version of state/plugins.json that this wuu reads and writes.
const stateSchema = 1

// stateLimit bounds the state file, in bytes: thousands of plugins fit.
const stateLimit = 64 << 20

// document is state/plugins.json. The epoch stands in it too, so that the
// commit point covers it; the epoch file follows.
type document struct {
	Schema  int      `json:"schema"`
	Epoch   uint64   `json:"epoch"`
	Plugins []Record `json:"plugins"`
	Dev     []Record `json:"dev"`
}

// readState reads the state file; a missing one is the empty state.
func (c *Catalog) readState() (document, error) {
	path := c.home.StateFile()
	b, err := fsx.ReadFile(path, stateLimit)
	if errors.Is(err, fs.ErrNotExist) {
		return document{Schema: stateSchema}, nil
	}
	if err != nil {
		return document{}, damaged(path, err)
	}
	d, err := parseState(b)
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		f.Subject = path
		return document{}, f
	case err != nil:
		return document{}, damaged(path, err)
	}
	return d, nil
}

func (c *Catalog) writeState(d document) error {
	if err := c.at("state"); err != nil {
		return err
	}
	if err := fsx.WriteFile(c.home.StateFile(), d.marshal(), 0o600); err != nil {
		return err
	}
	return c.at("state-written")
}

// marshal gives the canonical bytes: records by id, two-space indent, final
// newline, nothing that a snapshot fills in.
func (d document) marshal() []byte {
	d.Schema = stateSchema
	d.Plugins, d.Dev = stored(d.Plugins), stored(d.Dev)
	b, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		panic(err) // impossible: plain data
	}
	return append(b, '\n')
}

func stored(all []Record) []Record {
	out := make([]Record, len(all))
	for i, r := range all {
		r.Root, r.Broken = "", ""
		out[i] = r
	}
	sortByID(out)
	return out
}

// parseState reads the document strictly: what it names is later moved and
// removed by name.
func parseState(b []byte) (document, error) {
	var head struct {
		Schema int `json:"schema"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return document{}, err
	}
	if head.Schema != stateSchema {
		return document{}, fault.New(fault.Lock, "STATE_SCHEMA", "", "has schema %d; this wuu reads schema %d", head.Schema, stateSchema).
			WithHint("use the newer wuu that wrote it")
	}
	var d document
	if err := decodeStrict(b, &d); err != nil {
		return document{}, err
	}
	for _, list := range [][]Record{d.Plugins, d.Dev} {
		if err := checkRecords(list); err != nil {
			return document{}, err
		}
	}
	return d, nil
}

// decodeStrict refuses unknown keys and anything after the document.
func decodeStrict(b []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is data after the end of the document")
	}
	return nil
}

func checkRecords(all []Record) error {
	ids := map[string]bool{}
	for _, r := range all {
		if err := checkID(r.ID); err != nil {
			return fmt.Errorf("plugin id %q: %w", r.ID, err)
		}
		if ids[r.ID] {
			return fmt.Errorf("plugin %s is recorded twice", r.ID)
		}
		ids[r.ID] = true
		if p := pathname.Check(r.ManifestPath); p != nil {
			return fmt.Errorf("plugin %s: manifest_path %q: %s", r.ID, r.ManifestPath, p.Message)
		}
	}
	return nil
}

// checkID adds to the rules of ids that the dot in front is ours: it marks
// folders in transit.
func checkID(id string) error {
	if p := pathname.CheckID(id); p != nil {
		return errors.New(p.Message)
	}
	if strings.HasPrefix(id, ".") {
		return errors.New("begins with a dot")
	}
	return nil
}

// same tells whether two documents record the same things, the epoch aside.
func (d document) same(other document) bool {
	d.Epoch, other.Epoch = 0, 0
	return bytes.Equal(d.marshal(), other.marshal())
}

func (d document) clone() document {
	d.Plugins, d.Dev = slices.Clone(d.Plugins), slices.Clone(d.Dev)
	return d
}
