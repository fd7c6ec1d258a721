// Package control is a host's control channel: JSON-RPC 2.0 over a private
// Unix socket, found through state/hosts/.
package control

import (
	"context"

	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// Entry is one file of state/hosts.
type Entry struct {
	ID        string `json:"id"`
	PID       int    `json:"pid"`
	StartTime string `json:"start_time"` // of the process, so that a reused pid is noticed
	Socket    string `json:"socket"`
	Product   string `json:"product"`
	Project   string `json:"project"`
}

// Server answers for one host until Close.
type Server struct {
	// filled in by its builder
}

// Serve opens the socket (mode 0600) and registers the host in state/hosts.
// stop, when set, is called for host/stop.
func Serve(home paths.Home, h *host.Host, getenv func(string) string, stop func()) (*Server, error) {
	panic("not built yet")
}

// Close unregisters, closes the socket and waits for running requests.
func (s *Server) Close() error { panic("not built yet") }

// Client talks to one live host.
type Client struct {
	// filled in by its builder
}

var _ host.Controller = (*Client)(nil)

// List returns the live hosts of home, by id; entries whose process is gone
// or was replaced are removed.
func List(home paths.Home) ([]Entry, error) { panic("not built yet") }

// Dial connects to one host.
func Dial(ctx context.Context, e Entry) (*Client, error) { panic("not built yet") }

// DialAll connects to every live host; a host that does not answer in time is
// named in the error list and left out.
func DialAll(ctx context.Context, home paths.Home) ([]*Client, []error) { panic("not built yet") }

// Entry is the registration the client was dialled from.
func (c *Client) Entry() Entry { panic("not built yet") }

// Status implements host.Controller.
func (c *Client) Status(ctx context.Context) (host.Status, error) { panic("not built yet") }

// Preflight implements host.Controller.
func (c *Client) Preflight(ctx context.Context, next host.State) ([]host.Observation, error) {
	panic("not built yet")
}

// Adopt implements host.Controller.
func (c *Client) Adopt(ctx context.Context, epoch uint64) ([]host.Observation, error) {
	panic("not built yet")
}

// Reload implements host.Controller.
func (c *Client) Reload(ctx context.Context, id string) ([]host.Observation, error) {
	panic("not built yet")
}

// CallTool implements host.Controller.
func (c *Client) CallTool(ctx context.Context, t host.ToolCall, update func(host.Update)) (host.ToolResult, error) {
	panic("not built yet")
}

// Stop asks the host to end.
func (c *Client) Stop(ctx context.Context) error { panic("not built yet") }

// Close ends the connection.
func (c *Client) Close() error { panic("not built yet") }
