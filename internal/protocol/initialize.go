package protocol

import (
	"fmt"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/lazyregexp"
)

// patterns of reference/wuu-facts.md §3.5 and of the authoring document.
var (
	toolIDPattern   = lazyregexp.New(`^[a-zA-Z0-9_-]{1,64}$`)
	dottedPattern   = lazyregexp.New(`^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$`)
	servicePattern  = lazyregexp.New(`^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)+$`)
	methodPattern   = lazyregexp.New(`^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$`)
	schemaIDPattern = lazyregexp.New(`^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$`)
	versionPattern  = lazyregexp.New(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$`)
	localePattern   = lazyregexp.New(`^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$`)
	sha256Pattern   = lazyregexp.New(`^[0-9a-fA-F]{64}$`)
)

// ValidateInitialize checks what a plugin declared against every rule that
// needs no knowledge of other plugins. The error is a *fault.Error: the first
// of InitializeProblems.
func ValidateInitialize(r InitializeResult) error {
	if all := InitializeProblems(r); len(all) > 0 {
		return all[0]
	}
	return nil
}

// InitializeProblems lists everything that is wrong with r, versions first.
// The subject of each error names the place, for example "tools[2].id".
func InitializeProblems(r InitializeResult) []*fault.Error {
	var c checker
	c.versions(r)
	c.tools(r.Tools)
	c.capabilities(r.Capabilities)
	c.providedServices(r.ProvidedServices)
	c.requiredServices(r.RequiredServices)
	c.hostFeatures(r.RequiredHostFeatures)
	c.modelAdapters(r.ModelAdapters)
	return c.found
}

// NegotiatedVersion is the capability protocol that r speaks: an absent
// protocol_version means the tools-only version 1.
func NegotiatedVersion(r InitializeResult) int {
	if r.ProtocolVersion == 0 {
		return 1
	}
	return r.ProtocolVersion
}

// MissingHostFeatures lists what r requires and supported has not.
func MissingHostFeatures(r InitializeResult, supported []string) []string {
	var missing []string
	for _, f := range r.RequiredHostFeatures {
		if !slices.Contains(supported, f) {
			missing = append(missing, f)
		}
	}
	return missing
}

type checker struct{ found []*fault.Error }

func (c *checker) add(code, at, format string, args ...any) *fault.Error {
	e := fault.New(fault.Plugin, code, at, format, args...)
	c.found = append(c.found, e)
	return e
}

func (c *checker) versions(r InitializeResult) {
	v := NegotiatedVersion(r)
	if v < 1 || v > CapabilityVersion {
		c.add(BadProtocolVersion, "protocol_version", "is %d; this host speaks 1 to %d", r.ProtocolVersion, CapabilityVersion).
			WithHint("return protocol_version: %d, or none for a plugin with tools alone", CapabilityVersion)
	}
	if r.LifecycleVersion != LifecycleVersion {
		was := fmt.Sprintf("is %d", r.LifecycleVersion)
		if r.LifecycleVersion == 0 {
			was = "is missing"
		}
		c.add(BadLifecycleVersion, "lifecycle_version", "%s; this host speaks %d alone", was, LifecycleVersion).
			WithHint("rebuild the plugin against the current @wuu/plugin-sdk, or return lifecycle_version: %d and answer prepare", LifecycleVersion)
	}
	if v < 2 && len(r.Capabilities) > 0 {
		c.needs("capabilities", 2)
	}
	if v < 2 && len(r.ModelAdapters) > 0 {
		c.needs("model_adapters", 2)
	}
	if v < 3 && len(r.ProvidedServices) > 0 {
		c.needs("provided_services", 3)
	}
	if v < 3 && len(r.RequiredServices) > 0 {
		c.needs("required_services", 3)
	}
}

func (c *checker) needs(member string, version int) {
	c.add(BadCapabilityVersion, member, "needs protocol_version %d or later", version).
		WithHint("return protocol_version: %d from initialize; the protocol_version in its params names the transport", CapabilityVersion)
}

func (c *checker) hostFeatures(list []string) {
	for i, f := range list {
		switch {
		case f == "":
			c.add(BadHostFeature, index("required_host_features", i), "is empty")
		case slices.Contains(list[:i], f):
			c.add(BadHostFeature, index("required_host_features", i), "repeats %q", f)
		}
	}
}

func index(member string, i int) string { return fmt.Sprintf("%s[%d]", member, i) }
