// Package sbom writes a bill of materials of a plugin: which npm packages are
// bundled into its files, as CycloneDX 1.6 JSON. The same plugin gives the same
// bytes: there is no clock in it, and the serial number comes from the content.
package sbom

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Component is one npm package, or the plugin itself.
type Component struct {
	Name, Version string
	License       string   // as package.json states it; "" when it does not
	SHA512        string   // hex, of the package's tarball; "" when it is not known
	Needs         []string // Refs of the components that it imports
}

// Bill is what a document is made of.
type Bill struct {
	Plugin      Component // Needs of it: what its own code imports
	Fingerprint string    // of the package
	Components  []Component
	// Complete says that everything in the package's code is known: the builder
	// of this program made it. Else more may be in it.
	Complete bool
	Tool     string    // version of this program
	Time     time.Time // zero: none is written
}

// Ref is the package URL of a component (github.com/package-url, type npm).
func (c Component) Ref() string {
	name := url.PathEscape(c.Name)
	if scope, base, ok := strings.Cut(c.Name, "/"); ok {
		name = "%40" + url.PathEscape(strings.TrimPrefix(scope, "@")) + "/" + url.PathEscape(base)
	}
	if c.Version == "" {
		return "pkg:npm/" + name
	}
	return "pkg:npm/" + name + "@" + strings.ReplaceAll(url.PathEscape(c.Version), "+", "%2B")
}

type document struct {
	Schema       string        `json:"$schema"`
	Format       string        `json:"bomFormat"`
	Spec         string        `json:"specVersion"`
	Serial       string        `json:"serialNumber"`
	Version      int           `json:"version"`
	Metadata     metadata      `json:"metadata"`
	Components   []component   `json:"components"`
	Dependencies []dependency  `json:"dependencies"`
	Compositions []composition `json:"compositions"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"`
	Tools     tools     `json:"tools"`
	Component component `json:"component"`
}

type tools struct {
	Components []component `json:"components"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref,omitempty"`
	Group      string     `json:"group,omitempty"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []any      `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

type composition struct {
	Aggregate    string   `json:"aggregate"`
	Assemblies   []string `json:"assemblies"`
	Dependencies []string `json:"dependencies"`
}

// JSON is the document, with a line feed at its end.
func (b Bill) JSON() ([]byte, error) {
	doc := document{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1, Components: []component{},
	}
	main := b.Plugin.render("application")
	main.Properties = []property{{"wuu:package_fingerprint", b.Fingerprint}}
	doc.Metadata = metadata{Tools: tools{[]component{{Type: "application", Name: "wuu", Version: b.Tool}}}, Component: main}
	if !b.Time.IsZero() {
		doc.Metadata.Timestamp = b.Time.UTC().Format(time.RFC3339)
	}
	doc.Dependencies = []dependency{{main.Ref, sorted(b.Plugin.Needs)}}
	list := slices.Clone(b.Components)
	slices.SortFunc(list, func(a, b Component) int { return strings.Compare(a.Ref(), b.Ref()) })
	for _, c := range list {
		doc.Components = append(doc.Components, c.render("library"))
		doc.Dependencies = append(doc.Dependencies, dependency{c.Ref(), sorted(c.Needs)})
	}
	how := "unknown"
	if b.Complete {
		how = "complete"
	}
	doc.Compositions = []composition{{how, []string{main.Ref}, []string{main.Ref}}}
	first, err := encode(doc)
	if err != nil {
		return nil, err
	}
	doc.Serial = serial(first)
	return encode(doc)
}

func (c Component) render(kind string) component {
	out := component{Type: kind, Ref: c.Ref(), Name: c.Name, Version: c.Version, PURL: c.Ref(), Licenses: licenses(c.License)}
	if group, base, ok := strings.Cut(c.Name, "/"); ok {
		out.Group, out.Name = group, base
	}
	if c.SHA512 != "" {
		out.Hashes = []hash{{"SHA-512", c.SHA512}}
	}
	return out
}

// licenses is one SPDX expression, or a name when it is none.
func licenses(text string) []any {
	switch {
	case text == "":
		return nil
	case expression(text):
		return []any{map[string]string{"expression": text}}
	}
	return []any{map[string]any{"license": map[string]string{"name": text}}}
}

// expression reports the shape of an SPDX expression: ids, parentheses and the
// words AND, OR and WITH between them.
func expression(text string) bool {
	if strings.HasPrefix(text, "SEE ") || strings.EqualFold(text, "UNLICENSED") {
		return false
	}
	operand := true
	for _, w := range strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(text)) {
		isWord := w == "AND" || w == "OR" || w == "WITH"
		if isWord == operand || strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+") != "" {
			return false
		}
		operand = isWord
	}
	return !operand && strings.Count(text, "(") == strings.Count(text, ")")
}

func sorted(refs []string) []string {
	refs = slices.Clone(refs)
	slices.Sort(refs)
	return slices.Compact(refs)
}

// serial is a UUID (RFC 9562, version 8) of the document's content.
func serial(content []byte) string {
	sum := sha256.Sum256(content)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func encode(doc document) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(doc)
	return out.Bytes(), err
}
