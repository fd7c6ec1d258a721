package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
)

// NotExactError is the cause of a SOURCE_NOT_EXACT error.
type NotExactError struct {
	Registry string // origin
	Package  string // "" for a git or web address
	Wanted   string // the range or tag, "" when there was none
}

// Error says what stands where an exact version is needed.
func (e *NotExactError) Error() string {
	switch {
	case e.Package == "":
		return "git and web addresses are no sources"
	case e.Wanted == "":
		return "no version is given, and none is implied"
	}
	if _, ok := builtFrom(e.Wanted); ok {
		return fmt.Sprintf("%q has build metadata, which npm registries drop when a package is published", e.Wanted)
	}
	if _, err := npmver.ParseRange(e.Wanted); err == nil {
		return fmt.Sprintf("%q is a range; wuu takes exact versions only", e.Wanted)
	}
	return fmt.Sprintf("%q is not an exact version; wuu takes no tags", e.Wanted)
}

// Suggestions are the details of a SOURCE_NOT_EXACT error after SuggestExact.
type Suggestions struct {
	Package string   `json:"package"`
	Wanted  string   `json:"wanted"`
	Specs   []string `json:"specs"` // ready to paste, newest first
}

func notExact(spec string, cause *NotExactError) *Error {
	e := &Error{Kind: fault.Usage, Code: "SOURCE_NOT_EXACT", Subject: spec, Err: cause}
	if cause.Package == "" {
		if path, ok := cutScheme(spec, "file"); ok {
			return e.WithHint("write the path alone: ./%s", strings.TrimLeft(path, "/."))
		}
		return e.WithHint("download the archive and install the file, or use npm:<name>@<exact version>")
	}
	if bare, ok := builtFrom(cause.Wanted); ok {
		return e.WithHint("use npm:%s@%s", cause.Package, bare)
	}
	return e.WithHint("write an exact version, such as npm:%s@1.2.3", cause.Package)
}

// builtFrom returns the version as a registry knows it, when build metadata
// stands behind it.
func builtFrom(wanted string) (bare string, ok bool) {
	v, err := npmver.Parse(wanted)
	if err != nil {
		return "", false
	}
	return v.WithoutBuild(), v.WithoutBuild() != wanted
}

// suggested is how many versions a suggestion names at most.
const suggested = 3

// SuggestExact adds the newest exact versions that fit to a SOURCE_NOT_EXACT
// error of ParseSource. It stays an error of kind Usage, also when the registry
// cannot be reached; any other error is returned as it is. Only the end of ctx
// gives another one.
func (c *Client) SuggestExact(ctx context.Context, err error) error {
	var cause *NotExactError
	if !errors.As(err, &cause) || cause.Package == "" {
		return err
	}
	e := *fault.As(err)
	found, lookup := c.exactVersions(ctx, cause)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if lookup != nil {
		e.Hint += "; the versions that exist cannot be named now: " + lookup.Error()
		if f := fault.As(lookup); f.Code == "REGISTRY_NOT_FOUND" {
			e.Hint = fmt.Sprintf("there is no package %s on %s", cause.Package, cause.Registry)
		}
		return &e
	}
	specs := make([]string, len(found.versions))
	for i, v := range found.versions {
		specs[i] = "npm:" + cause.Package + "@" + v
	}
	e.Details = Suggestions{cause.Package, cause.Wanted, specs}
	list := strings.Join(specs, ", ")
	switch {
	case len(specs) == 0:
		e.Hint = "the package has no version"
	case !found.fit:
		e.Hint = "none fits; the newest are " + list
		if len(found.tags) > 0 {
			e.Hint += "; the tags are " + strings.Join(found.tags, ", ")
		}
	case len(specs) == 1:
		e.Hint = "use " + list
	default:
		e.Hint = "use one of the newest that fit: " + list
	}
	return &e
}

// suggestion is what exists for what was wanted.
type suggestion struct {
	versions []string // highest first
	fit      bool     // false: nothing fits, and they are just the newest ones
	tags     []string // the first of the tags there are, when a tag was wanted that is none
}

// exactVersions finds versions for what was wanted.
func (c *Client) exactVersions(ctx context.Context, want *NotExactError) (suggestion, error) {
	if v, err := npmver.Clean(want.Wanted); err == nil {
		return suggestion{versions: []string{v.WithoutBuild()}, fit: true}, nil // "v1.2.3": no need to ask
	}
	wanted, rangeErr := npmver.ParseRange(want.Wanted)
	if (want.Wanted == "" || rangeErr != nil) && !c.o.Offline {
		// The document of a tag is small, also where the packument is not.
		v, err := c.tagged(ctx, want.Registry, want.Package, cmp.Or(want.Wanted, "latest"))
		if err == nil {
			return suggestion{versions: []string{v}, fit: true}, nil
		}
		if !noSuchDocument(err) {
			return suggestion{}, c.failure(ctx, "npm:"+want.Package, err)
		}
	}
	if c.o.Offline {
		all := c.store.versions(want.Registry, want.Package)
		if len(all) == 0 {
			return suggestion{}, errors.New("offline, and none is in the content store")
		}
		return choose(&versionList{versions: all}, want.Wanted, wanted, rangeErr == nil), nil
	}
	l, err := c.list(ctx, want.Registry, want.Package)
	if err != nil {
		return suggestion{}, c.failure(ctx, "npm:"+want.Package, err)
	}
	return choose(l, want.Wanted, wanted, rangeErr == nil), nil
}

// choose picks from a list. A registry without documents of tags has the tag in it.
func choose(l *versionList, text string, wanted npmver.Range, isRange bool) suggestion {
	if v, ok := l.tags[cmp.Or(text, "latest")]; ok && (text == "" || !isRange) {
		return suggestion{versions: []string{v}, fit: true}
	}
	if isRange {
		if found := npmver.Newest(l.versions, wanted, suggested); len(found) > 0 {
			return suggestion{versions: found, fit: true}
		}
	}
	s := suggestion{versions: slices.Clip(l.versions[:min(len(l.versions), suggested)])}
	if !isRange {
		s.tags = l.tagNames()
		s.tags = s.tags[:min(len(s.tags), 10)]
	}
	return s
}
