package contract

import (
	"encoding/json"
	"errors"

	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// handshake judges how the plugin started and what it declared.
func handshake(s *session) (Stage, protocol.InitializeResult) {
	st := Stage{Name: stageHandshake}
	var declared protocol.InitializeResult
	f := s.seen.Err
	if !s.rec.sent(protocol.MethodInitialize) {
		if f != nil && f.Code == host.CodePlatform {
			st.skip("handshake.start", "the plugin %s", f.Message)
			return st, declared
		}
		st.fail(s.because("handshake.start", f))
		return st, declared
	}
	st.pass("handshake.start", "the process started")
	if f != nil && isNoise(f.Code) {
		st.fail(s.because("handshake.stdout", f))
		return st, declared
	}
	st.pass("handshake.stdout", "only frames on stdout")
	declared, err := initialized(s.rec)
	switch {
	case err != nil && f != nil:
		st.fail(s.because("handshake.initialize", f))
		return st, declared
	case err != nil:
		st.fail(s.because("handshake.initialize", host.FailureOf(err)))
		return st, declared
	}
	st.pass("handshake.initialize", "initialize was answered in time")
	checkDeclarations(&st, s, declared)
	checkServices(&st, s, declared)
	if st.Status == Pass && f != nil && !s.rec.sent(protocol.MethodPrepare) {
		st.fail(s.because("handshake.accepted", f)) // for a reason that is not the plugin's declaration
	}
	return st, declared
}

func isNoise(code string) bool {
	switch code {
	case protocol.FrameNotJSON, protocol.FrameUnknown, protocol.FrameInvalid, protocol.FrameTooLong:
		return true
	}
	return false
}

// initialized decodes the answer to initialize as it went over the wire.
func initialized(rec *recorder) (protocol.InitializeResult, error) {
	var r protocol.InitializeResult
	answer, ok := rec.answer(protocol.MethodInitialize)
	if !ok {
		return r, errors.New("initialize was not answered")
	}
	if answer.Error != nil {
		return r, answer.Error
	}
	return r, protocol.ShapeError(json.Unmarshal(answer.Result, &r))
}

// checkDeclarations lists every problem at once: one run is enough to repair
// them all.
func checkDeclarations(st *Stage, s *session, declared protocol.InitializeResult) {
	versions, descriptors := 0, 0
	for _, p := range protocol.InitializeProblems(declared) {
		id := "handshake.descriptors"
		switch p.Code {
		case protocol.BadProtocolVersion, protocol.BadLifecycleVersion, protocol.BadCapabilityVersion:
			id = "handshake.versions"
			versions++
		default:
			descriptors++
		}
		c := Check{ID: id, Message: p.Code + ": " + p.Error(), Hint: p.Hint}
		c.Frames, c.Log = s.rec.since(0)
		st.fail(c)
	}
	if versions == 0 {
		st.pass("handshake.versions", "protocol %d, lifecycle %d", protocol.NegotiatedVersion(declared), declared.LifecycleVersion)
	}
	if descriptors == 0 {
		st.pass("handshake.descriptors", "tools: %d, capabilities: %d, services provided: %d",
			len(declared.Tools), len(declared.Capabilities), len(declared.ProvidedServices))
	}
}

func checkServices(st *Stage, s *session, declared protocol.InitializeResult) {
	if f := s.seen.Err; f != nil && (f.Code == host.CodeServiceMissing || f.Code == host.CodeFeatureMissing) {
		st.fail(s.because("handshake.services", f))
		return
	}
	st.pass("handshake.services", "services required: %d, each bound or optional", len(declared.RequiredServices))
}
