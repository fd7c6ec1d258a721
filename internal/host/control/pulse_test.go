package control

import (
	"encoding/json"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/jsonl"
)

// mute plays a host that answers host/status until it falls silent, and
// nothing else before it has worked for as long as that takes.
func mute(n net.Conn, silentAfter, worksFor time.Duration) {
	defer n.Close()
	began := time.Now()
	in := jsonl.NewReader(n, maxLine)
	for {
		line, err := in.Next()
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 {
			continue
		}
		answer, _ := encode(message{ID: m.ID, Result: json.RawMessage(`{}`)})
		switch {
		case m.Method != methodStatus:
			time.AfterFunc(worksFor, func() { _, _ = n.Write(append(answer, '\n')) })
		case time.Since(began) < silentAfter:
			_, _ = n.Write(append(answer, '\n'))
		}
	}
}

// TestHostFallsSilent: a long request is waited for as long as the host answers
// beside it, and given up when it does not.
func TestHostFallsSilent(t *testing.T) {
	for name, c := range map[string]struct {
		silentAfter, worksFor time.Duration
		want                  string
	}{
		"works long":   {time.Hour, 10 * time.Minute, ""},
		"falls silent": {time.Minute, 10 * time.Minute, host.CodeHostSilent},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				go mute(theirs, c.silentAfter, c.worksFor)
				client := newClient(Entry{ID: "host-1", PID: 7, Product: "wuu host"}, ours)
				defer client.Close()
				_, adopt := client.Adopt(t.Context(), 1)
				_, call := client.CallTool(t.Context(), host.ToolCall{Tool: "t"}, nil)
				for _, err := range []error{adopt, call} {
					code := ""
					if err != nil {
						code = fault.As(err).Code
					}
					if code != c.want {
						t.Errorf("got %v, want %q", err, c.want)
					}
				}
			})
		})
	}
}
