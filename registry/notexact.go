package registry

import (
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
	return e.WithHint("write an exact version, such as npm:%s@1.2.3", cause.Package)
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
	versions, fit, lookup := c.exactVersions(ctx, cause)
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
	specs := make([]string, len(versions))
	for i, v := range versions {
		specs[i] = "npm:" + cause.Package + "@" + v
	}
	e.Details = Suggestions{cause.Package, cause.Wanted, specs}
	list := strings.Join(specs, ", ")
	switch {
	case len(specs) == 0:
		e.Hint = "the package has no version"
	case !fit:
		e.Hint = "none fits; the newest are " + list
	case len(specs) == 1:
		e.Hint = "use " + list
	default:
		e.Hint = "use one of the newest that fit: " + list
	}
	return &e
}

// exactVersions finds versions for what was wanted; fit is false when nothing
// fits and they are just the newest ones.
func (c *Client) exactVersions(ctx context.Context, want *NotExactError) (versions []string, fit bool, err error) {
	if v, err := npmver.Clean(want.Wanted); err == nil {
		return []string{v.String()}, true, nil // "v1.2.3": no need to ask
	}
	wanted, rangeErr := npmver.ParseRange(want.Wanted)
	tag := want.Wanted
	if tag == "" {
		tag = "latest"
	}
	if (want.Wanted == "" || rangeErr != nil) && !c.o.Offline {
		// The document of a tag is small, also where the packument is too large.
		v, err := c.tagged(ctx, want.Registry, want.Package, tag)
		if err == nil {
			return []string{v}, true, nil
		}
		if !noSuchDocument(err) {
			return nil, false, c.failure(ctx, "npm:"+want.Package, err)
		}
	}
	all, err := c.Versions(ctx, want.Registry, want.Package)
	if err != nil {
		return nil, false, err
	}
	if len(all) == 0 && c.o.Offline {
		return nil, false, errors.New("offline, and none is in the content store")
	}
	if rangeErr == nil {
		if found := npmver.Newest(all, wanted, suggested); len(found) > 0 {
			return found, true, nil
		}
	}
	return slices.Clip(all[:min(len(all), suggested)]), false, nil
}
