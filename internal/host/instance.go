package host

import (
	"context"
	"sync"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host/service"
	"github.com/wuu-plugins/wuu/internal/pluginproc"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// identity tells whether a running instance is what a record asks for.
type identity struct {
	fingerprint string
	subject     string
	dev         bool
}

// tool is one declared tool under both its names.
type tool struct {
	protocol.Tool
	public string
}

// instance is one plugin at work: its snapshot and, for a runtime, its
// process. Generations share it as long as nothing about the plugin changes.
type instance struct {
	host     *Host
	from     *candidate
	identity identity
	caller   *service.Caller
	proc     *pluginproc.Proc // nil without a runtime
	release  func()           // gives the snapshot's lease back
	ended    chan struct{}    // closed when nothing is left of it

	mu       sync.Mutex
	number   uint64 // of the generation that it became current with
	phase    phase
	requires map[string]protocol.ServiceRequirement
	tools    []tool
	leases   int // running executions
	retired  bool
	closing  bool
	failure  *Failure // why it does not serve (any more)
	degraded bool     // failure is that of activate
}

func (i *instance) id() string { return i.from.id() }

func (i *instance) generation() uint64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.number
}

func (i *instance) isRetired() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.retired
}

// healthy says whether the instance serves and goes on serving.
func (i *instance) healthy() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.failure == nil && i.phase == phaseActive && !i.retired
}

// state is what a status shows.
func (i *instance) state() (string, *Failure) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.failure == nil:
		return StateActive, nil
	case i.degraded:
		return StateDegraded, i.failure
	}
	return StateFailed, i.failure
}

func (i *instance) setPhase(ph phase) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.phase = max(i.phase, ph)
}

func (i *instance) fail(f *Failure) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.failure == nil {
		i.failure = f
	}
}

// lease keeps the instance alive for one execution; an error says why it
// takes none.
func (i *instance) lease() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.failure != nil {
		return &fault.Error{
			Kind: fault.Plugin, Code: CodeNotRunning, Subject: i.id(), Err: about(i.id(), i.failure.Fault()),
			Hint: "wuu plugin reload " + i.id(),
		}
	}
	i.leases++
	return nil
}

// unlease ends a lease; the last one ends a retired instance.
func (i *instance) unlease() {
	i.mu.Lock()
	i.leases--
	last := i.retired && i.leases == 0
	i.mu.Unlock()
	if last {
		i.shutdown()
	}
}

// retire lets the running executions end, then the process. New calls do not
// reach it any more.
func (i *instance) retire() {
	i.mu.Lock()
	i.retired = true
	idle := i.leases == 0
	i.mu.Unlock()
	if idle {
		i.shutdown()
	}
}

// revoke cancels every execution and ends the process now.
func (i *instance) revoke() {
	i.mu.Lock()
	i.retired = true
	i.phase = phaseRevoked
	i.mu.Unlock()
	i.host.executions.cancel(errRevoked, func(e *execution) bool { return e.instance == i })
	i.shutdown()
}

// shutdown ends the process in the background, once; ended tells when.
func (i *instance) shutdown() {
	i.mu.Lock()
	again := i.closing
	i.closing = true
	if i.phase == phaseActive || i.phase == phaseActivating {
		i.phase = phaseClosing
	}
	i.mu.Unlock()
	if again {
		return
	}
	i.host.background.Go(func() {
		defer close(i.ended)
		defer i.release()
		if i.proc == nil {
			return
		}
		select {
		case <-i.proc.Done(): // it crashed, which was said then
			return
		default:
		}
		err := i.proc.Shutdown(i.host.hard)
		if err != nil {
			i.host.note(i.id(), "shutdown: "+about(i.id(), err).Error())
		}
		<-i.proc.Done()
		if i.host.o.Ended != nil {
			i.host.o.Ended(i.id(), err, i.proc.Leftover())
		}
	})
}

// watch turns the end of a process that was not asked to end into a failure.
func (i *instance) watch() {
	<-i.proc.Done()
	i.mu.Lock()
	asked, starting := i.closing, i.phase < phaseActivating
	i.mu.Unlock()
	if asked {
		return
	}
	err := i.proc.Err()
	if err == nil {
		err = fault.New(fault.Plugin, "PROCESS_EXITED", i.id(), "the runtime ended by itself")
	}
	f := FailureOf(err)
	f.Subject = i.id()
	if f.Hint == "" {
		f.Hint = "wuu plugin reload " + i.id()
	}
	i.fail(f)
	if !starting { // else whoever starts it says so
		i.host.note(i.id(), "failed: "+f.Message)
	}
}

// end shuts down and waits; ctx ends the waiting only.
func (i *instance) end(ctx context.Context) {
	i.shutdown()
	i.awaitEnd(ctx)
}

func (i *instance) awaitEnd(ctx context.Context) {
	select {
	case <-i.ended:
	case <-ctx.Done():
	}
}
