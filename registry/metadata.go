package registry

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/internal/sri"
)

// Both are what npm's own client asks for.
const (
	acceptDocument  = "application/json"
	acceptPackument = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*"
)

// versionDocument is what wuu needs of one version's metadata.
type versionDocument struct {
	Name, Version string
	Deprecated    any // text; some registries write a boolean
	Dist          struct {
		Tarball, Integrity, Shasum string
		Signatures                 json.RawMessage
	}
}

// packument is what wuu needs of a package's metadata, in npm's short or long form.
type packument struct {
	Name     string
	Versions map[string]json.RawMessage
}

// release is one version after every check of its metadata.
type release struct {
	tarball    string
	integrity  sri.Integrity // sha512 first; the old shasum is in it too
	stated     string        // dist.integrity to the letter
	signatures json.RawMessage
	deprecated string
}

// getJSON fetches and decodes one metadata document.
func (c *Client) getJSON(ctx context.Context, registry, path, accept string, doc any) error {
	within, err := origin.Parse(registry, c.o.InsecureLoopback)
	if err != nil {
		return &httpx.Error{URL: registry, Reason: httpx.BadURL, Err: err}
	}
	r := httpx.Request{URL: registry + path, Within: within, Accept: accept, Limit: MaxMetadata}
	body, err := c.http.Get(ctx, r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, doc); err != nil {
		return &httpx.Error{URL: r.URL, Reason: httpx.WrongContent, Status: http.StatusOK, Body: httpx.Sniff(body, int64(len(body))), Err: err}
	}
	return nil
}

// packagePath is the path of a packument; the slash of a scope is escaped.
func packagePath(name string) string { return "/" + url.PathEscape(name) }

// resolve finds the metadata of an exact version: the small version document,
// else the packument.
func (c *Client) resolve(ctx context.Context, s Source) (*release, error) {
	var doc versionDocument
	err := c.getJSON(ctx, s.Registry, packagePath(s.Package)+"/"+url.PathEscape(s.Version), acceptDocument, &doc)
	if noSuchDocument(err) {
		err = c.fromPackument(ctx, s, &doc)
	}
	if err != nil {
		return nil, err
	}
	return c.checkDocument(s, &doc)
}

// noSuchDocument says that the registry has no document at that path, or does
// not know such paths.
func noSuchDocument(err error) bool {
	var e *httpx.Error
	if !errors.As(err, &e) || e.Reason != httpx.BadStatus {
		return false
	}
	switch e.Status {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusNotImplemented:
		return true
	}
	return false
}

func (c *Client) fromPackument(ctx context.Context, s Source, doc *versionDocument) error {
	p, err := c.packument(ctx, s.Registry, s.Package)
	var e *httpx.Error
	if errors.As(err, &e) && e.Reason == httpx.TooLarge {
		// The names can be read all the same: perhaps there is no such version.
		if l, lerr := c.list(ctx, s.Registry, s.Package); lerr == nil && !slices.Contains(l.versions, s.Version) {
			return noVersion(s, l.versions)
		}
	}
	if err != nil {
		return err
	}
	raw, ok := p.Versions[s.Version]
	if !ok {
		return noVersion(s, p.newest())
	}
	if err := json.Unmarshal(raw, doc); err != nil {
		return badMetadata(s, "the metadata of the version: %w", err)
	}
	return nil
}

// noVersion names versions that exist, those closest to the wanted one first.
func noVersion(s Source, all []string) error {
	e := fault.New(fault.Network, "REGISTRY_NOT_FOUND", s.Spec, "version %s does not exist on %s", s.Version, s.Registry)
	near := all
	if r, err := npmver.ParseRange("^" + s.Version); err == nil {
		if fit := npmver.Newest(all, r, suggested); len(fit) > 0 {
			near = fit
		}
	}
	near = near[:min(len(near), suggested)]
	if len(near) == 0 {
		return e.WithHint("the package has no version there")
	}
	specs := make([]string, len(near))
	for i, v := range near {
		specs[i] = "npm:" + s.Package + "@" + v
	}
	return e.WithHint("there is %s", strings.Join(specs, ", ")).WithDetails(Suggestions{s.Package, s.Version, specs})
}

