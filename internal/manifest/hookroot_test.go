package manifest_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

func TestHookRoot(t *testing.T) {
	for _, c := range []struct {
		name, command string
		want          []string
	}{
		{"quoted", `\"$WUU_PLUGIN_ROOT/a.sh\" x`, nil},
		{"quoted with braces", `node \"${CLAUDE_PLUGIN_ROOT}\"/a.js`, nil},
		{"quote as an escape", `\u0022$WUU_PLUGIN_ROOT\u0022/a`, nil},
		{"bare", `$WUU_PLUGIN_ROOT/a.sh`, []string{"2:13 $WUU_PLUGIN_ROOT"}},
		{"bare after an emoji", `echo 😀; ${CLAUDE_PLUGIN_ROOT}/a.sh`, []string{"2:22 ${CLAUDE_PLUGIN_ROOT}"}},
		{"after quotes", `echo \"a\" $PLUGIN_ROOT`, []string{"2:24 $PLUGIN_ROOT"}},
		{"twice", `${PLUGIN_ROOT}/a ${PLUGIN_ROOT}/b`, []string{"2:13 ${PLUGIN_ROOT}", "2:30 ${PLUGIN_ROOT}"}},
		{"escaped quote", `\\\"$PLUGIN_ROOT`, []string{"2:17 $PLUGIN_ROOT"}},
		{"escaped dollar", `\\$PLUGIN_ROOT`, nil},
		{"literal", `'$PLUGIN_ROOT'`, nil},
		{"another variable", `$PLUGIN_ROOTS $HOME`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "{\"id\": \"a\", \"hooks\": {\"Stop\": [{\n\"command\": \"" + c.command + "\"}]}}"
			_, found := manifest.Parse("plugin.json", []byte(src))
			var got []string
			for _, f := range found {
				if f.Code != "HOOK_UNQUOTED_ROOT" {
					t.Error(f)
				}
				got = append(got, fmt.Sprintf("%d:%d %s", f.Start.Line, f.Start.Col16, src[f.Start.Offset:f.End.Offset]))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			for i := len(found) - 1; i >= 0; i-- {
				for j := len(found[i].Fix) - 1; j >= 0; j-- {
					e := found[i].Fix[j]
					src = src[:e.Start] + e.Text + src[e.End:]
				}
			}
			if _, left := manifest.Parse("plugin.json", []byte(src)); len(left) > 0 {
				t.Errorf("%s: %v", src, left)
			}
		})
	}
}
