package control

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// Server answers for one host until Close.
type Server struct {
	home     paths.Home
	host     *host.Host
	stop     func()
	listener net.Listener
	entry    Entry
	ctx      context.Context // of all requests
	cancel   context.CancelCauseFunc
	running  sync.WaitGroup
	close    sync.Once
	closeErr error

	mu    sync.Mutex
	conns map[*conn]bool
}

// Serve opens the socket (mode 0600) and registers the host in state/hosts.
// stop, when set, is called once for host/stop, after the answer is on its way.
func Serve(home paths.Home, h *host.Host, getenv func(string) string, stop func()) (*Server, error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	if err := home.Ensure(); err != nil {
		return nil, err
	}
	l, socket, err := listen(home.SocketDir(getenv), h.ID())
	if err != nil {
		return nil, err
	}
	entry, err := register(home, h, socket)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s := &Server{home: home, host: h, listener: l, entry: entry, conns: map[*conn]bool{}}
	s.stop = sync.OnceFunc(func() {
		if stop != nil {
			stop()
		}
	})
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.running.Go(s.accept)
	return s, nil
}

// Entry is what state/hosts says about the host.
func (s *Server) Entry() Entry { return s.entry }

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return // closed: a listener has no other lasting error
		}
		k := newConn(s, c)
		s.mu.Lock()
		closing := s.conns == nil
		if !closing {
			s.conns[k] = true
		}
		s.mu.Unlock()
		if closing {
			k.end()
			continue
		}
		s.running.Go(k.serve)
	}
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// Close unregisters, closes the socket, cancels the running requests and waits
// for them.
func (s *Server) Close() error {
	s.close.Do(func() {
		err := unregister(s.home, s.entry.ID, "")
		err = errors.Join(err, s.listener.Close()) // removes the socket
		s.cancel(errors.New("the host is closing"))
		s.mu.Lock()
		conns := s.conns
		s.conns = nil
		s.mu.Unlock()
		for c := range conns {
			c.end()
		}
		s.running.Wait()
		_ = os.Remove(filepath.Dir(s.entry.Socket)) // only when it is empty
		s.closeErr = err
	})
	return s.closeErr
}
