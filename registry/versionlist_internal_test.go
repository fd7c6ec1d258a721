package registry

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wuu-plugins/wuu/internal/npmver"
)

func TestReadVersionList(t *testing.T) {
	for src, want := range map[string]string{
		`{"name":"a","versions":{"1.0.0":{},"2.0.0":{"versions":{"9.9.9":1}}}}`:                 "a 2.0.0 1.0.0",
		`{"versions":{"1.0.0":[[{"]":"}"}]],"1.0.1":"\"\\","1.0.2":-1.5e9,"1.0.3":null}}`:       " 1.0.3 1.0.2 1.0.1 1.0.0",
		` { "name" : "\u0061" , "dist-tags" : { "latest" : "1.0.0" , "x" : 7, "y": "no" } } `:   "a | latest=1.0.0",
		`{"name":null,"versions":null,"dist-tags":null}`:                                        "",
		`{"name":"a","name":"b","versions":{"1.0.0":0},"versions":{"2.0.0":0,"2.0.0":0,"x":0}}`: "b 2.0.0",
		`{}`:                                 "",
		``:                                   "error unexpected EOF",
		`[]`:                                 "error '[' stands where an object is wanted",
		`{"versions":[]}`:                    "error '[' stands where an object is wanted",
		`{"versions":{"1.0.0":{}`:            "error unexpected EOF",
		`{"versions":{"1.0.0":"{}}`:          "error unexpected EOF",
		`{"versions":{"1.0.0":}}`:            "error '}' stands where a value is wanted",
		`{"versions":{"1.0.0"}}`:             "error '}' stands where a colon is wanted",
		`{"a":1 "b":2}`:                      "error '\"' stands where a comma is wanted",
		`{a:1}`:                              "error 'a' stands where a name is wanted",
		`{"a":1,}`:                           "error '}' stands where a name is wanted",
		`{} x`:                               "error 'x' stands behind the document",
		`<html>`:                             "error '<' stands where an object is wanted",
		`{"` + strings.Repeat("a", 5000):     "error a name has more than 4096 bytes",
		`{"a":"` + strings.Repeat("a", 5000): "error unexpected EOF",
		`{"versions":{"\x":1}}`:              "error invalid character",
		`{"versions":{` + strings.Repeat(`"1.0.0":0,`, 50_000) + `"1.0.1":0}}`: "error it has more than 50000 versions",
	} {
		for _, r := range []io.Reader{strings.NewReader(src), iotest.OneByteReader(strings.NewReader(src)), iotest.DataErrReader(strings.NewReader(src))} {
			l, err := readVersionList(r)
			got := ""
			if err != nil {
				got = "error " + err.Error()
			} else {
				got = strings.Join(append([]string{l.name}, l.versions...), " ")
				for _, tag := range l.tagNames() {
					got += " | " + tag + "=" + l.tags[tag]
				}
			}
			if strings.HasPrefix(want, "error ") && !strings.HasPrefix(got, want) || !strings.HasPrefix(want, "error ") && got != want {
				t.Errorf("%.80s: %q, want %q", src, got, want)
			}
		}
	}
}

// The scanner finds what encoding/json finds in every document that is valid.
func FuzzReadVersionList(f *testing.F) {
	f.Add([]byte(`{"name":"a","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"x":["\"",{}]},"1.0.0-rc.1":1e5}}`))
	f.Add([]byte(`{"versions":null,"name":1,"versions":{"\u0031.0.0":true}}`))
	f.Add([]byte(`{"versions":{"1.0.0":{`))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := readVersionList(bytes.NewReader(src))
		var doc map[string]json.RawMessage
		var versions map[string]json.RawMessage
		if json.Unmarshal(src, &doc) != nil || doc == nil || json.Unmarshal(doc["versions"], &versions) != nil {
			return // it may be taken or not: nothing of it is believed
		}
		if err != nil {
			if len(src) < maxScanned && json.Unmarshal(doc["dist-tags"], &map[string]json.RawMessage{}) == nil {
				t.Fatalf("%q: %v", src, err)
			}
			return
		}
		want := slices.Compact(npmver.SortNewest(slices.Collect(maps.Keys(versions))))
		if !slices.Equal(sorted(l.versions), sorted(want)) {
			t.Fatalf("%q: %q, want %q", src, l.versions, want)
		}
	})
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

func FuzzVersionDocument(f *testing.F) {
	f.Add([]byte(`{"name":"hello","version":"1.0.0","dist":{"tarball":"https://registry.npmjs.org/hello/-/hello-1.0.0.tgz","integrity":"sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==","shasum":"0000000000000000000000000000000000000000","signatures":[{"keyid":"a","sig":"b"}]}}`))
	f.Add([]byte(`{"name":"hello","version":"1.0.0","dist":{"tarball":"https://registry.npmjs.org.evil/x","integrity":"sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA= md5-x"}}`))
	c, err := NewClient(ClientOptions{CacheDir: f.TempDir()})
	if err != nil {
		f.Fatal(err)
	}
	s := Source{Kind: NPM, Spec: "npm:hello@1.0.0", Registry: DefaultRegistry, Package: "hello", Version: "1.0.0"}
	f.Fuzz(func(t *testing.T, src []byte) {
		var doc versionDocument
		if json.Unmarshal(src, &doc) != nil {
			return
		}
		r, err := c.checkDocument(s, &doc)
		if err != nil {
			return
		}
		u, err := url.Parse(r.tarball)
		if err != nil || u.Scheme != "https" || strings.TrimSuffix(strings.ToLower(u.Host), ":443") != "registry.npmjs.org" || u.User != nil || strings.ContainsAny(r.tarball, "?#\n ") || r.integrity[0].Algorithm.Size() != 64 {
			t.Fatalf("%q was taken: %+v", src, r)
		}
		_, _ = readSignatures(r.signatures)
	})
}
