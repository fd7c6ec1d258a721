package registrytest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/registry/registrytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func Example() {
	s, err := registrytest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	tgz, err := registrytest.Pack(map[string]string{"package.json": `{"name":"@me/hello","version":"0.1.0"}`})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := s.Publish(tgz)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Name, p.Version, strings.TrimPrefix(p.Tarball, s.URL()))
	// Output: @me/hello 0.1.0 /@me/hello/-/hello-0.1.0.tgz
}

type client struct {
	t *testing.T
	s *registrytest.Server
	c *http.Client
}

func start(t *testing.T) client {
	t.Helper()
	s, err := registrytest.Start()
	if err != nil {
		t.Fatal(err)
	}
	c := s.Client()
	t.Cleanup(func() {
		c.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return client{t, s, c}
}

// get returns status, headers and body; a broken body is an error value.
func (c client) get(path string, header ...string) (*http.Response, []byte, error) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.s.URL()+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := c.c.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, body, err
}

func (c client) publish(name, version string) ([]byte, registrytest.Published) {
	c.t.Helper()
	tgz, err := registrytest.Pack(map[string]string{
		"package.json": fmt.Sprintf(`{"name":%q,"version":%q,"description":"d","bin":{"x":"x.js"}}`, name, version),
		"x.js":         "console.log(1)\n",
	})
	if err != nil {
		c.t.Fatal(err)
	}
	p, err := c.s.Publish(tgz)
	if err != nil {
		c.t.Fatal(err)
	}
	return tgz, p
}

func TestDocuments(t *testing.T) {
	c := start(t)
	tgz, _ := c.publish("@me/hello", "0.1.0")
	_, second := c.publish("@me/hello", "0.2.0-rc.1")
	if err := c.s.Tag("@me/hello", "latest", "0.1.0"); err != nil {
		t.Fatal(err)
	}
	for _, q := range []struct {
		path, accept string
		status       int
		has, hasNot  string
	}{
		{"/@me%2fhello", "", 200, `"description":"d"`, ``},
		{"/@me%2Fhello", "", 200, `"time":{`, ``},
		{"/@me/hello", "application/vnd.npm.install-v1+json; q=1.0, */*", 200, `"bin":{"x":"x.js"}`, `description`},
		{"/@me%2fhello/0.2.0-rc.1", "", 200, second.Integrity, ``},
		{"/@me%2fhello/latest", "", 200, `"version":"0.1.0"`, `0.2.0-rc.1`},
		{"/@me%2fhello/9.9.9", "", 404, "version not found: 9.9.9", ``},
		{"/nothing", "", 404, "not found", ``},
		{"/", "", 404, "not found", ``},
		{"/a/b/c/d", "", 404, "not found", ``},
		{"/-/ping", "", 200, "{}", ``},
		{"/@me/hello/-/hello-9.9.9.tgz", "", 404, "not found", ``},
	} {
		res, body, err := c.get(q.path, "Accept", q.accept)
		if err != nil {
			t.Fatal(err)
		}
		if res.StatusCode != q.status || !strings.Contains(string(body), q.has) || q.hasNot != "" && strings.Contains(string(body), q.hasNot) {
			t.Errorf("%s: %d %s", q.path, res.StatusCode, body)
		}
		if !json.Valid(body) {
			t.Errorf("%s: not JSON: %s", q.path, body)
		}
	}
	res, body, err := c.get("/@me/hello/-/hello-0.1.0.tgz")
	if err != nil || !bytes.Equal(body, tgz) || res.Header.Get("ETag") == "" {
		t.Errorf("tarball: %d bytes of %d, %v", len(body), len(tgz), err)
	}
	res, body, err = c.get("/@me/hello/-/hello-0.1.0.tgz", "Range", "bytes=10-", "If-Range", res.Header.Get("ETag"))
	if err != nil || res.StatusCode != http.StatusPartialContent || !bytes.Equal(body, tgz[10:]) {
		t.Errorf("range: %d, %d bytes, %v", res.StatusCode, len(body), err)
	}
}

func TestPublishing(t *testing.T) {
	c := start(t)
	for name, tgz := range map[string][]byte{"not gzip": []byte("x"), "no package.json": pack(t, map[string]string{"a": "b"}), "no version": pack(t, map[string]string{"package.json": `{"name":"a"}`})} {
		if p, err := c.s.Publish(tgz); err == nil {
			t.Errorf("%s: published as %v", name, p)
		}
	}
	c.publish("a", "1.0.0")
	c.publish("a", "1.1.0")
	if err := c.s.Tag("a", "next", "2.0.0"); err == nil {
		t.Error("a tag points at nothing")
	}
	if err := c.s.Unpublish("a", "1.1.0"); err != nil {
		t.Error(err)
	}
	if err := c.s.Unpublish("a", "1.1.0"); err == nil {
		t.Error("unpublished twice")
	}
	for path, want := range map[string]int{"/a/1.0.0": 200, "/a/1.1.0": 404, "/a/latest": 404, "/a/-/a-1.1.0.tgz": 404} {
		if res, _, err := c.get(path); err != nil || res.StatusCode != want {
			t.Errorf("%s: %v %v, want %d", path, res, err, want)
		}
	}
}

func pack(t *testing.T, files map[string]string) []byte {
	t.Helper()
	tgz, err := registrytest.Pack(files)
	if err != nil {
		t.Fatal(err)
	}
	return tgz
}

func TestFaults(t *testing.T) {
	const tarball, doc, list = "/a/-/a-1.0.0.tgz", "/a/1.0.0", "/a"
	for _, f := range []struct {
		name   string
		target registrytest.Target
		fault  registrytest.Fault
		path   string
		check  func(res *http.Response, body []byte, err error) bool
	}{
		{"status", registrytest.Any, registrytest.StatusCode(503, "7"), doc, func(res *http.Response, _ []byte, err error) bool {
			return err == nil && res.StatusCode == 503 && res.Header.Get("Retry-After") == "7"
		}},
		{"hang up", registrytest.Any, registrytest.HangUp(), doc, func(res *http.Response, _ []byte, err error) bool { return res == nil && err != nil }},
		{"redirect", registrytest.Tarball, registrytest.RedirectTo("/other"), tarball, func(res *http.Response, _ []byte, err error) bool {
			return err == nil && res.StatusCode == 404 && res.Request.URL.Path == "/other"
		}},
		{"loop", registrytest.Tarball, registrytest.RedirectLoop(), tarball, func(_ *http.Response, _ []byte, err error) bool {
			return err != nil && strings.Contains(err.Error(), "10 redirects")
		}},
		{"captive", registrytest.Any, registrytest.CaptivePage(), doc, func(res *http.Response, body []byte, _ error) bool {
			return strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") && bytes.Contains(body, []byte("<html>"))
		}},
		{"oversize", registrytest.Packument, registrytest.Oversize(1000), list, func(_ *http.Response, body []byte, _ error) bool { return len(body) == 1002 }},
		{"wrong integrity", registrytest.VersionFile, registrytest.WrongIntegrity(), doc, func(_ *http.Response, body []byte, _ error) bool {
			return bytes.Contains(body, []byte("sha512-AAAAAAA"))
		}},
		{"wrong integrity in the list", registrytest.Packument, registrytest.WrongIntegrity(), list, func(_ *http.Response, body []byte, _ error) bool {
			return bytes.Contains(body, []byte("sha512-AAAAAAA"))
		}},
		{"no sha512", registrytest.Any, registrytest.NoSHA512(), doc, func(_ *http.Response, body []byte, _ error) bool {
			return !bytes.Contains(body, []byte("sha512-")) && bytes.Contains(body, []byte("shasum"))
		}},
		{"tarball elsewhere", registrytest.Any, registrytest.TarballAt("https://cdn.example.com/a.tgz"), doc, func(_ *http.Response, body []byte, _ error) bool {
			return bytes.Contains(body, []byte("https://cdn.example.com/a.tgz"))
		}},
		{"cut", registrytest.Tarball, registrytest.CutBody(20), tarball, func(_ *http.Response, body []byte, err error) bool {
			return errors.Is(err, io.ErrUnexpectedEOF) && len(body) == 20
		}},
		{"corrupt", registrytest.Tarball, registrytest.CorruptBody(), tarball, func(_ *http.Response, body []byte, err error) bool {
			return err == nil && len(body) > 20 && body[0] == 0x1f^1 && body[1] == 0x8b
		}},
	} {
		t.Run(f.name, func(t *testing.T) {
			c := start(t)
			c.publish("a", "1.0.0")
			remove := c.s.Inject(f.target, f.fault)
			if res, body, err := c.get(f.path); !f.check(res, body, err) {
				t.Errorf("with the fault: %v %q %v", res, body, err)
			}
			remove()
			if res, body, err := c.get(f.path); err != nil || res.StatusCode != 200 || f.check(res, body, err) {
				t.Errorf("after it: %v %q %v", res, body, err)
			}
		})
	}
}

func TestFaultsAreNarrow(t *testing.T) {
	c := start(t)
	c.publish("a", "1.0.0")
	c.publish("b", "1.0.0")
	c.s.Inject(registrytest.VersionFile, registrytest.StatusCode(500, "").For("a").Times(1))
	for i, q := range []struct {
		path string
		want int
	}{{"/b/1.0.0", 200}, {"/a", 200}, {"/a/1.0.0", 500}, {"/a/1.0.0", 200}} {
		if res, _, err := c.get(q.path); err != nil || res.StatusCode != q.want {
			t.Errorf("%d. %s: %v %v, want %d", i, q.path, res, err, q.want)
		}
	}
	var log []string
	for _, r := range c.s.Requests() {
		log = append(log, fmt.Sprintf("%s %s %d", r.Method, r.Path, r.Target))
	}
	want := "GET /b/1.0.0 2,GET /a 1,GET /a/1.0.0 2,GET /a/1.0.0 2"
	if got := strings.Join(log, ","); got != want {
		t.Errorf("log %s, want %s", got, want)
	}
}

func TestCloseEndsAStalledBody(t *testing.T) {
	c := start(t)
	c.publish("a", "1.0.0")
	c.s.Inject(registrytest.Tarball, registrytest.StallBody(5))
	res, err := c.c.Get(c.s.URL() + "/a/-/a-1.0.0.tgz")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadFull(res.Body, make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if err := c.s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the body ended well")
	}
	if _, err := os.Stat(c.s.CAFile()); !os.IsNotExist(err) {
		t.Errorf("CA file after Close: %v", err)
	}
}

func TestPlainHTTP(t *testing.T) {
	s, err := registrytest.StartHTTP()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()
	res, err := http.Get(s.URL() + "/-/ping")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 || !strings.HasPrefix(s.URL(), "http://127.0.0.1:") || s.Getenv("NODE_EXTRA_CA_CERTS") != "" {
		t.Errorf("%s: %d", s.URL(), res.StatusCode)
	}
}
