// Package service answers the kernel services that plugins call through
// host.service.call: one file a service family. Who may call what, and when,
// is the router's business (package host); a service sees an authorised call
// and decodes its parameters strictly (design/host.md, "Services").
package service

import (
	"context"
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// Version is the version of every kernel service; Major is its first number.
const (
	Version = "1.0.0"
	Major   = 1
)

// MethodCall is the one method of most kernel services.
const MethodCall = "call"

// Caller is the plugin behind a call, as the host knows it; nothing in it
// comes from the call itself.
type Caller struct {
	PluginID string
	// Subject owns the plugin's storage and settings: plugin:user:<id>, or
	// plugin:dev:<id> for a dev plugin that stands alone.
	Subject  string
	Settings map[string]manifest.Setting // declared, by local key
	// Restart holds the settings that are fixed for the process's life.
	Restart *Pins
}

// Execution is a running tool, command, capability or service call.
type Execution interface {
	// Update passes a progress report on; after the end it does nothing.
	Update(message string, detail json.RawMessage)
	// Pins holds the settings that are fixed at the execution's first read.
	Pins() *Pins
}

// Call is one authorised call of a kernel service.
type Call struct {
	Caller    *Caller
	Execution Execution // nil outside an execution
	Params    json.RawMessage
	// Find returns a live execution of the caller.
	Find func(id string) (Execution, *protocol.Error)
}

// Method answers calls. Preparation marks the ones that write nothing and may
// be called while the plugin prepares.
type Method struct {
	Preparation bool
	Do          func(ctx context.Context, c Call) (any, *protocol.Error)
}

// Set holds the methods of each kernel service, by service name.
type Set map[string]map[string]Method

// Deps are what the services stand on.
type Deps struct {
	Home    paths.Home
	Project string // absolute, empty without a project
	// Note takes one line for the host's log; nil drops it.
	Note func(line string)
}

// Kernel returns the services that this host answers itself.
func Kernel(d Deps) Set {
	if d.Note == nil {
		d.Note = func(string) {}
	}
	files := layout{home: d.Home, project: d.Project}
	set := Set{}
	storage{files, newLocks()}.register(set)
	settings{files, d.Note}.register(set)
	updates{}.register(set)
	return set
}

func (s Set) add(name string, m Method) {
	s[name] = map[string]Method{MethodCall: m}
}
