package secret_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"io"
	mathrand "math/rand/v2"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/secret"
)

const (
	alnum  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	word   = alnum + "_-"
	hexes  = "0123456789abcdef"
	base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// random draws a text that no service ever gave out; the tests of this package
// make every token themselves, so that the source holds none.
func random(n int, alphabet string) string {
	r := mathrand.New(mathrand.NewPCG(uint64(n), uint64(len(alphabet))))
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

func checked(prefix string) string {
	body := random(30, alnum)
	return prefix + body + secret.Checksum([]byte(body))
}

func b64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// tokens is one of each kind: name → token.
func tokens() map[string]string {
	return map[string]string{
		"github personal": checked("ghp_"), "github oauth": checked("gho_"), "github app": checked("ghs_"), "github user": checked("ghu_"), "github refresh": checked("ghr_"),
		"github fine": "github_pat_" + random(22, alnum) + "_" + random(59, alnum), "npm": checked("npm_"), "npm, other checksum": "npm_" + random(36, alnum),
		"gitlab": "glpat-" + random(20, word), "gitlab routable": "glpat-" + random(27, word) + ".01." + random(9, hexes), "gitlab deploy": "gldt-" + random(20, word),
		"slack bot": "xoxb-" + random(12, "123456789") + "-" + random(12, "123456789") + "-" + random(24, alnum), "slack user": "xoxp-2" + random(60, alnum),
		"slack app": "xapp-1-" + random(60, alnum), "slack access": "xoxa-2-" + random(40, alnum),
		"anthropic": "sk-ant-" + "api03-" + random(93, word) + "AA", "openai": "sk-proj-" + random(40, word) + "T3Blbk" + "FJ" + random(40, word),
		"openai old": "sk-" + random(20, alnum) + "T3Blbk" + "FJ" + random(20, alnum),
		"aws":        "AKIA" + random(16, base32), "aws session": "ASIA" + random(16, base32), "aws secret": "aws_secret_access_key = " + random(40, alnum+"+/"),
		"aws in code": `secretAccessKey: "` + random(40, alnum+"+/") + `"`, "aws in the environment": "AWS_SECRET_ACCESS_KEY=" + random(40, alnum+"+/"),
		"google": "AIza" + random(35, word), "sendgrid": "SG." + random(22, word) + "." + random(43, word), "hugging face": "hf_" + random(34, alnum),
		"pypi": "pypi-AgEIcHlwaS5vcmc" + random(120, word), "digital ocean": "dop_v1_" + random(64, hexes), "square": "sq0atp-" + random(22, word),
		"square secret": "sq0csp-" + random(43, word), "stripe": "sk_live_" + random(24, alnum), "stripe restricted": "rk_live_" + random(99, alnum),
		"jwt":          b64(`{"alg":"HS256","typ":"JWT"}`) + "." + b64(`{"sub":"me","iat":1}`) + "." + random(43, word),
		"jwt kid":      b64(`{"kid":"1","alg":"RS256"}`) + "." + b64(`{"sub":"me","iat":1}`) + "." + random(342, word),
		"discord":      base64.RawStdEncoding.EncodeToString([]byte("781234509871234567")) + "." + random(6, word) + "." + random(38, word),
		"slack hook":   "https://hooks.slack.com/services/T" + random(10, base32) + "/B" + random(10, base32) + "/" + random(24, alnum),
		"discord hook": "https://discord.com/api/webhooks/" + random(18, "123456789") + "/" + random(68, word),
		"url":          "https://deploy:" + random(12, alnum) + "@git.corp.internal/x.git", "database": "postgres://app:n0t-so-Simple@10.0.0.3:5432/db",
		"age": "AGE-SECRET-KEY-1" + random(58, base32),
	}
}

// TestTokens finds every kind in every place: at even and odd offsets, at the
// ends of a file, in quotes, behind an escape, and names no more of it than
// four characters.
func TestTokens(t *testing.T) {
	for name, token := range tokens() {
		for _, around := range [][2]string{{"", ""}, {"x = \"", "\"\n"}, {"ab = '", "';"}, {"\\n", "\\n"}, {"key: ", "\r\n"}, {strings.Repeat("some text ", 999), " end."}, {"\x00\x01 ", "\x00"}} {
			text := around[0] + token + around[1]
			hits := secret.Bytes("src/a.ts", []byte(text), secret.Options{})
			if len(hits) == 0 || hits[0].Code != secret.Token {
				t.Errorf("%s in %.20q…: %+v", name, around[0], hits)
				continue
			}
			found := text[hits[0].Start:hits[0].End]
			if !strings.Contains(token, found) || len(found) < 6 {
				t.Errorf("%s: found %q", name, found)
			}
			if strings.Contains(hits[0].Message, found[:6]) {
				t.Errorf("%s: the message gives it away: %s", name, hits[0].Message)
			}
		}
	}
}

// TestNoTokens is what looks alike and is none.
func TestNoTokens(t *testing.T) {
	broken := []byte(checked("ghp_"))
	broken[10]++
	for _, text := range []string{
		"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_" + strings.Repeat("a", 36), string(broken), "ghp_", "npm_config_registry", "npm_lifecycle_event",
		"npm_" + strings.Repeat("x", 36), "npm_0123456789abcdefghijklmnopqrstuvwxyz", "process.env.npm_package_version_and_another_longer_name",
		"sk-ant-xxxx", "sk-ant-api03-" + strings.Repeat("A", 90), "glpat-XXXXXXXXXXXXXXXXXXXX", "glpat-your_token_goes_here", "hf_" + strings.Repeat("x", 34),
		"half_open", "xoxb-not-a-real-token-at-all-but-words", "SG.xxxxxxxxxxxxxxxxxxxxxx.yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy", "AIzaSy", "sk_test_" + random(24, alnum),
		"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + b64(`{"sub":"1234567890","name":"John Doe","iat":1516239022}`) + ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
		b64(`{"alg":"HS256"}`), b64(`{"version":3,"sources":["a"]}`) + ".a.b", b64(`{"alg":1}`) + "." + b64(`{}`) + "." + random(43, word),
		"https://user:password@example.com", "https://user:${TOKEN}@host.io", "https://user:<token>@host.io", "postgres://postgres:postgres@localhost:5432/x",
		"https://a.b/c@d:e", "redis://default:changeme@cache:6379", "https://x:xxxxxxxx@gitlab.com", "http://j@ne:p@ssword@www.google.io/", "http://[::1]:80/", "see https://github.com/a/b.git@v1 // a:b@c",
		"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "https://registry.npmjs.org/@scope/name",
		"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "pem.replace('-----BEGIN PRIVATE KEY-----', '').replace('-----END PRIVATE KEY-----', '')",
		"-----BEGIN CERTIFICATE-----\n" + random(64, alnum) + "\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\n" + random(64, alnum),
		"PuTTY-User-Key-File-", "AGE-SECRET-KEY-1", "T3BlbkFJ", random(500, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
	} {
		for _, pad := range []string{"", " "} {
			if hits := secret.Bytes("README.md", []byte(pad+text), secret.Options{}); len(hits) > 0 {
				t.Errorf("%q: %s", text, hits[0].Message)
			}
		}
	}
}

// TestGitHubChecksum uses a token that GitHub itself revoked and that the
// format is explained with everywhere; only its parts stand here.
func TestGitHubChecksum(t *testing.T) {
	if got := secret.Checksum([]byte("zQWBuTSOoRi4A9sp" + "HcVY5ncnsDkxkJ")); got != "0mLq17" {
		t.Errorf("checksum %q", got)
	}
}

func keys(t *testing.T) map[string][]byte {
	t.Helper()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ec, err := x509.MarshalECPrivateKey(ecKey)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{"RSA": x509.MarshalPKCS1PrivateKey(rsaKey), "EC": ec}
	for name, key := range map[string]any{"": rsaKey, "ed": edKey, "ec8": ecKey} {
		if out[name], err = x509.MarshalPKCS8PrivateKey(key); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestKeys finds real keys as PEM, inside JSON, indented, and as DER.
func TestKeys(t *testing.T) {
	found := func(name, file string, content []byte) {
		t.Helper()
		hits := secret.Bytes(file, content, secret.Options{})
		if len(hits) != 1 || hits[0].Code != secret.PrivateKey {
			t.Errorf("%s: %+v", name, hits)
		}
	}
	for name, der := range keys(t) {
		label := strings.TrimSpace(strings.ToUpper(strings.TrimRight(name, "8d")) + " PRIVATE KEY")
		if name == "ed" || name == "ec8" {
			label = "PRIVATE KEY"
		}
		block := string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
		found(name+" pem", "a.txt", []byte(block))
		found(name+" crlf", "a.txt", []byte("x"+strings.ReplaceAll(block, "\n", "\r\n")))
		found(name+" json", "account.json", []byte(`{"type":"service_account","private_key":"`+strings.ReplaceAll(block, "\n", `\n`)+`"}`))
		found(name+" indented", "k.yaml", []byte("key: |\n    "+strings.ReplaceAll(block, "\n", "\n    ")))
		found(name+" der", "key.der", der)
		cut := block[:strings.Index(block, "-----END")]
		found(name+" cut", "a.txt", []byte(cut))
	}
	body := strings.Join([]string{random(64, alnum), random(63, alnum) + "=", ""}, "\n")
	for _, label := range []string{"OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "DSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK", "ANY PRIVATE KEY"} {
		found(label, "x", []byte("-----BEGIN "+label+"-----\nVersion: 1\n\n"+body+"-----END "+label+"-----\n"))
	}
	found("ssh.com", "x", []byte("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: \"a\"\n"+body+"---- END SSH2 ENCRYPTED PRIVATE KEY ----\n"))
	found("legacy", "x", []byte("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n"+body+"-----END RSA PRIVATE KEY-----\n"))
	found("putty", "k.ppk", []byte("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: c\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\n"+random(48, alnum)+"\nPrivate-MAC: 00\n"))
	found("jks", "a.jks", []byte("\xfe\xed\xfe\xed\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x01"))
	found("kdbx", "a.kdbx", []byte("\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5"))
	p12 := append([]byte("\x30\x82\x09\x00\x02\x01\x03\x30\x82\x08\xf0\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"), make([]byte, 64)...)
	found("p12", "a.p12", p12)
	if hits := secret.Bytes("c.der", append([]byte("\x30\x82\x03\x00\x30\x82\x01\xe8\xa0\x03\x02\x01\x02"), make([]byte, 64)...), secret.Options{}); len(hits) > 0 {
		t.Errorf("a certificate: %+v", hits)
	}
}

func TestNamedFiles(t *testing.T) {
	value := random(20, alnum)
	tests := []struct {
		name, content string
		want          string // what Start to End covers; "" for no find
	}{
		{".env", "# comment\n\nDEBUG=\nAPI_KEY=" + value + "\nB=2\n", value},
		{"a/.env.local", "export A='" + value + "'\r\n", "'" + value + "'"},
		{".env.production", "A=1", "1"},
		{".env", "# nothing\nA=\nB=${HOME}\n", ""},
		{".env.example", "API_KEY=" + value, ""},
		{".env.sample", "A=" + value, ""},
		{".env.template", "A=" + value, ""},
		{"env.ts", "A=" + value, ""},
		{".npmrc", "registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=" + value + "\n", value},
		{".npmrc", "//r/:_authToken=${NPM_TOKEN}\n; _authToken=" + value, ""},
		{".npmrc", "//r/:_password=\"" + value + "\"", value},
		{".npmrc", "save-exact=true", ""},
		{".yarnrc.yml", "npmAuthToken: " + value, value},
		{".yarnrc.yml", "npmAuthToken: \"${T}\"", ""},
		{".netrc", "machine x login y\n  password " + value + "\n", value},
		{"_netrc", "machine x", ""},
		{".pypirc", "[pypi]\nusername = a\npassword = " + value, value},
		{".git-credentials", "https://a:b@c", "https://a:b@c"},
		{".docker/config.json", `{"auths":{"x":{"auth": "` + value + `"}}}`, value},
		{"config.json", `{"auths":{"x":{"auth": "` + value + `"}}}`, ""},
		{"x/.aws/credentials", "[default]\naws_session_token=" + value, value},
		{"id_ed25519", "something", "something"},
		{"id_rsa", "", ""},
		{"id_rsa.pub", "ssh-rsa AAAA", ""},
	}
	for _, tt := range tests {
		hits := secret.Bytes(tt.name, []byte(tt.content), secret.Options{})
		got := ""
		if len(hits) > 0 {
			got = tt.content[hits[0].Start:hits[0].End]
			if hits[0].Code != secret.File || strings.Contains(hits[0].Message, value) {
				t.Errorf("%s: %+v", tt.name, hits[0])
			}
		}
		if got != tt.want || len(hits) > 1 {
			t.Errorf("%s %q: found %q in %d hits, want %q", tt.name, tt.content, got, len(hits), tt.want)
		}
	}
}

// TestTemplateWithARealToken: a template is fine until a real token stands in it.
func TestTemplateWithARealToken(t *testing.T) {
	if hits := secret.Bytes(".env.example", []byte("A="+checked("ghp_")), secret.Options{}); len(hits) != 1 || hits[0].Code != secret.Token {
		t.Errorf("%+v", hits)
	}
}

// TestWindows puts a token across every edge of the windows that a large file
// is read in, and counts each once.
func TestWindows(t *testing.T) {
	token := checked("ghp_")
	var text bytes.Buffer
	want := 0
	for text.Len() < 4*secret.BufferSize && want < secret.MaxHits-1 {
		text.WriteString(strings.Repeat("filler text\n", 5000+want*7) + strings.Repeat("-", want) + " " + token + "\n")
		want++
	}
	for _, size := range []int{1 << 20, 1000, 7} {
		hits, err := secret.Scan("big.txt", &slow{text.Bytes(), size}, make([]byte, secret.BufferSize), secret.Options{})
		if err != nil || len(hits) != want {
			t.Fatalf("%d hits, %v, want %d", len(hits), err, want)
		}
		for _, h := range hits {
			if got := text.String()[h.Start:h.End]; got != token {
				t.Errorf("at %d: %q", h.Start, got)
			}
		}
	}
}

// slow reads at most n bytes at once.
type slow struct {
	left []byte
	n    int
}

func (s *slow) Read(p []byte) (int, error) {
	if len(s.left) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.n)], s.left)
	s.left = s.left[n:]
	return n, nil
}
