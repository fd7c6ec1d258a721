package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/dev"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
)

// devView shows the events of one loop.
type devView struct {
	*App
	id        string // of the plugin, once an event has named it
	published bool   // whether the current build was published
	// callFailed decides the exit code of dev --watch=false --call.
	callFailed error
}

// event shows one event: a JSON line, or what a person needs.
func (a *devView) event(e dev.Event) {
	if e.PluginID != "" {
		a.id = e.PluginID
	}
	if e.Call != nil && (e.Call.Error != nil || e.Call.Result.IsError) {
		a.callFailed = checkFailed(fault.Plugin, "TOOL_ERROR")
	}
	if a.json {
		if line, err := json.Marshal(e); err == nil {
			fmt.Fprintf(a.IO.Out, "%s\n", line)
		}
		return
	}
	w, s := a.IO.Out, a.IO.OutStyle()
	a.IO.Status().Clear()
	switch e.Type {
	case "building":
		a.published = false
		a.IO.Status().Show("building " + strings.Join(e.Changes, ", "))
	case "built":
		if a.verbose {
			fmt.Fprintf(w, "built in %s\n", term.Duration(time.Duration(e.Millis)*time.Millisecond))
		}
	case "invalid":
		a.writeFindings(w, s, e.Findings, a.devSource(e))
		a.devKept(e)
	case "failed":
		if e.Error != nil {
			fmt.Fprintf(w, "%s %s\n", s.Red("failed"), term.CleanLines(e.Error.Message))
			if e.Error.Hint != "" {
				fmt.Fprintf(w, "%s %s\n", s.Cyan("hint:"), term.CleanLines(e.Error.Hint))
			}
		}
		a.devKept(e)
	case "published":
		a.published = true
		a.writeFindings(w, s, e.Findings, a.devSource(e))
		fmt.Fprintf(w, "%s %s in %s  %.16s\n", s.Green("published"), e.PluginID, term.Duration(time.Duration(e.Millis)*time.Millisecond), e.Fingerprint)
	case "adopted":
		if !a.published {
			fmt.Fprintf(w, "unchanged %s  %.16s\n", e.PluginID, e.Fingerprint)
		}
		writeObservations(w, s, e.PluginID, e.Observations)
		a.devCall(e.Call)
	}
	if e.Type == "idle" {
		a.IO.Status().Show("waiting for changes")
	}
}

// devKept says what still serves after a failure.
func (a *App) devKept(e dev.Event) {
	s := a.IO.OutStyle()
	if e.Kept != "" {
		fmt.Fprintf(a.IO.Out, "%s the last good version %.16s keeps serving\n", s.Yellow("kept"), e.Kept)
	}
}

func (a *App) devCall(c *dev.CallReport) {
	if c == nil {
		return
	}
	s := a.IO.OutStyle()
	if c.Error != nil {
		fmt.Fprintf(a.IO.Out, "%s %s: %s\n", s.Red("call"), c.Tool, term.CleanLines(c.Error.Message))
		return
	}
	fmt.Fprintf(a.IO.Out, "%s %s: ", s.Green("call"), c.Tool)
	writeToolResult(a.IO.Out, *c.Result)
}

// devSource reads sources for code frames.
func (a *App) devSource(e dev.Event) func(string) []byte { return dirSource(e.Root) }
