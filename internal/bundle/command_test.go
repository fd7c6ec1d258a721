package bundle_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/fault"
)

func TestRunCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are written for sh")
	}
	root := tree(t, nil)
	put(t, root, "node_modules/.bin/mytool", "#!/bin/sh\necho from the project: $1\n")
	if err := os.Chmod(filepath.Join(root, "node_modules", ".bin", "mytool"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		plan bundle.Plan
		out  string
		code string
	}{
		{"shell line", bundle.Plan{Builder: bundle.Command, Command: []string{"mytool a && pwd"}, Shell: true}, "from the project: a\n" + root + "\n", ""},
		{"words", bundle.Plan{Builder: bundle.Command, Command: []string{"mytool", "a b"}}, "from the project: a b\n", ""},
		{"errors are output", bundle.Plan{Builder: bundle.Command, Command: []string{"echo oops >&2; exit 3"}, Shell: true}, "oops\n", bundle.CodeCommand},
		{"not installed", bundle.Plan{Builder: bundle.Command, Command: []string{"no-such-manager", "run", "build"}}, "", bundle.CodeCommand},
	} {
		var out bytes.Buffer
		err := bundle.RunCommand(t.Context(), c.plan, root, os.Environ(), &out)
		if out.String() != c.out {
			t.Errorf("%s: output %q, want %q", c.name, &out, c.out)
		}
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != c.code || f.Kind != fault.Check || f.Hint == "" {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func TestRunCommandIsKilledWithItsChildren(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is written for sh")
	}
	root := tree(t, nil)
	cause := errors.New("a newer change")
	ctx, cancel := context.WithCancelCause(t.Context())
	plan := bundle.Plan{Builder: bundle.Command, Command: []string{"(sleep 600; echo late > late) & echo ready; wait"}, Shell: true}
	w := writerFunc(func(b []byte) {
		if strings.Contains(string(b), "ready") {
			cancel(cause)
		}
	})
	if err := bundle.RunCommand(ctx, plan, root, os.Environ(), w); !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause", err)
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
