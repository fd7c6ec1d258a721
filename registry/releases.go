package registry

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/wuu-plugins/wuu/internal/httpx"
)

// Release is one published version of a package.
type Release struct {
	Version    string
	Deprecated string // the publisher's words, "" when it is not; may hold anything
}

// Releases lists a package's published versions like [Client.Versions], with
// what the publisher says against them. Offline, and for a packument that is too
// large to be kept, it knows the versions only.
func (c *Client) Releases(ctx context.Context, registry, pkg string) ([]Release, error) {
	if !c.o.Offline {
		p, err := c.packument(ctx, registry, pkg)
		var e *httpx.Error
		switch {
		case err == nil:
			return p.releases(), nil
		case !errors.As(err, &e) || e.Reason != httpx.TooLarge:
			return nil, c.failure(ctx, "npm:"+pkg, err)
		}
	}
	versions, err := c.Versions(ctx, registry, pkg)
	if err != nil {
		return nil, err
	}
	all := make([]Release, len(versions))
	for i, v := range versions {
		all[i].Version = v
	}
	return all, nil
}

func (p *packument) releases() []Release {
	var all []Release
	for _, v := range p.newest() {
		// Some registries write a boolean, and an empty text takes the word back.
		var doc struct{ Deprecated any }
		r := Release{Version: v}
		if json.Unmarshal(p.Versions[v], &doc) == nil {
			r.Deprecated, _ = doc.Deprecated.(string)
			if yes, _ := doc.Deprecated.(bool); yes {
				r.Deprecated = "deprecated"
			}
		}
		all = append(all, r)
	}
	return all
}
