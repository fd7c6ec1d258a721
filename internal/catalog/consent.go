package catalog

import (
	"fmt"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// Consent is what the person or the pipeline agreed to.
type Consent struct {
	Yes bool // --yes, or the prompt's answer
	// Shown, when set, is what the prompt displayed: Yes then covers exactly
	// that, and what has changed since is asked again. nil: Yes covers all but
	// what an update can do more.
	Shown          *ConsentNeeded
	Digest         string // --accept-capabilities
	AllowDowngrade bool
}

// The reasons of ConsentNeeded.
const (
	ReasonNew          = "new"          // not installed, or installed but not trusted
	ReasonIdentity     = "identity"     // installed from another or an unrecorded source
	ReasonCapabilities = "capabilities" // same source, can do more
)

// ConsentNeeded is the Details of a consent error.
type ConsentNeeded struct {
	Reason             string                `json:"reason"`
	Origin             Origin                `json:"source"`
	Previous           *Origin               `json:"previous_source,omitempty"`
	Capabilities       manifest.Capabilities `json:"capabilities"`
	Added              []string              `json:"added,omitempty"`
	CapabilitiesDigest string                `json:"capabilities_digest"`
}

// covers tells whether a yes to n is a yes to now as well.
func (n ConsentNeeded) covers(now ConsentNeeded) bool {
	return n.Reason == now.Reason && n.Origin.Identity == now.Origin.Identity &&
		n.CapabilitiesDigest == now.CapabilitiesDigest && strings.Join(n.Added, "\n") == strings.Join(now.Added, "\n") &&
		(n.Previous == nil) == (now.Previous == nil) &&
		(n.Previous == nil || n.Previous.Identity == now.Previous.Identity)
}

// checkConsent applies the consent rules of design/distribution.md, "On disk".
func (t *Tx) checkConsent(old *Record, r Record, given Consent) error {
	need := needed(old, r, t.isUnrecorded(r.ID))
	if need == nil || given.Digest != "" { // a wrong digest is refused before
		return nil
	}
	// What an update can do more is never covered by a yes that was given before
	// anybody could see it.
	blind := given.Shown == nil
	if given.Yes && (blind && need.Reason != ReasonCapabilities || !blind && given.Shown.covers(*need)) {
		return nil
	}
	way := "--yes, or "
	if need.Reason == ReasonCapabilities {
		way = ""
	}
	return fault.New(fault.Consent, "CONSENT_REQUIRED", r.ID, "%s", need.message(r)).
		WithHint("look at it with: wuu plugin inspect %s; then add %s--accept-capabilities=%s", r.Origin.Spec, way, r.CapabilitiesDigest).
		WithDetails(*need)
}

// needed returns nil when r may be put without asking.
func needed(old *Record, r Record, unrecorded bool) *ConsentNeeded {
	n := &ConsentNeeded{Origin: r.Origin, Capabilities: r.Capabilities, CapabilitiesDigest: r.CapabilitiesDigest}
	if old == nil {
		if n.Reason = ReasonNew; unrecorded {
			n.Reason = ReasonIdentity
		}
		return n
	}
	n.Added = r.Capabilities.Added(old.Capabilities)
	if old.Origin.Identity != "" {
		previous := old.Origin
		n.Previous = &previous
	}
	switch {
	case !sameIdentity(old, r):
		n.Reason = ReasonIdentity
	case !old.Trusted:
		n.Reason = ReasonNew
	case len(n.Added) > 0:
		n.Reason = ReasonCapabilities
	default:
		return nil
	}
	return n
}

func (n ConsentNeeded) message(r Record) string {
	switch {
	case n.Reason == ReasonNew:
		return "is not trusted yet"
	case n.Reason == ReasonCapabilities:
		return "version " + r.Version + " can also: " + strings.Join(n.Added, ", ")
	case n.Previous == nil:
		return "is installed from a source that was not recorded"
	}
	return fmt.Sprintf("comes from another source: %s, but %s is installed", n.Origin.Identity, n.Previous.Identity)
}

// isUnrecorded tells whether a folder stands where id would go that no record
// is about.
func (t *Tx) isUnrecorded(id string) bool {
	there, err := fsx.Exists(t.c.home.Plugin(id))
	return (there || err != nil) && find(t.base.Plugins, id) == nil
}

func wrongDigest(id, got, want string) error {
	return fault.New(fault.Consent, "CONSENT_DIGEST", id, "the capabilities are not the accepted ones: accepted %s, found %s", got, want).
		WithHint("look at what changed with: wuu plugin inspect, and pass the new capabilities_digest")
}
