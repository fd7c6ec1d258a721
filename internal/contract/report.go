package contract

import "fmt"

// Status is the verdict of a check or a stage. A skip always has its reason
// and is never a pass.
type Status string

// The verdicts.
const (
	Pass Status = "pass"
	Fail Status = "fail"
	Skip Status = "skip"
)

// The stages, in order.
const (
	stagePackage   = "package"
	stageHandshake = "handshake"
	stageLifecycle = "lifecycle"
	stageTools     = "tools"
)

func stageNames() []string {
	return []string{stagePackage, stageHandshake, stageLifecycle, stageTools}
}

// Report is the result of a contract test. OK means that no check failed.
type Report struct {
	OK         bool    `json:"ok"`
	ID         string  `json:"id,omitempty"`
	Version    string  `json:"version,omitempty"`
	WuuVersion string  `json:"wuu_version,omitempty"`
	Stages     []Stage `json:"stages"`
}

// Stage is one group of checks. It fails with its first failed check, and is
// skipped when it has no other than skipped ones.
type Stage struct {
	Name   string  `json:"name"`
	Status Status  `json:"status"`
	Checks []Check `json:"checks"`
}

// Check is one rule of the contract. A failure says what happened and what to
// change, and shows the frames and the lines of stderr that came last.
type Check struct {
	ID      string   `json:"id"` // stage.rule, or tools.tool/case
	Status  Status   `json:"status"`
	Message string   `json:"message"`
	Hint    string   `json:"hint,omitempty"`
	Frames  []Frame  `json:"frames,omitempty"`
	Log     []string `json:"log,omitempty"`
}

// Frame is one line of the wire, cut when it is long.
type Frame struct {
	Direction string `json:"direction"` // to_plugin or to_host
	Line      string `json:"line"`
}

func newReport(o Options) *Report {
	r := &Report{OK: true, WuuVersion: o.Version, Stages: []Stage{}}
	if o.Package != nil {
		r.ID, r.Version = o.Package.ID, o.Package.Version
	}
	return r
}

func (r *Report) add(s Stage) {
	r.Stages = append(r.Stages, s)
	if s.Status != Fail {
		return
	}
	r.OK = false
	if s.Name == stagePackage {
		r.skipRest("the package has errors")
	}
}

// skipRest adds the stages that are still missing as skipped.
func (r *Report) skipRest(reason string) {
	for _, name := range stageNames()[len(r.Stages):] {
		s := Stage{Name: name}
		s.skip(name, "%s", reason)
		r.Stages = append(r.Stages, s)
	}
}

// Count tells how many checks have each status.
func (r *Report) Count() (passed, failed, skipped int) {
	for _, s := range r.Stages {
		for _, c := range s.Checks {
			switch c.Status {
			case Pass:
				passed++
			case Fail:
				failed++
			case Skip:
				skipped++
			}
		}
	}
	return passed, failed, skipped
}

func (s *Stage) pass(id, format string, args ...any) {
	if s.Status != Fail {
		s.Status = Pass
	}
	s.Checks = append(s.Checks, Check{ID: id, Status: Pass, Message: fmt.Sprintf(format, args...)})
}

func (s *Stage) fail(c Check) {
	s.Status = Fail
	c.Status = Fail
	s.Checks = append(s.Checks, c)
}

func (s *Stage) skip(id, format string, args ...any) {
	if s.Status == "" {
		s.Status = Skip
	}
	s.Checks = append(s.Checks, Check{ID: id, Status: Skip, Message: fmt.Sprintf(format, args...)})
}
