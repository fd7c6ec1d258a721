package pluginproc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/procgroup"
)

// MinNode is the oldest major version of Node.js that plugins are built for.
const MinNode = 20

const (
	nodeHint  = "install Node.js 20 or later from https://nodejs.org, or set WUU_NODE to the path of one"
	nodeLimit = 10 * time.Second
)

// CheckNode runs path --version ("" is node in PATH) and returns the version,
// for example "20.11.1". It runs in this process's environment, which the shims
// of version managers need. The error is a *fault.Error of kind Plugin with code
// NODE_MISSING or NODE_TOO_OLD.
func CheckNode(ctx context.Context, path string) (string, error) {
	if path == "" {
		path = "node"
	}
	found, err := exec.LookPath(path) // refuses what stands in the current folder alone (exec.ErrDot)
	if err != nil {
		return "", fault.New(fault.Plugin, "NODE_MISSING", path, "Node.js not found: %w", err).WithHint(nodeHint)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, nodeLimit, fmt.Errorf("no answer within %s", nodeLimit))
	defer cancel()
	var out, diagnostics bytes.Buffer
	err = procgroup.Run(ctx, procgroup.Command{Argv: []string{found, "--version"}, Env: os.Environ()}, &out, &diagnostics)
	if err != nil {
		return "", fault.New(fault.Plugin, "NODE_MISSING", path, "run --version: %w", errors.Join(err, firstLine(diagnostics.String()))).
			WithHint(nodeHint)
	}
	version := strings.TrimSpace(out.String())
	major := 0
	if n, err := fmt.Sscanf(version, "v%d.", &major); n != 1 || err != nil {
		return "", fault.New(fault.Plugin, "NODE_MISSING", path, "--version printed %.80q, which is no Node.js version", version).
			WithHint(nodeHint)
	}
	version = strings.TrimPrefix(version, "v")
	if major < MinNode {
		return version, fault.New(fault.Plugin, "NODE_TOO_OLD", path, "Node.js %s is too old; plugins need %d or later", version, MinNode).
			WithHint(nodeHint)
	}
	return version, nil
}

// firstLine is nil for an empty text.
func firstLine(text string) error {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return nil
	}
	return errors.New(line)
}
