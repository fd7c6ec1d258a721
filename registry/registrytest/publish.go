package registrytest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha1" //nolint:gosec // npm's shasum
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// Published is what the registry says about one version.
type Published struct {
	Name, Version string
	Tarball       string // URL
	Integrity     string // sha512-…
	Shasum        string // SHA-1, hex
}

// packument is one package; versions keep the order in which they came.
type packument struct {
	name     string
	tags     map[string]string
	versions []*release
}

type release struct {
	Published
	manifest map[string]any
	blob     []byte
	files    int
	unpacked int64
	time     time.Time

	signatures []any // of dist
}

func (p *packument) find(version string) *release {
	for _, r := range p.versions {
		if r.Version == version {
			return r
		}
	}
	return nil
}

// Publish adds the package in an npm tarball; its package.json, in the first
// folder of the archive, says the name and version. The tag "latest" moves to
// it. Publishing a version again replaces it, which real registries refuse.
func (s *Server) Publish(tgz []byte) (Published, error) {
	r, err := readRelease(tgz)
	if err != nil {
		return Published{}, fmt.Errorf("publish: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.packages[r.Name]
	if p == nil {
		p = &packument{name: r.Name, tags: map[string]string{}}
		s.packages[r.Name] = p
	}
	base := r.Name[strings.LastIndexByte(r.Name, '/')+1:]
	r.Tarball = s.public + "/" + r.Name + "/-/" + base + "-" + r.Version + ".tgz"
	p.versions = slices.DeleteFunc(p.versions, func(old *release) bool { return old.Version == r.Version })
	if err := s.sign(r); err != nil {
		return Published{}, fmt.Errorf("publish: %w", err)
	}
	p.versions = append(p.versions, r)
	p.tags["latest"] = r.Version
	return r.Published, nil
}

// Tag points a dist-tag of a package at one of its versions.
func (s *Server) Tag(name, tag, version string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.packages[name]
	if p == nil || p.find(version) == nil {
		return fmt.Errorf("tag %s: %s@%s is not published", tag, name, version)
	}
	p.tags[tag] = version
	return nil
}

// Unpublish removes one version and the tags that point to it; the package
// stays known.
func (s *Server) Unpublish(name, version string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.packages[name]
	if p == nil || p.find(version) == nil {
		return fmt.Errorf("unpublish: %s@%s is not published", name, version)
	}
	p.versions = slices.DeleteFunc(p.versions, func(r *release) bool { return r.Version == version })
	maps.DeleteFunc(p.tags, func(_, v string) bool { return v == version })
	return nil
}

func readRelease(tgz []byte) (*release, error) {
	z, err := gzip.NewReader(bytes.NewReader(tgz))
	if err != nil {
		return nil, fmt.Errorf("read tarball: %w", err)
	}
	r := &release{blob: bytes.Clone(tgz), time: time.Now().UTC()}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read tarball: %w", err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		r.files++
		r.unpacked += h.Size
		if folder, file := path.Split(path.Clean(h.Name)); file == "package.json" && strings.Count(folder, "/") == 1 {
			if err := json.NewDecoder(t).Decode(&r.manifest); err != nil {
				return nil, fmt.Errorf("read package.json: %w", err)
			}
		}
	}
	r.Name, _ = r.manifest["name"].(string)
	written, _ := r.manifest["version"].(string)
	r.Version, _, _ = strings.Cut(written, "+") // as npm publish does
	if r.Name == "" || r.Version == "" {
		return nil, errors.New("the tarball has no package.json with name and version")
	}
	r.manifest["version"] = r.Version
	strong, weak := sha512.Sum512(tgz), sha1.Sum(tgz) //nolint:gosec // npm's shasum
	r.Integrity = "sha512-" + base64.StdEncoding.EncodeToString(strong[:])
	r.Shasum = hex.EncodeToString(weak[:])
	return r, nil
}

// Pack makes an npm tarball of files, whose paths are relative to package/. The
// same files give the same bytes.
func Pack(files map[string]string) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	t := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(files[name])), ModTime: time.Unix(499162500, 0), Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		if _, err := io.WriteString(t, files[name]); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := errors.Join(t.Close(), z.Close()); err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return out.Bytes(), nil
}
