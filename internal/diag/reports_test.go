package diag_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/diag"
)

var hard = []diag.Finding{
	{Code: "NO_PLACE", Severity: diag.Info, Message: "nothing"},
	{
		Code: "HARD", Severity: diag.Error, File: "a b,c:d%/😀.json", Message: "100%\r\n::error::no", Hint: "a, b: c",
		Start: diag.Pos{Line: 1, Col16: 3, ColChar: 2}, End: diag.Pos{Line: 1, Col16: 4, ColChar: 3}, Fix: []diag.Edit{{Start: 4, End: 5, Text: "y"}, {Start: 5, End: 5}},
	},
	{Code: "CONTROL", Severity: diag.Warning, File: "f", Message: "\x00\x1b]<&\ufffe", Start: diag.Pos{Line: 3, Col16: 1, ColChar: 1}},
}

func TestGitHub(t *testing.T) {
	var b bytes.Buffer
	if err := diag.WriteGitHub(&b, hard); err != nil {
		t.Fatal(err)
	}
	want := "::notice title=NO_PLACE::nothing\n" +
		"::warning file=f,line=3,col=1,title=CONTROL::\x00\x1b]<&\ufffe\n" +
		"::error file=a b%2Cc%3Ad%25/😀.json,line=1,col=2,endLine=1,endColumn=3,title=HARD::100%25%0D%0A::error::no%0Ahint: a, b: c\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestJUnit(t *testing.T) {
	for _, list := range [][]diag.Finding{nil, hard} {
		var b bytes.Buffer
		if err := diag.WriteJUnit(&b, "x\x00<", list, func(f diag.Finding) bool { return f.Severity == diag.Error }); err != nil {
			t.Fatal(err)
		}
		cases, failures := 0, 0
		for dec := xml.NewDecoder(&b); ; {
			token, err := dec.Token()
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if start, ok := token.(xml.StartElement); ok {
				cases += map[bool]int{true: 1}[start.Name.Local == "testcase"]
				failures += map[bool]int{true: 1}[start.Name.Local == "failure"]
			}
		}
		if cases != max(1, len(list)) || failures != diag.Count(list).Errors {
			t.Errorf("%d cases, %d failures of %d findings", cases, failures, len(list))
		}
	}
}

// sarif is the part of the SARIF 2.1.0 schema that wuu uses; unknown members
// fail, as they do against the schema.
type sarif struct {
	Schema  string `json:"$schema"`
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name, Version, InformationURI string
				Rules                         []struct {
					ID               string
					ShortDescription struct{ Text string }
				}
			}
		}
		ColumnKind string
		Results    []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           *sarifRegion
				}
			}
			Fixes []struct {
				Description     struct{ Text string }
				ArtifactChanges []struct {
					ArtifactLocation struct{ URI string }
					Replacements     []struct {
						DeletedRegion   sarifRegion
						InsertedContent *struct{ Text string }
					}
				}
			}
		}
	}
}

type sarifRegion struct{ StartLine, StartColumn, EndLine, EndColumn int }

func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	rules := []diag.Rule{{Code: "HARD", Summary: "hard to write"}}
	src := func(string) []byte { return []byte("😀xx") }
	if err := diag.WriteSARIF(&b, diag.Tool{Name: "wuu"}, rules, hard, src); err != nil {
		t.Fatal(err)
	}
	var log sarif
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].ColumnKind != "utf16CodeUnits" || len(log.Runs[0].Results) != 3 {
		t.Fatalf("%+v", log)
	}
	run := log.Runs[0]
	for _, r := range run.Results {
		if r.Message.Text == "" || !strings.Contains(" none note warning error ", " "+r.Level+" ") {
			t.Errorf("%+v", r)
		}
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
		}
	}
	r := run.Results[1]
	if got := r.Locations[0].PhysicalLocation; got.ArtifactLocation.URI != "a%20b,c:d%25/%F0%9F%98%80.json" || *got.Region != (sarifRegion{1, 3, 1, 4}) {
		t.Errorf("%+v %+v", got, got.Region)
	}
	change := r.Fixes[0].ArtifactChanges[0].Replacements
	if change[0].DeletedRegion != (sarifRegion{1, 3, 1, 4}) || change[0].InsertedContent.Text != "y" || change[1].InsertedContent != nil {
		t.Errorf("%+v", change)
	}
}
