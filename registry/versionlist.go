package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/origin"
)

// MaxListing is how many bytes of a packument are read for the names of its
// versions, unpacked. It is larger than MaxMetadata, since nothing of it is
// kept or believed but names: they are suggestions, and a version that is
// fetched is resolved by a document of its own.
const MaxListing = 64 << 20

// The most names that are kept.
const (
	maxListed = 50_000
	maxTags   = 1_000
)

// versionList is what a packument lists.
type versionList struct {
	name     string
	tags     map[string]string // dist-tag to version
	versions []string          // highest first
}

// tagNames lists the tags, in order.
func (l *versionList) tagNames() []string { return slices.Sorted(maps.Keys(l.tags)) }

// readVersionList reads the names in a packument while it arrives; only they
// are kept in memory.
func readVersionList(r io.Reader) (*versionList, error) {
	s := newJSONScanner(r)
	l := &versionList{tags: map[string]string{}}
	err := s.object(func(key string) (err error) {
		switch key {
		case "name":
			l.name, err = s.value()
		case "dist-tags":
			err = l.readTags(s)
		case "versions":
			err = l.readVersions(s)
		default:
			err = s.skip()
		}
		return err
	})
	if err == nil {
		err = s.finish()
	}
	if err != nil {
		return nil, err
	}
	slices.Sort(l.versions)
	l.versions = npmver.SortNewest(slices.Compact(l.versions))
	return l, nil
}

func (l *versionList) readTags(s *jsonScanner) error {
	clear(l.tags)
	return s.object(func(tag string) error {
		version, err := s.value()
		if err != nil {
			return err
		}
		if _, bad := npmver.Parse(version); bad == nil {
			l.tags[tag] = version
		}
		if len(l.tags) > maxTags {
			return fmt.Errorf("it has more than %d tags", maxTags)
		}
		return nil
	})
}

func (l *versionList) readVersions(s *jsonScanner) error {
	l.versions = nil
	return s.object(func(version string) error {
		if len(l.versions) == maxListed {
			return fmt.Errorf("it has more than %d versions", maxListed)
		}
		l.versions = append(l.versions, version)
		return s.skip()
	})
}

// list asks for the names of a package's versions and tags.
func (c *Client) list(ctx context.Context, registry, name string) (*versionList, error) {
	within, err := origin.Parse(registry, c.o.InsecureLoopback)
	if err != nil {
		return nil, &httpx.Error{URL: registry, Reason: httpx.BadURL, Err: err}
	}
	r := httpx.Request{URL: registry + packagePath(name), Within: within, Limit: MaxListing}
	var l *versionList
	var head []byte
	var size int64
	err = eitherForm(func(accept string) error {
		r.Accept = accept
		return c.http.Stream(ctx, r, func(body io.Reader) (err error) {
			start := &headReader{r: body}
			l, err = readVersionList(start)
			head, size = start.head, start.n
			return err
		})
	})
	var e *httpx.Error
	switch {
	case err == nil && l.name != name:
		return nil, fault.New(fault.Refused, "METADATA_MISMATCH", "npm:"+name, "%s answered with the package %q", registry, l.name)
	case err == nil:
		return l, nil
	case ctx.Err() != nil || errors.As(err, &e):
		return nil, err
	}
	return nil, &httpx.Error{URL: r.URL, Reason: httpx.WrongContent, Status: http.StatusOK, Body: httpx.Sniff(head, size), Err: err}
}

// eitherForm asks for npm's short form of a packument, and where a registry
// does not know that media type (406), for any form.
func eitherForm(ask func(accept string) error) error {
	err := ask(acceptPackument)
	var e *httpx.Error
	if errors.As(err, &e) && e.Reason == httpx.BadStatus && e.Status == http.StatusNotAcceptable {
		err = ask(acceptDocument)
	}
	return err
}

// headReader remembers the beginning of what is read, to say what came.
type headReader struct {
	r    io.Reader
	head []byte
	n    int64
}

func (h *headReader) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.n += int64(n)
	if room := 512 - len(h.head); room > 0 {
		h.head = append(h.head, p[:min(n, room)]...)
	}
	return n, err
}
