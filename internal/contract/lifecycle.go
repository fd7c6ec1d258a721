package contract

import (
	"context"

	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// lifecycle judges the plugin's life in first, ends it, and starts a second one
// on the same data, which is returned when the stage passes.
func (b *bench) lifecycle(ctx context.Context, first *session) (Stage, *session, error) {
	st := Stage{Name: stageLifecycle}
	for _, method := range []string{protocol.MethodPrepare, protocol.MethodActivate} {
		if answer, ok := first.rec.answer(method); !ok || answer.Error != nil {
			st.fail(first.because("lifecycle."+method, first.seen.Err))
			return st, nil, nil
		}
		st.pass("lifecycle."+method, "%s was answered in time", method)
	}
	if first.seen.State != host.StateActive {
		st.fail(first.because("lifecycle.activate", first.seen.Err))
		return st, nil, nil
	}
	if !checkEnd(&st, first, "lifecycle") {
		return st, nil, nil
	}
	second, err := b.start(ctx)
	if err != nil {
		return st, nil, err
	}
	if second.seen.State != host.StateActive {
		st.fail(second.because("lifecycle.restart", second.seen.Err))
		return st, second, nil
	}
	st.pass("lifecycle.restart", "a second start on the same data succeeds")
	return st, second, nil
}

// checkEnd ends s and judges how its process took it.
func checkEnd(st *Stage, s *session, stage string) bool {
	mark := s.rec.mark()
	s.close()
	e, asked := s.ended()
	failed := func(rule, message, hint string) bool {
		c := Check{ID: stage + "." + rule, Message: message, Hint: hint}
		c.Frames, c.Log = s.rec.since(mark)
		st.fail(c)
		return false
	}
	switch {
	case !asked:
		return failed("shutdown", "the process had ended before it was asked to", "keep running until shutdown or the end of stdin")
	case e.err != nil:
		f := host.FailureOf(e.err)
		return failed("shutdown", f.Code+": "+f.Message, "answer shutdown, stop timers and servers, and exit when stdin ends")
	}
	st.pass(stage+".shutdown", "shutdown succeeds in time")
	if e.leftover {
		return failed("group", "the process left others of its process group behind; they were killed", "end child processes in shutdown, and wait for them")
	}
	st.pass(stage+".group", "nothing of the process group is left")
	return true
}
