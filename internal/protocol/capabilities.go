package protocol

import (
	"encoding/json"
	"slices"
	"strings"
)

// capabilityRule is what one capability id allows.
type capabilityRule struct {
	kind       string
	maxVersion int
	policy     string // the only error policy allowed; "" for any that fits the kind
}

// capabilityRuleFor knows the ids of the authoring document's capability
// tables and of reference/wuu-facts.md §3.5.
func capabilityRuleFor(id string) (capabilityRule, bool) {
	switch id {
	case "agent.request.transform", "agent.pre_step", "agent.system_prompt.section", "model.request.transform":
		return capabilityRule{kind: "transform", maxVersion: 1}, true
	case "agent.compaction":
		return capabilityRule{kind: "decision", maxVersion: 3}, true
	case "agent.step.policy", "plugin.client.request":
		return capabilityRule{kind: "decision", maxVersion: 1}, true
	case "model.middleware", "model.adapter":
		return capabilityRule{kind: "decision", maxVersion: 1, policy: "propagate"}, true
	case "agent.turn.completed", "agent.turn.lifecycle", "agent.turn.interrupted", "model.request.observe", "model.request.metrics":
		return capabilityRule{kind: "observe", maxVersion: 1}, true
	}
	return capabilityRule{}, false
}

// hostOnly reports whether id names a decision that stays with the host.
func hostOnly(id string) bool {
	switch id {
	case "host.plugin.install", "host.plugin.approval", "host.plugin.enable", "host.plugin.disable", "host.plugin.upgrade",
		"host.plugin.delete", "host.safe_mode", "host.crash_recovery", "host.permission.final", "host.window.lifecycle",
		"host.appserver.lifecycle", "host.generation.isolate", "host.escape.settings", "host.escape.default_ui":
		return true
	}
	return false
}

// EffectiveErrorPolicy is the declared policy, else isolate for observers of
// agent turns and propagate for everything else.
func EffectiveErrorPolicy(c Capability) string {
	switch {
	case c.ErrorPolicy != "":
		return c.ErrorPolicy
	case strings.HasPrefix(c.ID, "agent.turn."), c.Kind == "observe":
		return "isolate"
	}
	return "propagate"
}

func (c *checker) capabilities(list []Capability) {
	seen := map[string]int{}
	for i, d := range list {
		at := index("capabilities", i)
		if first, dup := seen[d.ID]; dup {
			c.add(BadCapability, at+".id", "repeats %q of capabilities[%d]", d.ID, first)
			continue
		}
		seen[d.ID] = i
		c.capability(at, d)
		c.relations(at, d)
	}
}

func (c *checker) capability(at string, d Capability) {
	rule, known := capabilityRuleFor(d.ID)
	switch {
	case hostOnly(d.ID):
		c.add(BadCapability, at+".id", "%s belongs to the host alone", d.ID)
		return
	case !known:
		c.add(BadCapability, at+".id", "%q is no capability that this host knows", d.ID)
		return
	}
	if d.Kind != rule.kind {
		c.add(BadCapability, at+".kind", "is %q; %s is of kind %s", d.Kind, d.ID, rule.kind)
	}
	if d.Version < 1 || d.Version > rule.maxVersion {
		c.add(BadCapability, at+".version", "is %d; %s has versions 1 to %d", d.Version, d.ID, rule.maxVersion)
	}
	switch d.ErrorPolicy {
	case "", "isolate":
	case "propagate":
		if rule.kind == "observe" {
			c.add(BadCapability, at+".error_policy", "is propagate; an observer may not propagate errors")
		}
	case "ignore":
		if rule.kind != "observe" {
			c.add(BadCapability, at+".error_policy", "is ignore; only an observer may ignore errors")
		}
	default:
		c.add(BadCapability, at+".error_policy", "is %q; known are propagate, isolate and ignore", d.ErrorPolicy)
	}
	if rule.policy != "" && d.ErrorPolicy != "" && d.ErrorPolicy != rule.policy {
		c.add(BadCapability, at+".error_policy", "is %s; %s needs %s", d.ErrorPolicy, d.ID, rule.policy)
	}
}

func (c *checker) relations(at string, d Capability) {
	for _, l := range []struct {
		name string
		ids  []string
	}{{"depends_on", d.DependsOn}, {"conflicts", d.Conflicts}} {
		for i, id := range l.ids {
			place := index(at+"."+l.name, i)
			switch {
			case !dottedPattern().MatchString(id):
				c.add(BadCapability, place, "is %q, which is no capability id", id)
			case id == d.ID:
				c.add(BadCapability, place, "names the capability itself")
			case slices.Contains(l.ids[:i], id):
				c.add(BadCapability, place, "repeats %q", id)
			}
		}
	}
	for i, id := range d.Conflicts {
		if slices.Contains(d.DependsOn, id) {
			c.add(BadCapability, index(at+".conflicts", i), "%q stands in depends_on too", id)
		}
	}
}

func (c *checker) modelAdapters(list []json.RawMessage) {
	seen := map[string]bool{}
	for i, raw := range list {
		at := index("model_adapters", i)
		var a struct {
			ID      string `json:"id"`
			Version int    `json:"version"`
			Mode    string `json:"mode"`
		}
		if err := json.Unmarshal(raw, &a); err != nil {
			c.add(BadModelAdapter, at, "has the wrong shape: %w", err)
			continue
		}
		switch {
		case len(a.ID) > 160 || !dottedPattern().MatchString(a.ID):
			c.add(BadModelAdapter, at+".id", "is %q; an id has at least two parts of [a-z0-9_-] and 160 characters at most", a.ID)
		case seen[a.ID]:
			c.add(BadModelAdapter, at+".id", "repeats %q", a.ID)
		case a.Version != 1:
			c.add(BadModelAdapter, at+".version", "is %d; this host knows 1", a.Version)
		case a.Mode != "" && a.Mode != "direct" && a.Mode != "delegate":
			c.add(BadModelAdapter, at+".mode", "is %q; known are direct and delegate", a.Mode)
		}
		seen[a.ID] = true
	}
}
