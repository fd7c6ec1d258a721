package protocol_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

func TestOldLifecycleIsToldToRebuild(t *testing.T) {
	err := fault.As(protocol.ValidateInitialize(protocol.InitializeResult{LifecycleVersion: 1}))
	if !strings.Contains(err.Hint, "rebuild the plugin against the current @wuu/plugin-sdk") {
		t.Errorf("hint %q", err.Hint)
	}
}

func TestAllProblemsAreListed(t *testing.T) {
	got := []string{}
	for _, e := range protocol.InitializeProblems(protocol.InitializeResult{
		ProtocolVersion:  9,
		Tools:            []protocol.Tool{{ID: "a b"}},
		RequiredServices: []protocol.ServiceRequirement{{Name: "x"}},
	}) {
		got = append(got, e.Subject)
	}
	want := []string{"protocol_version", "lifecycle_version", "tools[0].id", "tools[0].description", "tools[0].input_schema", "required_services[0].name"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMissingHostFeatures(t *testing.T) {
	r := protocol.InitializeResult{RequiredHostFeatures: []string{"a.v1", "b.v1"}}
	if d := cmp.Diff([]string{"b.v1"}, protocol.MissingHostFeatures(r, []string{"a.v1", "c.v1"})); d != "" {
		t.Error(d)
	}
}

func TestEffectiveErrorPolicy(t *testing.T) {
	for _, c := range []struct {
		capability protocol.Capability
		want       string
	}{
		{protocol.Capability{ID: "agent.turn.completed", Kind: "observe"}, "isolate"},
		{protocol.Capability{ID: "model.request.metrics", Kind: "observe"}, "isolate"},
		{protocol.Capability{ID: "agent.pre_step", Kind: "transform"}, "propagate"},
		{protocol.Capability{ID: "agent.pre_step", Kind: "transform", ErrorPolicy: "isolate"}, "isolate"},
	} {
		if got := protocol.EffectiveErrorPolicy(c.capability); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.capability, got, c.want)
		}
	}
}

func TestServiceMajor(t *testing.T) {
	for version, want := range map[string]int{"0.1.0": 0, "1.0.0": 1, "12.3.4": 12, "01.0.0": 0, "": 0} {
		if got := (protocol.ProvidedService{Version: version}).Major(); got != want {
			t.Errorf("%q: got %d, want %d", version, got, want)
		}
	}
}

func TestServiceCall(t *testing.T) {
	for raw, want := range map[string]string{
		`{"service":"a.b","method":"call","execution_id":"e","params":{"k":1}}`: "",
		`{"service":"a.b","method":"call"}`:                                     "",
		``:                                                                      protocol.CodeInvalidRequest,
		`[]`:                                                                    protocol.CodeInvalidRequest,
		`{"service":1,"method":"call"}`:                                         protocol.CodeInvalidRequest,
		`{"method":"call"}`:                                                     protocol.CodeInvalidRequest,
		`{"service":"a.b"}`:                                                     protocol.CodeInvalidRequest,
		`{"service":"a.b","method":"call","params":[]}`: protocol.CodeInvalidParams,
	} {
		_, err := protocol.ParseServiceCall(json.RawMessage(raw))
		got := ""
		if err != nil {
			got = err.Code
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", raw, got, want)
		}
	}
}

// FuzzParseFrame checks that no line is both accepted and meaningless, and
// that what is accepted survives being written again.
func FuzzParseFrame(f *testing.F) {
	for _, r := range table[row](f, "frames.jsonl") {
		f.Add(r.line())
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		frame, err := protocol.ParseFrame(line)
		if err != nil {
			if frame.ID == "" != (fault.As(err).Code != protocol.FrameInvalid) {
				t.Fatalf("%q: %v with id %q", line, err, frame.ID)
			}
			return
		}
		if frame.ID == "" || !frame.IsRequest() && (len(frame.Result) > 0) == (frame.Error != nil) {
			t.Fatalf("%q became %+v", line, frame)
		}
		again, err := json.Marshal(frame)
		if err != nil {
			t.Fatal(err)
		}
		second, err := protocol.ParseFrame(again)
		if err != nil {
			t.Fatalf("%s, written again as %s: %v", line, again, err)
		}
		third, err := json.Marshal(second)
		if err != nil || !bytes.Equal(again, third) {
			t.Fatalf("%s became %s, %v", again, third, err)
		}
	})
}
