// Package host runs plugins for real: generations of processes, executions,
// kernel services. It knows nothing of npm, of the command line or of MCP.
//
// A Host goes from one generation to the next: Preflight starts and prepares
// what a state would change, Adopt activates a committed state, Reload renews
// processes. Instances of plugins that did not change are shared by
// generations; the others are kept until their last execution has ended.
package host

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/host/service"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// Options configure a host.
type Options struct {
	Home    paths.Home
	Project string    // absolute project root, may be empty
	Product string    // what embeds the host: "wuu host", "wuu dev", …
	Node    string    // executable for runtimes whose command is "node"; empty: the one in PATH
	Log     io.Writer // plugin stderr ("[id #generation] …") and host notes ("[id] …"), one line a Write; nil discards
	Getenv  func(string) string
	Now     func() time.Time
	// Hard, when set, is the end of patience: once it has ended, processes are
	// killed that would otherwise be asked to end and waited for.
	Hard context.Context
	// Trace, when set, sees every frame of every plugin; it is called for
	// several plugins at the same time.
	Trace func(pluginID string, toPlugin bool, line []byte)
	// Ended, when set, hears how each process that was asked to end did so:
	// err is that of pluginproc's Shutdown; leftover tells that the process left
	// others of its group behind, which were killed. It may be called from
	// several goroutines.
	Ended func(pluginID string, err error, leftover bool)
}

// Host is one running host.
type Host struct {
	o          Options
	id         string
	catalog    *catalog.Catalog
	services   service.Set
	executions executions
	snapshots  *snapshots
	log        *log
	node       node
	background sync.WaitGroup // shutdowns, watchers, adoptions

	// soft ends with Close's beginning, hard with its patience.
	soft, hard       context.Context
	endSoft, endHard context.CancelFunc
	change           chan struct{} // holds one token while a generation changes
	mu               sync.RWMutex  // guards what stands below
	current          *generation
	retired          []*instance // left a generation, not ended yet
	prepared         *draft      // by Preflight
	preparedAge      *time.Timer
	isClosed         bool
}

// New makes a host that runs nothing yet.
func New(o Options) (*Host, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	id, err := newID()
	if err != nil {
		return nil, err
	}
	h := &Host{
		o: o, id: id,
		catalog:   catalog.Open(o.Home, o.Now),
		snapshots: &snapshots{home: o.Home},
		log:       &log{out: o.Log},
		change:    make(chan struct{}, 1),
		current:   &generation{slots: map[string]*slot{}},
	}
	h.services = service.Kernel(h.serviceDeps())
	h.soft, h.endSoft = context.WithCancel(context.Background())
	if o.Hard == nil {
		o.Hard = context.Background()
	}
	h.hard, h.endHard = context.WithCancel(o.Hard)
	return h, nil
}

// newID is "host-" and 8 random hex digits.
func newID() (string, error) {
	b := make([]byte, 4)
	if _, err := rand.Read(b); err != nil {
		return "", err
	}
	return "host-" + hex.EncodeToString(b), nil
}

// ID is the host's id, unique on this machine.
func (h *Host) ID() string { return h.id }

// Product and Project are what the host was made for.
func (h *Host) Product() string { return h.o.Product }

// Project is the absolute project root, or empty.
func (h *Host) Project() string { return h.o.Project }

func (h *Host) serviceDeps() service.Deps {
	return service.Deps{Home: h.o.Home, Project: h.o.Project, Note: func(line string) { h.log.note("host", line) }}
}

func (h *Host) note(id, line string) { h.log.note(id, line) }

// begin takes the right to change generations; its context ends with ctx and
// with the host. done gives it back.
func (h *Host) begin(ctx context.Context) (_ context.Context, done func(), err error) {
	select {
	case h.change <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, context.Cause(ctx)
	case <-h.soft.Done():
		return nil, nil, h.closed()
	}
	if h.soft.Err() != nil {
		<-h.change
		return nil, nil, h.closed()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(h.soft, func() { cancel(h.closed()) })
	return ctx, func() {
		stop()
		cancel(nil)
		<-h.change
	}, nil
}

// Status describes the host now.
func (h *Host) Status(context.Context) (Status, error) {
	h.mu.RLock()
	g := h.current
	h.mu.RUnlock()
	s := Status{
		ID: h.id, PID: os.Getpid(), Product: h.o.Product, Project: h.o.Project,
		Generation: g.number, Epoch: g.state.Epoch, Plugins: []PluginStatus{},
	}
	for _, sl := range g.all {
		s.Plugins = append(s.Plugins, sl.status())
	}
	return s, nil
}

func (s *slot) status() PluginStatus {
	state, f := s.state()
	rec := s.c.rec
	p := PluginStatus{ID: rec.ID, Version: rec.Version, Fingerprint: rec.Fingerprint, State: state, Dev: rec.Dev, Err: f}
	if s.inst != nil {
		for _, t := range s.inst.toolList() {
			p.Tools = append(p.Tools, t.Tool)
		}
		if s.inst.proc != nil && state == StateActive {
			p.PID = s.inst.proc.PID()
		}
	}
	return p
}

// Close cancels every execution, shuts every plugin down, consumers before
// their providers and the others at the same time, and waits: nothing of their
// process groups is left when it returns. The end of ctx kills what is still
// there.
func (h *Host) Close(ctx context.Context) error {
	h.endSoft()
	stop := context.AfterFunc(ctx, h.endHard)
	defer stop()
	h.change <- struct{}{} // for good: whatever changed has noticed and ended
	h.mu.Lock()
	first := !h.isClosed
	h.isClosed = true
	h.mu.Unlock()
	if !first {
		<-h.change
		return nil
	}
	h.executions.cancel(errClosing, func(*execution) bool { return true })
	h.dropPrepared()
	h.endAll(h.current.instances())
	for _, i := range h.takeRetired(func(*instance) bool { return true }) {
		i.shutdown()
	}
	h.background.Wait()
	h.prune()
	h.endHard()
	<-h.change
	return nil
}

// endAll shuts running down, each once those that need it have ended.
func (h *Host) endAll(running []*instance) {
	var ending sync.WaitGroup
	for _, i := range running {
		ending.Go(func() {
			for _, other := range running {
				if slices.Contains(other.from.needs, i.id()) {
					other.awaitEnd(h.hard)
				}
			}
			i.end(h.hard)
		})
	}
	ending.Wait()
}
