package pack

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/secret"
)

// Settings are what a project says about packing, in the object wuu of its
// package.json.
type Settings struct {
	Allow  []Allow // wuu.lint.ignore, of what Scan finds
	Ignore []Allow // wuu.lint.ignore, of every other code; validate knows which exist
	Budget int64   // wuu.budget in bytes; 0 is none
}

// ReadSettings reads a package.json; now decides which exceptions have ended.
// An entry that cannot be read or has ended allows nothing and is a finding. A
// document that is no JSON has no settings: that is found elsewhere.
func ReadSettings(packageJSONText []byte, now time.Time) (Settings, []Finding) {
	doc, _ := jsonpos.Parse(packageJSON, packageJSONText)
	if doc == nil {
		return Settings{}, nil
	}
	r := settingsReader{doc: doc, now: now}
	wuu := doc.Root.Get("wuu")
	if n := wuu.Get("budget"); n != nil {
		r.budget(n)
	}
	if list := wuu.Get("lint").Get("ignore"); list != nil {
		if list.Kind != jsonpos.Array {
			r.add(list, "ALLOW_INVALID", "wuu.lint.ignore must be a list")
		}
		for _, n := range list.List() {
			r.exception(n)
		}
	}
	return r.settings, r.found
}

type settingsReader struct {
	doc      *jsonpos.Document
	now      time.Time
	settings Settings
	found    []Finding
}

func (r *settingsReader) add(n *jsonpos.Node, code, message string) {
	r.found = append(r.found, r.doc.AtValue(n, Finding{Code: code, Severity: diag.Error, Message: message}))
}

func (r *settingsReader) budget(n *jsonpos.Node) {
	size, err := ParseSize(n.Text)
	if err != nil || n.Kind != jsonpos.String && n.Kind != jsonpos.Number {
		r.add(n, "BUDGET_INVALID", `wuu.budget must be a size such as "2MB"`)
		return
	}
	r.settings.Budget = size
}

// exception reads one entry: rule, path and reason, and an optional last day.
func (r *settingsReader) exception(n *jsonpos.Node) {
	field := func(key string) string {
		if v := n.Get(key); v != nil && v.Kind == jsonpos.String {
			return strings.TrimSpace(v.Text)
		}
		return ""
	}
	a := Allow{Code: field("rule"), Path: field("path"), Found: r.doc.AtValue(n, Finding{})}
	switch {
	case a.Code == "" || a.Path == "" || field("reason") == "":
		r.add(n, "ALLOW_INVALID", "an exception needs a rule, a path and a reason")
		return
	case strings.HasPrefix(a.Code, "ALLOW_"):
		r.add(n.Get("rule"), "ALLOW_INVALID", jsonpos.Quote(a.Code)+" is about exceptions and cannot be ignored")
		return
	}
	if n.Get("expires") != nil {
		last, err := time.Parse(time.DateOnly, field("expires"))
		if err != nil {
			r.add(n.Get("expires"), "ALLOW_INVALID", "the last day must be a date such as 2027-01-31")
			return
		}
		if r.now.After(last.AddDate(0, 0, 1)) {
			f := r.doc.AtValue(n.Get("expires"), Finding{Code: "ALLOW_EXPIRED", Severity: diag.Warning})
			f.Message = "the exception ended on " + field("expires")
			f.Hint = "remove it, or give it a new day and a reason"
			r.found = append(r.found, f)
			return
		}
	}
	if !secret.Known(a.Code) {
		a.Found = r.doc.AtValue(n.Get("rule"), Finding{})
		r.settings.Ignore = append(r.settings.Ignore, a)
		return
	}
	r.settings.Allow = append(r.settings.Allow, a)
}

// ParseSize reads a number of bytes: 1500, "900 B", "20kB", "2MB", "1.5 GB",
// and KiB, MiB and GiB. Units of 1000 are those that wuu prints.
func ParseSize(text string) (int64, error) {
	text = strings.TrimSpace(text)
	number := strings.TrimRight(text, "BbKkMmGgi ")
	unit := strings.ToLower(strings.TrimSpace(text[len(number):]))
	factor, ok := map[string]float64{
		"": 1, "b": 1, "kb": 1e3, "k": 1e3, "mb": 1e6, "m": 1e6, "gb": 1e9, "g": 1e9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n*factor >= 1) || n*factor > 1<<50 {
		return 0, fmt.Errorf("%q is no size such as 2MB or 500kB", text)
	}
	return int64(n * factor), nil
}
