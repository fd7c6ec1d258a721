package contract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// tools runs every case, and names the declared tools that no case calls.
func (b *bench) tools(ctx context.Context, s *session, declared protocol.InitializeResult, cases []testCase) Stage {
	st := Stage{Name: stageTools}
	called := map[string]bool{}
	names := []string{}
	for _, t := range declared.Tools {
		names = append(names, t.ID)
	}
	broken := ""
	for _, c := range cases {
		if ctx.Err() != nil {
			return st
		}
		called[c.Tool] = true
		switch {
		case broken != "":
			st.skip(c.id(), "%s", broken)
		case !slices.Contains(names, c.Tool):
			st.fail(Check{ID: c.id(), Message: fmt.Sprintf("%s: the plugin declares no tool %q", c.place(), c.Tool), Hint: declaredTools(names)})
		default:
			if !b.try(ctx, &st, s, c) {
				broken = s.renew(ctx)
			}
		}
	}
	for _, name := range names {
		if !called[name] {
			st.skip("tools."+name, "no case calls this tool; add one to tests/*.wuu.yaml")
		}
	}
	if len(names) == 0 && len(cases) == 0 {
		st.skip(stageTools, "the plugin declares no tools")
	}
	if broken == "" && len(called) > 0 {
		checkEnd(&st, s, stageTools)
	}
	return st
}

func declaredTools(names []string) string {
	if len(names) == 0 {
		return "it declares none"
	}
	return "it declares " + strings.Join(names, ", ")
}

// try makes one call and compares. It reports whether the plugin answered at
// all; one that did not is in no state to be called again.
func (b *bench) try(ctx context.Context, st *Stage, s *session, c testCase) (answered bool) {
	mark := s.rec.mark()
	result, err := s.CallTool(ctx, host.ToolCall{
		PluginID: s.id, Tool: c.Tool, Arguments: c.Arguments, Cwd: b.project, Timeout: b.o.Timeout,
	}, nil)
	check := Check{ID: c.id()}
	answered = true
	var reply *protocol.Error
	switch {
	case errors.As(err, &reply): // the call failed, the plugin did not
		check.Message, check.Hint = c.Expect.compare(protocol.ToolResult{
			IsError: true, Content: []protocol.ContentPart{{Type: "text", Text: reply.Message}},
		})
		if check.Message != "" && reply.Code == protocol.CodeServiceNotAuthorized {
			check.Hint = host.HintNotAuthorized
		}
	case err != nil:
		answered = false
		f := host.FailureOf(err)
		check.Message, check.Hint = f.Code+": "+f.Message, f.Hint
		switch {
		case f.Code == host.CodeTimeout:
			check.Hint = "answer sooner and obey cancellation, or raise --timeout"
		case f.Code == "RESULT_INVALID":
			check.Hint = "answer {\"result\": {\"content\": [{\"type\": \"text\", \"text\": …}]}} inside the frame's result"
		case check.Hint == "":
			check.Hint = "the process must outlive every call: return is_error: true when a tool fails"
		}
	default:
		check.Message, check.Hint = c.Expect.compare(result)
	}
	if check.Message == "" {
		st.pass(c.id(), "%s", c.Expect.met())
		return answered
	}
	check.Message = c.place() + ": " + check.Message
	check.Frames, check.Log = s.rec.since(mark)
	st.fail(check)
	return answered
}

// renew starts the plugin again after a call that it did not answer, so that
// the next case is judged for itself. The result says why that is not possible.
func (s *session) renew(ctx context.Context) string {
	seen, err := s.Reload(ctx, s.id)
	if err != nil {
		return "the plugin does not start again: " + err.Error()
	}
	for _, o := range seen {
		if o.PluginID == s.id && o.State == host.StateActive {
			return ""
		}
	}
	return "the plugin ended during an earlier case and does not start again"
}
