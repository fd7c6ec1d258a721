package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/registry"
)

// progressEvent is one line of --progress json (docs/install.md). Phase is
// resolve, download, verify, extract or done; bytes are compressed ones, and
// total is absent as long as nobody knows it.
type progressEvent struct {
	Phase string `json:"phase"`
	Spec  string `json:"spec,omitempty"`
	Bytes int64  `json:"bytes"`
	Total int64  `json:"total,omitempty"`
}

func checkProgress(mode string) error {
	if mode != "" && mode != "json" {
		return fault.New(fault.Usage, "USAGE", "", "--progress %s: want json", mode)
	}
	return nil
}

// progressEvery is how often a phase writes a line of --progress json, beside
// its first and its last.
const progressEvery = 250 * time.Millisecond

// progress reports the phases of one source: JSON lines on stderr with
// --progress json, else a line on a terminal, unless -q.
func (a *App) progress(mode, spec string) func(phase string, bytes, total int64) {
	if mode == "json" {
		return a.progressLines(spec)
	}
	if a.quiet {
		return func(string, int64, int64) {}
	}
	return a.IO.Progress(a.Now).Show
}

func (a *App) progressLines(spec string) func(phase string, bytes, total int64) {
	var last progressEvent
	var at time.Time
	return func(phase string, bytes, total int64) {
		e, now := progressEvent{phase, spec, bytes, total}, a.Now()
		soon := now.Sub(at) < progressEvery && bytes != total
		if e == last || phase == last.Phase && soon {
			return
		}
		last, at = e, now
		if line, err := json.Marshal(e); err == nil {
			fmt.Fprintf(a.IO.Err, "%s\n", line)
		}
	}
}

// fetching passes the phases of a fetch on. That it is done is no news yet: the
// archive is still to be extracted.
func fetching(show func(phase string, bytes, total int64)) func(registry.Phase) {
	return func(ph registry.Phase) {
		if ph.Name != "done" {
			show(ph.Name, ph.Bytes, ph.Total)
		}
	}
}
