package host

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/wuu-plugins/wuu/internal/host/service"
	"github.com/wuu-plugins/wuu/internal/pluginproc"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// serve answers one host.service.call of the instance. Identity, declarations
// and phase are the host's own knowledge; a refusal never ends the process.
func (i *instance) serve(ctx context.Context, c pluginproc.ServiceCall) (json.RawMessage, *protocol.Error) {
	method, perr := i.route(c)
	if perr != nil {
		return nil, perr
	}
	call := service.Call{Caller: i.caller, Params: c.Params, Find: i.findExecution}
	if c.ExecutionID != "" {
		e, perr := i.execution(c.ExecutionID)
		if perr != nil {
			return nil, perr
		}
		call.Execution = e
		var stop func()
		ctx, stop = e.bind(ctx)
		defer stop()
	}
	result, perr := method.Do(ctx, call)
	if perr != nil {
		return nil, perr
	}
	return encode(result)
}

// route authorises a call: declared before existing, existing before version,
// version before method, method before phase.
func (i *instance) route(c pluginproc.ServiceCall) (service.Method, *protocol.Error) {
	var none service.Method
	i.mu.Lock()
	ph, requirements := i.phase, i.requires
	i.mu.Unlock()
	if ph == phaseStarting {
		return none, service.Errorf(protocol.CodeServiceNotNegotiated, "services may be called from prepare on, not during initialize")
	}
	requirement, declared := requirements[c.Service]
	if !declared {
		return none, service.Errorf(protocol.CodeServiceNotAuthorized, "%s is not in required_services", c.Service)
	}
	methods, known := i.host.services[c.Service]
	if !known {
		return none, service.Errorf(protocol.CodeServiceNotFound, "no provider of %s", c.Service)
	}
	if requirement.MajorVersion != service.Major {
		return none, service.Errorf(protocol.CodeServiceVersionMismatch, "%s has major version %d, not %d", c.Service, service.Major, requirement.MajorVersion)
	}
	method, known := methods[c.Method]
	if !known {
		return none, service.Errorf(protocol.CodeMethodNotFound, "%s has no method %q", c.Service, c.Method)
	}
	return method, ph.allows(method)
}

func (i *instance) findExecution(id string) (service.Execution, *protocol.Error) {
	e, perr := i.execution(id)
	if perr != nil {
		return nil, perr
	}
	return e, nil
}

// execution finds a live execution of this instance.
func (i *instance) execution(id string) (*execution, *protocol.Error) {
	e := i.host.executions.find(id)
	switch {
	case e == nil:
		return nil, service.Errorf(protocol.CodeExecutionNotFound, "%s does not run (any more)", id)
	case e.instance != i:
		return nil, service.Errorf(protocol.CodeServiceNotAuthorized, "%s belongs to another plugin or generation", id)
	}
	return e, nil
}

// unbound names the first required service that this host cannot give.
func (h *Host) unbound(r protocol.InitializeResult) error {
	for _, s := range r.RequiredServices {
		if !s.Required {
			continue
		}
		if _, known := h.services[s.Name]; !known {
			return errors.New("it requires the service " + s.Name + ", which nothing provides here")
		}
		if s.MajorVersion != service.Major {
			return service.Errorf("", "it requires %s with major version %d; this host has %d", s.Name, s.MajorVersion, service.Major)
		}
	}
	return nil
}

func encode(v any) (json.RawMessage, *protocol.Error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, service.Errorf(protocol.CodeHostError, "encode the result: %v", err)
	}
	return b, nil
}
