package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// candidate is one selected package on its way into a generation.
type candidate struct {
	rec      catalog.Record
	manifest *manifest.Manifest // nil when blocked says that it was not read
	dir      string             // the snapshot the package runs from
	// blocked says why the package does not run; root is the plugin whose
	// condition is the first cause.
	blocked *Failure
	root    string
	failed  bool     // blocked is a fault of the package, not a condition around it
	needs   []string // ids of the providers that start before it; no circles
	// standalone marks a dev plugin that overrides no installed one: its
	// storage is its own.
	standalone bool
}

func (c *candidate) id() string     { return c.rec.ID }
func (c *candidate) runnable() bool { return c.blocked == nil }

func (c *candidate) block(root string, f *Failure) {
	if c.blocked == nil {
		c.blocked, c.root = f, root
	}
}

// plan decides what of a state can run, and in which order: providers before
// consumers, ties by id (design/host.md, "Generations").
type plan struct {
	all   []*candidate // every selected package, by id
	order []*candidate // the runnable ones
	notes []string     // skipped optional edges, conflicts
}

// world is what a plan depends on besides the packages.
type world struct {
	platform string // GOOS
	version  string // of wuu, without a development suffix
}

// makePlan blocks every candidate that cannot run and orders the others.
func makePlan(all []*candidate, w world) *plan {
	slices.SortFunc(all, func(a, b *candidate) int { return cmp.Compare(a.id(), b.id()) })
	p := &plan{all: all}
	by := map[string]*candidate{}
	for _, c := range all {
		by[c.id()] = c
		blockAlone(c, w)
	}
	p.relations(by, w)
	for p.blockConsumers(by, w) {
	}
	p.blockCycles(by)
	for p.blockConsumers(by, w) {
	}
	p.sort(by)
	return p
}

// policy blocks a package that is not meant to run at all: such a package is
// not even read.
func policy(c *candidate) {
	switch rec := c.rec; {
	case rec.Broken != "":
		c.failed = true
		c.block(c.id(), failure(CodeBroken, c.id(), "%s", rec.Broken).hint("install the package again"))
	case !rec.Enabled():
		f := failure(CodeDisabled, c.id(), "is disabled")
		f.Kind = fault.Done
		c.block(c.id(), f.hint("wuu plugin enable "+c.id()))
	case !rec.Trusted && !rec.Dev:
		f := failure(CodeUntrusted, c.id(), "is not trusted")
		f.Kind = fault.Consent
		c.block(c.id(), f.hint("wuu plugin trust "+c.id()))
	}
}

// blockAlone applies the conditions that need no other package.
func blockAlone(c *candidate, w world) {
	if c.runnable() {
		policy(c)
	}
	if !c.runnable() {
		return
	}
	platforms := c.manifest.Platforms
	if len(platforms) > 0 && !slices.ContainsFunc(platforms, func(p string) bool { return strings.EqualFold(p, w.platform) }) {
		c.block(c.id(), failure(CodePlatform, c.id(), "runs on %s, not on %s", strings.Join(platforms, ", "), w.platform))
	}
	if least := c.manifest.MinimumWuuVersion; least != "" && !atLeast(w.version, least) {
		c.block(c.id(), failure(CodeWuuTooOld, c.id(), "needs wuu %s; this is %s", least, w.version))
	}
}

// relations applies breaks, and notes conflicts. A package that says it
// breaks an available one gives way itself: the other may not even know.
func (p *plan) relations(by map[string]*candidate, w world) {
	for _, c := range p.all {
		if !c.runnable() {
			continue
		}
		for _, id := range c.manifest.Breaks {
			if other := by[id]; other != nil && other.runnable() {
				c.failed = true
				c.block(id, failure(CodeBreaks, c.id(), "says that it breaks %s, which is active", id).
					hint("disable one of the two"))
			}
		}
		for _, id := range c.manifest.Conflicts {
			if other := by[id]; other != nil && other.runnable() {
				p.notes = append(p.notes, c.id()+" and "+id+" are declared to conflict")
			}
		}
	}
}

// blockConsumers blocks the runnable packages whose required dependency
// cannot run, and says whether it found any: blocking one may block others.
func (p *plan) blockConsumers(by map[string]*candidate, w world) bool {
	found := false
	for _, c := range p.all {
		if !c.runnable() {
			continue
		}
		for _, d := range required(c.manifest) {
			other := by[d.ID]
			switch {
			case other == nil:
				c.block(d.ID, failure(CodeMissing, c.id(), "needs %s, which is not installed", d.ID))
			case !other.runnable():
				c.block(other.root, failure(CodeInactive, c.id(), "needs %s, and %s %s", d.ID, d.ID, reason(other)))
			case !d.Allows(other.rec.Version):
				c.block(d.ID, failure(CodeDependencyVersion, c.id(), "needs %s %s; version %q is installed", d.ID, d.Version, other.rec.Version))
			}
		}
		found = found || !c.runnable()
	}
	return found
}

// reason is the tail of a chain: "is disabled", "needs x, which …".
func reason(c *candidate) string { return c.blocked.Message }

// required lists the dependencies that a package cannot run without.
func required(m *manifest.Manifest) []manifest.Dependency {
	var out []manifest.Dependency
	named := map[string]bool{}
	for _, d := range m.Dependencies {
		if !d.Optional && !named[d.ID] {
			named[d.ID] = true
			out = append(out, d)
		}
	}
	for _, id := range m.Requires {
		if !named[id] {
			named[id] = true
			out = append(out, manifest.Dependency{ID: id})
		}
	}
	return out
}
