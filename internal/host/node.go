package host

import (
	"context"
	"sync"

	"github.com/wuu-plugins/wuu/internal/pluginproc"
)

// node is the host's Node.js, looked for and checked once it is needed, and
// again only after a failure: somebody may have installed it meanwhile.
type node struct {
	mu      sync.Mutex
	checked bool
}

// nodePath is the executable for runtimes whose command is "node".
func (h *Host) nodePath(ctx context.Context) (string, error) {
	path := h.o.Node
	if path == "" {
		path = "node"
	}
	h.node.mu.Lock()
	defer h.node.mu.Unlock()
	if h.node.checked {
		return path, nil
	}
	if _, err := pluginproc.CheckNode(ctx, path); err != nil {
		return "", err
	}
	h.node.checked = true
	return path, nil
}
