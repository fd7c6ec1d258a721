package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/procgroup"
)

// CodeCommand is the code of the error of a build command that fails.
const CodeCommand = "BUILD_COMMAND"

// RunCommand runs a Command plan in root with env; its output goes to w. As in
// a package script, the programs of node_modules/.bin come first in PATH. The
// end of ctx kills the whole process group and gives ctx's cause; any other
// failure is a *fault.Error of kind Check.
func RunCommand(ctx context.Context, p Plan, root string, env []string, w io.Writer) error {
	command := procgroup.Command{Argv: p.Command, Dir: root, Env: binFirst(root, env)}
	if p.Shell {
		command = procgroup.Shell(p.Command[0], root, command.Env)
	}
	err := procgroup.Run(ctx, command, w, w)
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	subject := p.CommandLine()
	var known *fault.Error
	if errors.As(err, &known) && known.Code == "COMMAND_NOT_FOUND" {
		return fault.New(fault.Check, CodeCommand, subject, "%s is not installed", p.Command[0]).
			WithHint(`install it, or let wuu build src/ itself with "wuu": {"build": "embedded"} in package.json`)
	}
	return fault.New(fault.Check, CodeCommand, subject, "%w", err).
		WithHint("its own messages stand above")
}

// CommandLine shows the command of a Command plan.
func (p Plan) CommandLine() string { return strings.Join(p.Command, " ") }

// binFirst returns env with root's node_modules/.bin at the head of PATH. The
// name of the variable is matched as the system does.
func binFirst(root string, env []string) []string {
	bin := filepath.Join(root, "node_modules", ".bin")
	out := make([]string, 0, len(env)+1)
	found := false
	for _, kv := range env {
		name, value, ok := strings.Cut(kv, "=")
		if ok && (name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH")) {
			kv = fmt.Sprintf("%s=%s%c%s", name, bin, os.PathListSeparator, value)
			found = true
		}
		out = append(out, kv)
	}
	if !found {
		out = append(out, "PATH="+bin)
	}
	return out
}