func (c *Client) packument(ctx context.Context, registry, name string) (*packument, error) {
	var p packument
	err := eitherForm(func(accept string) error { return c.getJSON(ctx, registry, packagePath(name), accept, &p) })
	if err != nil {
		return nil, err
	}
	if p.Name != name {
		return nil, fault.New(fault.Refused, "METADATA_MISMATCH", "npm:"+name, "%s answered with the package %q", registry, p.Name)
	}
	return &p, nil
}

// newest lists the versions, highest first.
func (p *packument) newest() []string {
	all := make([]string, 0, len(p.Versions))
	for v := range p.Versions {
		all = append(all, v)
	}
	return npmver.SortNewest(all)
}

// tagged asks which version a dist-tag names.
func (c *Client) tagged(ctx context.Context, registry, name, tag string) (string, error) {
	var doc versionDocument
	if err := c.getJSON(ctx, registry, packagePath(name)+"/"+url.PathEscape(tag), acceptDocument, &doc); err != nil {
		return "", err
	}
	if _, err := npmver.Parse(doc.Version); err != nil || doc.Name != name {
		return "", fault.New(fault.Refused, "METADATA_MISMATCH", "npm:"+name, "%s answered with the metadata of %q %q", registry, doc.Name, doc.Version)
	}
	return doc.Version, nil
}

// Versions lists a package's published versions, newest first, deprecated and
// prerelease ones included. Offline, it lists those in the content store.
func (c *Client) Versions(ctx context.Context, registry, pkg string) ([]string, error) {
	if c.o.Offline {
		return c.store.versions(registry, pkg), nil
	}
	l, err := c.list(ctx, registry, pkg)
	if err != nil {
		return nil, c.failure(ctx, "npm:"+pkg, err)
	}
	return l.versions, nil
}

// checkDocument applies the rules to a version's metadata.
func (c *Client) checkDocument(s Source, doc *versionDocument) (*release, error) {
	if doc.Name != s.Package || doc.Version != s.Version {
		return nil, fault.New(fault.Refused, "METADATA_MISMATCH", s.Spec, "%s answered with the metadata of %q %q", s.Registry, doc.Name, doc.Version)
	}
	if err := c.checkTarballURL(s, doc.Dist.Tarball); err != nil {
		return nil, err
	}
	integrity, err := sri.ParseSHA512(doc.Dist.Integrity)
	if err != nil {
		return nil, fault.New(fault.Refused, "INTEGRITY_MISSING", s.Spec, "%s states no usable sha512 for it: dist.integrity %w", s.Registry, err).
			WithHint("the package was published long ago or by an old tool; ask for a new version of it")
	}
	if doc.Dist.Shasum != "" {
		sum, err := hex.DecodeString(doc.Dist.Shasum)
		if err != nil || len(sum) != sri.SHA1.Size() {
			return nil, badMetadata(s, "dist.shasum %q is not a SHA-1", doc.Dist.Shasum)
		}
		weak := sri.Hash{Algorithm: sri.SHA1, Digest: string(sum)}
		if last := integrity[len(integrity)-1]; last.Algorithm == sri.SHA1 && !integrity.Has(weak) {
			return nil, badMetadata(s, "dist.shasum and dist.integrity state different SHA-1 hashes")
		}
		if !integrity.Has(weak) {
			integrity = append(integrity, weak)
		}
	}
	deprecated, _ := doc.Deprecated.(string)
	return &release{doc.Dist.Tarball, integrity, doc.Dist.Integrity, doc.Dist.Signatures, deprecated}, nil
}

// checkTarballURL keeps the download on the registry's origin.
func (c *Client) checkTarballURL(s Source, raw string) error {
	at, err := origin.Parse(s.Registry, c.o.InsecureLoopback)
	if err != nil {
		return fault.New(fault.Usage, "REGISTRY_INVALID", s.Registry, "%w", err)
	}
	u, err := origin.CheckURL(raw, c.o.InsecureLoopback)
	if err == nil && at.Contains(u) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("the registry is %s", at)
	}
	return fault.New(fault.Refused, "TARBALL_ORIGIN", s.Spec, "its tarball is at %q: %w", raw, err).
		WithHint("wuu downloads from the registry's own origin only; its operator may have set a wrong public URL")
}

func badMetadata(s Source, format string, args ...any) *Error {
	return fault.New(fault.Network, "REGISTRY_METADATA", s.Spec, format, args...)
}
