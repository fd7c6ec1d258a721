package diag

import (
	"encoding/json"
	"io"
	"net/url"
	"slices"
)

// Rule describes a code to readers of SARIF.
type Rule struct {
	Code    string
	Summary string
}

// Tool is who found something.
type Tool struct {
	Name, Version, URL string
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool    sarifTool     `json:"tool"`
	Columns string        `json:"columnKind"`
	Results []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	URL     string      `json:"informationUri,omitempty"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string       `json:"id"`
	Short sarifMessage `json:"shortDescription"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
	Fixes     []sarifFix      `json:"fixes,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type sarifFix struct {
	Description sarifMessage  `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion   `json:"deletedRegion"`
	Inserted *sarifMessage `json:"insertedContent,omitempty"`
}

// WriteSARIF prints findings as a SARIF 2.1.0 log: results by file and place,
// columns in UTF-16 units, files relative to the package, and the fixes of
// files whose content source has. rules may describe more codes than occur;
// those that occur are listed.
func WriteSARIF(w io.Writer, tool Tool, rules []Rule, findings []Finding, source func(file string) []byte) error {
	driver := sarifDriver{Name: tool.Name, Version: tool.Version, URL: tool.URL, Rules: []sarifRule{}}
	run := sarifRun{Columns: "utf16CodeUnits", Results: []sarifResult{}}
	list := slices.Clone(findings)
	Sort(list)
	for _, f := range list {
		index := slices.IndexFunc(driver.Rules, func(r sarifRule) bool { return r.ID == f.Code })
		if index < 0 {
			index = len(driver.Rules)
			summary := f.Code
			if i := slices.IndexFunc(rules, func(r Rule) bool { return r.Code == f.Code }); i >= 0 {
				summary = rules[i].Summary
			}
			driver.Rules = append(driver.Rules, sarifRule{f.Code, sarifMessage{summary}})
		}
		run.Results = append(run.Results, sarifOf(f, index, source))
	}
	run.Tool.Driver = driver
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

func sarifOf(f Finding, index int, source func(string) []byte) sarifResult {
	r := sarifResult{RuleID: f.Code, RuleIndex: index, Level: string(f.Severity), Message: sarifMessage{f.Message}}
	if f.Severity == Info {
		r.Level = "note"
	}
	if f.Hint != "" {
		r.Message.Text += "\nhint: " + f.Hint
	}
	if f.File == "" {
		return r
	}
	artifact := sarifArtifact{(&url.URL{Path: f.File}).EscapedPath()}
	place := sarifPhysical{Artifact: artifact}
	if f.Start.Line > 0 {
		place.Region = regionOf(f.Start, f.End)
	}
	r.Locations = []sarifLocation{{place}}
	if len(f.Fix) == 0 || source == nil {
		return r
	}
	src := source(f.File)
	if src == nil || !fits(f.Fix, len(src)) {
		return r
	}
	change := sarifChange{Artifact: artifact}
	for _, e := range f.Fix {
		replacement := sarifReplacement{Deleted: *regionOf(Locate(src, e.Start), Locate(src, e.End))}
		if e.Text != "" {
			replacement.Inserted = &sarifMessage{e.Text}
		}
		change.Replacements = append(change.Replacements, replacement)
	}
	text := f.Hint
	if text == "" {
		text = "repair"
	}
	r.Fixes = []sarifFix{{sarifMessage{text}, []sarifChange{change}}}
	return r
}

// regionOf leaves an end out that does not follow the start.
func regionOf(start, end Pos) *sarifRegion {
	r := &sarifRegion{StartLine: start.Line, StartColumn: max(start.Col16, 1)}
	if end.Line > start.Line || end.Line == start.Line && end.Col16 >= r.StartColumn {
		r.EndLine, r.EndColumn = end.Line, max(end.Col16, 1)
	}
	return r
}
