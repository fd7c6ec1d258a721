package host

import (
	"github.com/wuu-plugins/wuu/internal/host/service"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// phase is how far a process has come; it only grows.
type phase uint8

const (
	phaseStarting   phase = iota // until the initialize result is accepted
	phasePreparing               // bound; until the commit
	phaseActivating              // committed; everything declared may be called
	phaseActive
	phaseClosing // shutdown was asked for: cleaning up may still use services
	phaseRevoked // disabled or removed: nothing is routed any more
)

// allows says whether a method may be called in phase ph
// (design/protocol.md, "Plugin → host").
func (ph phase) allows(m service.Method) *protocol.Error {
	switch {
	case ph == phaseRevoked:
		return service.Errorf(protocol.CodeGenerationClosed, "the plugin was disabled, removed or stopped")
	case ph == phasePreparing && !m.Preparation:
		return service.Errorf(protocol.CodeNotPrepared, "before activation only methods that write nothing may be called")
	}
	return nil
}
