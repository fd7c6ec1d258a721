package control

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/internal/procgroup"
)

// Entry is one file of state/hosts: a host that can be asked.
type Entry struct {
	ID        string `json:"id"`
	PID       int    `json:"pid"`
	StartTime string `json:"start_time"` // of the process, so that a reused pid is noticed
	Socket    string `json:"socket"`
	Product   string `json:"product"`
	Project   string `json:"project"`
}

const (
	entrySuffix = ".json"
	maxEntry    = 64 << 10 // bytes
)

func entryPath(home paths.Home, id string) string {
	return filepath.Join(home.Hosts(), id+entrySuffix)
}

// register writes the entry of a host of this process.
func register(home paths.Home, h *host.Host, socket string) (Entry, error) {
	start, err := procgroup.StartTime(os.Getpid())
	if err != nil {
		return Entry{}, err
	}
	e := Entry{ID: h.ID(), PID: os.Getpid(), StartTime: start, Socket: socket, Product: h.Product(), Project: h.Project()}
	b, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return Entry{}, err
	}
	if err := fsx.MkdirAll(home.Hosts(), 0o700); err != nil {
		return Entry{}, err
	}
	return e, fsx.WriteFile(entryPath(home, e.ID), append(b, '\n'), 0o600)
}

// unregister removes an entry and its socket; what is gone already is fine.
func unregister(home paths.Home, id, socket string) error {
	err := missingIsFine(fsx.Remove(entryPath(home, id)))
	if socket != "" {
		err = errors.Join(err, missingIsFine(fsx.Remove(socket)))
	}
	return err
}

func missingIsFine(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List returns the live hosts of home, by id. Entries whose process is gone
// or was replaced are removed, and so are files that cannot be read as one.
func List(home paths.Home) ([]Entry, error) {
	files, err := os.ReadDir(home.Hosts()) // sorted by name
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var live []Entry
	for _, f := range files {
		id, isEntry := strings.CutSuffix(f.Name(), entrySuffix)
		if !isEntry || strings.HasPrefix(id, ".") || !f.Type().IsRegular() {
			continue // a file that is being written, or not ours
		}
		e, err := readEntry(entryPath(home, id))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // the host has just ended
		case err != nil || e.ID != id:
			err = unregister(home, id, "")
		case !procgroup.Alive(e.PID, e.StartTime):
			err = unregister(home, id, e.Socket)
		default:
			live = append(live, e)
		}
		if err != nil {
			return nil, err
		}
	}
	return live, nil
}

func readEntry(path string) (Entry, error) {
	b, err := fsx.ReadFile(path, maxEntry)
	if err != nil {
		return Entry{}, err
	}
	var e Entry
	err = json.Unmarshal(b, &e)
	return e, err
}
