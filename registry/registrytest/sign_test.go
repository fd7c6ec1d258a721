package registrytest_test

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// What the registry signs is checked here with its own keys document and
// nothing of wuu's.
func TestSigning(t *testing.T) {
	c := start(t)
	if res, _, err := c.get("/-/npm/v1/keys"); err != nil || res.StatusCode != http.StatusNotFound {
		t.Errorf("without keys: %v, %v", res, err)
	}
	old, current := newKey(t), newKey(t)
	old.Expires = time.Date(2025, 1, 29, 0, 0, 0, 0, time.UTC)
	c.s.OfferKeys(old, current)
	c.s.SignWith(old, current)
	_, p := c.publish("@me/hello", "1.0.0")
	c.s.SignWith()
	c.publish("@me/plain", "1.0.0")

	var keys struct {
		Keys []struct {
			KeyID, KeyType, Scheme, Key string
			Expires                     *string
		}
	}
	c.decode("/-/npm/v1/keys", &keys)
	if len(keys.Keys) != 2 || keys.Keys[0].KeyID != old.ID || *keys.Keys[0].Expires != "2025-01-29T00:00:00.000Z" || keys.Keys[1].Expires != nil || keys.Keys[1].KeyType != "ecdsa-sha2-nistp256" {
		t.Fatalf("%+v", keys)
	}
	type version struct {
		Dist struct{ Signatures []struct{ KeyID, Sig string } }
	}
	for _, path := range []string{"/@me%2fhello/1.0.0", "/@me%2fhello/latest"} {
		var doc version
		c.decode(path, &doc)
		if len(doc.Dist.Signatures) != 2 {
			t.Fatalf("%s: %+v", path, doc)
		}
		for i, s := range doc.Dist.Signatures {
			der, err := base64.StdEncoding.DecodeString(keys.Keys[i].Key)
			if err != nil {
				t.Fatal(err)
			}
			public, err := x509.ParsePKIXPublicKey(der)
			if err != nil {
				t.Fatal(err)
			}
			sig, err := base64.StdEncoding.DecodeString(s.Sig)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256([]byte("@me/hello@1.0.0:" + p.Integrity))
			if s.KeyID != keys.Keys[i].KeyID || !ecdsa.VerifyASN1(public.(*ecdsa.PublicKey), sum[:], sig) {
				t.Errorf("%s: signature %d by %s is false", path, i, s.KeyID)
			}
		}
	}
	var plain version
	if c.decode("/@me%2fplain/1.0.0", &plain); plain.Dist.Signatures != nil {
		t.Errorf("signed: %+v", plain)
	}
}

func newKey(t *testing.T) *registrytest.SigningKey {
	t.Helper()
	k, err := registrytest.NewSigningKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// decode reads a document that must be there.
func (c client) decode(path string, doc any) {
	c.t.Helper()
	res, body, err := c.get(path)
	if err != nil || res.StatusCode != http.StatusOK {
		c.t.Fatalf("%s: %v, %v", path, res, err)
	}
	if err := json.Unmarshal(body, doc); err != nil {
		c.t.Fatal(err)
	}
}

func TestProxy(t *testing.T) {
	c := start(t)
	c.s.SetPublicURL("https://registry.example.com")
	if _, p := c.publish("a", "1.0.0"); p.Tarball != "https://registry.example.com/a/-/a-1.0.0.tgz" {
		t.Errorf("tarball at %s", p.Tarball)
	}
	proxy, err := c.s.StartProxy("ada:secret")
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	through := func(user *url.Userinfo) (int, error) {
		client := c.s.Client()
		client.Transport.(*http.Transport).Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: proxy.Addr(), User: user})
		defer client.CloseIdleConnections()
		res, err := client.Get("https://registry.example.com/a/1.0.0")
		if err != nil {
			return 0, err
		}
		res.Body.Close()
		return res.StatusCode, nil
	}
	if status, err := through(url.UserPassword("ada", "secret")); err != nil || status != http.StatusOK {
		t.Errorf("%d, %v", status, err)
	}
	for _, user := range []*url.Userinfo{nil, url.UserPassword("ada", "wrong")} {
		if _, err := through(user); err == nil || err.(*url.Error).Err.Error() != "Proxy Authentication Required" {
			t.Errorf("%v: %v", user, err)
		}
	}
	proxy.Refuse(http.StatusForbidden)
	if _, err := through(url.UserPassword("ada", "secret")); err == nil {
		t.Error("a proxy that refuses let through")
	}
	if got := proxy.Hosts(); len(got) != 1 || got[0] != "registry.example.com:443" {
		t.Errorf("asked for %v", got)
	}
}

func TestAcceptFaults(t *testing.T) {
	const short = "application/vnd.npm.install-v1+json; q=1.0, */*"
	c := start(t)
	c.publish("a", "1.0.0")
	status := func(accept string) (int, bool) {
		res, body, err := c.get("/a", "Accept", accept)
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		return res.StatusCode, json.Unmarshal(body, &doc) == nil && doc["time"] != nil
	}
	if code, full := status(short); code != 200 || full {
		t.Errorf("%d, full %v", code, full)
	}
	remove := c.s.Inject(registrytest.Packument, registrytest.IgnoreAccept())
	if code, full := status(short); code != 200 || !full {
		t.Errorf("Accept ignored: %d, full %v", code, full)
	}
	remove()
	c.s.Inject(registrytest.Packument, registrytest.NotAcceptable())
	if code, _ := status(short); code != http.StatusNotAcceptable {
		t.Errorf("not acceptable: %d", code)
	}
	if code, full := status("application/json"); code != 200 || !full {
		t.Errorf("acceptable: %d, full %v", code, full)
	}
}
