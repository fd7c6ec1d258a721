package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// Names of the settings services.
const (
	NameSettingsGet  = "host.settings.get"
	NameSettingsList = "host.settings.list"
)

// When a changed setting reaches a plugin (contributes.settings.*.apply).
// An absent value is live.
const (
	ApplyNextOperation = "next-operation"
	ApplyRestart       = "restart"
)

const secretType = "secret"

// settings answers host.settings.*: manifest defaults below the saved
// documents, seen through the pins of the process and of the execution.
type settings struct {
	files layout
	note  func(string)
}

func (s settings) register(set Set) {
	set.add(NameSettingsGet, Method{Preparation: true, Do: s.get})
	set.add(NameSettingsList, Method{Preparation: true, Do: s.list})
}

// PinRestart fixes c's restart settings at what is saved now; the host calls
// it before it prepares a process.
func PinRestart(d Deps, c *Caller) *protocol.Error {
	s := settings{layout{d.Home, d.Project}, d.Note}
	if s.note == nil {
		s.note = func(string) {}
	}
	saved, perr := s.saved(c)
	if perr != nil {
		return perr
	}
	c.Restart.fix(only(c.Settings, saved.current, ApplyRestart))
	return nil
}

func (s settings) get(_ context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, []string{"key"}, nil)
	if perr != nil {
		return nil, perr
	}
	k, perr := p.text("key")
	if perr != nil {
		return nil, perr
	}
	if k == "" || strings.ContainsAny(k, `/\`) || strings.Contains(k, "..") {
		return nil, invalid("key must be the local name of a declared setting")
	}
	if _, ok := c.Caller.Settings[k]; !ok {
		return nil, Errorf(CodeSettingNotOwned, "the manifest declares no setting %q", short(k))
	}
	saved, perr := s.saved(c.Caller)
	if perr != nil {
		return nil, perr
	}
	return map[string]any{"value": pinned(c, saved)[k]}, nil
}

func (s settings) list(_ context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, nil, []string{"scope"})
	if perr != nil {
		return nil, perr
	}
	scope, perr := p.text("scope")
	if perr != nil {
		return nil, perr
	}
	if _, given := p["scope"]; given && scope != ScopeUser && scope != ScopeWorkspace {
		return nil, invalid("scope must be %q or %q", ScopeUser, ScopeWorkspace)
	}
	saved, perr := s.saved(c.Caller)
	if perr != nil {
		return nil, perr
	}
	return answerList(c, saved, scope), nil
}

// listAnswer is the result of host.settings.list. Revisions are content
// tokens: they compare for equality and have no order.
type listAnswer struct {
	Entries         map[string]json.RawMessage `json:"entries"`
	Revision        string                     `json:"revision"`
	ScopeRevisions  map[string]string          `json:"scope_revisions"`
	RestartRequired []string                   `json:"restart_required"`
}

func answerList(c Call, saved savedSettings, only string) listAnswer {
	values := pinned(c, saved)
	a := listAnswer{
		Entries:         map[string]json.RawMessage{},
		ScopeRevisions:  map[string]string{},
		RestartRequired: []string{},
	}
	public := map[string]json.RawMessage{} // without secrets
	stored := map[string]map[string]json.RawMessage{}
	for _, scope := range []string{ScopeUser, ScopeWorkspace} {
		if only == "" || only == scope {
			stored[scope] = map[string]json.RawMessage{}
		}
	}
	for k, d := range c.Caller.Settings {
		in, asked := stored[scopeOf(d)]
		if !asked {
			continue
		}
		a.Entries[k] = values[k]
		if d.Type == secretType {
			continue
		}
		public[k] = values[k]
		if v, ok := saved.stored[k]; ok {
			in[k] = v
		}
		if d.Apply == ApplyRestart && string(values[k]) != string(saved.current[k]) {
			a.RestartRequired = append(a.RestartRequired, k)
		}
	}
	slices.Sort(a.RestartRequired)
	a.Revision = revision(public)
	for scope, in := range stored {
		a.ScopeRevisions[scope] = revision(in)
	}
	return a
}

// savedSettings is one reading of the documents.
type savedSettings struct {
	stored  map[string]json.RawMessage // by local key, only what is saved and fits
	current map[string]json.RawMessage // stored or default, every declared key
}

// saved reads each scope's document once. A saved value that does not fit its
// declaration (any more) counts as not saved, and the log says so.
func (s settings) saved(c *Caller) (savedSettings, *protocol.Error) {
	out := savedSettings{map[string]json.RawMessage{}, map[string]json.RawMessage{}}
	documents := map[string]map[string]json.RawMessage{}
	for k, d := range c.Settings {
		if d.Type == secretType {
			out.current[k] = json.RawMessage(`""`)
			continue
		}
		out.current[k] = d.Default
		scope := scopeOf(d)
		doc, read := documents[scope]
		if !read {
			var perr *protocol.Error
			if doc, perr = s.document(c, scope); perr != nil {
				return out, perr
			}
			documents[scope] = doc
		}
		v, ok := doc[c.PluginID+"."+k]
		if !ok {
			continue
		}
		v, err := fit(d, v)
		if err != nil {
			s.note(fmt.Sprintf("setting %s.%s: saved value ignored: %v", c.PluginID, k, err))
			continue
		}
		out.stored[k], out.current[k] = v, v
	}
	return out, nil
}

func (s settings) document(c *Caller, scope string) (map[string]json.RawMessage, *protocol.Error) {
	if scope == ScopeWorkspace && s.files.project == "" {
		return nil, nil // defaults only
	}
	dir, perr := s.files.settings(scope)
	if perr != nil {
		return nil, perr
	}
	return readSettings(filepath.Join(dir, DocumentName(c.Subject)), c.Subject)
}

// pinned is what c may see of saved: restart settings as fixed for the
// process, next-operation settings as fixed at the execution's first read.
func pinned(c Call, saved savedSettings) map[string]json.RawMessage {
	values := make(map[string]json.RawMessage, len(saved.current))
	for k, v := range saved.current {
		values[k] = v
	}
	layers := []map[string]json.RawMessage{
		c.Caller.Restart.fix(only(c.Caller.Settings, saved.current, ApplyRestart)),
	}
	if c.Execution != nil {
		layers = append(layers, c.Execution.Pins().fix(only(c.Caller.Settings, saved.current, ApplyNextOperation)))
	}
	for _, layer := range layers {
		for k, v := range layer {
			values[k] = v
		}
	}
	return values
}

// only picks the values of the settings with that apply mode.
func only(declared map[string]manifest.Setting, values map[string]json.RawMessage, apply string) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for k, d := range declared {
		if d.Apply == apply && d.Type != secretType {
			out[k] = values[k]
		}
	}
	return out
}

func scopeOf(d manifest.Setting) string {
	if d.Scope == ScopeWorkspace {
		return ScopeWorkspace
	}
	return ScopeUser
}

// revision is a content token of values.
func revision(values map[string]json.RawMessage) string {
	b, err := json.Marshal(values) // sorted by key
	if err != nil {
		panic(err) // every value was parsed before
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}
