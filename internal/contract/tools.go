package contract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
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
			b.try(ctx, &st, s, c)
			broken = s.revive(ctx)
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

// try makes one call and compares.
func (b *bench) try(ctx context.Context, st *Stage, s *session, c testCase) {
	mark := s.rec.mark()
	result, err := s.CallTool(ctx, host.ToolCall{
		PluginID: s.id, Tool: c.Tool, Arguments: c.Arguments, Cwd: b.project, Timeout: b.o.Timeout,
	}, nil)
	check := Check{ID: c.id()}
	var reply *protocol.Error
	switch {
	case errors.As(err, &reply): // the call failed, the plugin did not
		check.Message, check.Hint = c.Expect.compare(protocol.ToolResult{
			IsError: true, Content: []protocol.ContentPart{{Type: "text", Text: reply.Message}},
		})
	case err != nil:
		f := fault.As(err)
		check.Message, check.Hint = f.Code+": "+f.Error(), f.Hint
	default:
		check.Message, check.Hint = c.Expect.compare(result)
	}
	if check.Message == "" {
		st.pass(c.id(), "%s", c.Expect.met())
		return
	}
	check.Message = c.place() + ": " + check.Message
	check.Frames, check.Log = s.rec.since(mark)
	st.fail(check)
}

// revive starts a plugin that a call has ended again, so that the next case is
// judged for itself. The result says why that is not possible.
func (s *session) revive(ctx context.Context) string {
	status, err := s.Status(ctx)
	if err != nil {
		return "the host does not answer: " + err.Error()
	}
	for _, p := range status.Plugins {
		if p.ID == s.id && p.State == host.StateActive {
			return ""
		}
	}
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
