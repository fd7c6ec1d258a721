package registry

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

// npmKeys is what the npm registry answered in 2025, its first key's expiry
// included.
const npmKeys = `{"keys":[
{"expires":"2025-01-29T00:00:00.000Z","keyid":"SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA","keytype":"ecdsa-sha2-nistp256","scheme":"ecdsa-sha2-nistp256","key":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1Olb3zMAFFxXKHiIkQO5cJ3Yhl5i6UPp+IhuteBJbuHcA5UogKo0EWtlWwW6KSaKoTNEYL7JlCQiVnkhBktUgg=="},
{"expires":null,"keyid":"SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U","keytype":"ecdsa-sha2-nistp256","scheme":"ecdsa-sha2-nistp256","key":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY6Ya7W++7aUPzvMTrezH6Ycx3c+HOKYCcNGybJZSCJq/fd7Qa8uuAKtdIkUQtQiEKERhAmE5lMMJhP8OkDOa2g=="}]}`

const oldKey, newKey = "SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA", "SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U"

// Two signatures that npm's own registry made, one with each key.
const (
	oldText = "tool5@5.0.1:sha512-gPClNFHEACDPrNPIY9nQ5CtgNzXLek1VKLkenI/RRKrrWSSyIVte0HloLzyQJFW0bXgFnv5TgtcUM+xHE7B6/w=="
	oldSig  = "MEYCIQDhX2SZFZyV3rBaQp/tH0NRk1YWw6rF2KrietBA6xDIFQIhANJcAYMSl+mvNefhpxjyApSUK/CXFEnCeUSEQf113OPI"
	newText = "@anthropic-ai/claude-code-linux-x64@2.1.117:sha512-bhN6qnc9xchKQqKWdwuZazEeSO+9NIhOPcoD/WgqTK5QRPSAwnvo5SZWIQUbkNbTKLaMwuxAu3u+Fj/jYbiidg=="
	newSig  = "MEUCIQDUymbxQflsibDfoYq28KKCAIPKbssiUho979lCvEJezQIgHBj/rmNW7BgE8R6GHIAnv92KP0had6nmBupG7SgB7zA="
)

func TestJudgeRealSignatures(t *testing.T) {
	keys, err := readKeys([]byte(npmKeys))
	if err != nil {
		t.Fatal(err)
	}
	before, after := time.Date(2025, 1, 28, 23, 59, 59, 0, time.UTC), time.Date(2025, 1, 29, 0, 0, 0, 0, time.UTC)
	flipped := func(sig string) string {
		der, err := base64.StdEncoding.DecodeString(sig)
		if err != nil {
			t.Fatal(err)
		}
		der[len(der)-1] ^= 1
		return base64.StdEncoding.EncodeToString(der)
	}
	for _, c := range []struct {
		name, text string
		sigs       []distSignature
		now        time.Time
		want       Signature
	}{
		{"current key", newText, []distSignature{{newKey, newSig}}, after, Signature{SignatureValid, newKey, ""}},
		{"old key in its time", oldText, []distSignature{{oldKey, oldSig}}, before, Signature{SignatureValid, oldKey, ""}},
		{"expired key", oldText, []distSignature{{oldKey, oldSig}}, after, Signature{SignatureAbsent, oldKey, "expired on 2025-01-29"}},
		{"false with an expired key", newText, []distSignature{{oldKey, oldSig}}, after, Signature{SignatureInvalid, oldKey, "does not fit"}},
		{"one bit of the signature", newText, []distSignature{{newKey, flipped(newSig)}}, after, Signature{SignatureInvalid, newKey, "does not fit"}},
		{"another version", strings.Replace(newText, "2.1.117", "2.1.118", 1), []distSignature{{newKey, newSig}}, after, Signature{SignatureInvalid, newKey, "does not fit"}},
		{"another integrity", strings.Replace(newText, "bhN6", "bhN7", 1), []distSignature{{newKey, newSig}}, after, Signature{SignatureInvalid, newKey, "does not fit"}},
		{"another key's id", newText, []distSignature{{oldKey, newSig}}, before, Signature{SignatureInvalid, oldKey, "does not fit"}},
		{"no base64", newText, []distSignature{{newKey, "bogus!"}}, after, Signature{SignatureInvalid, newKey, "does not fit"}},
		{"empty", newText, []distSignature{{newKey, ""}}, after, Signature{SignatureInvalid, newKey, "does not fit"}},
		{"unknown key", newText, []distSignature{{"SHA256:other", newSig}}, after, Signature{SignatureInvalid, "SHA256:other", "does not offer"}},
		{"unknown key beside a good one", newText, []distSignature{{"SHA256:other", "x"}, {newKey, newSig}}, after, Signature{SignatureValid, newKey, ""}},
		{"false one beside a good one", newText, []distSignature{{newKey, newSig}, {oldKey, oldSig}}, after, Signature{SignatureInvalid, oldKey, "does not fit"}},
		{"unknown key beside an expired one", oldText, []distSignature{{oldKey, oldSig}, {"SHA256:other", "x"}}, after, Signature{SignatureAbsent, oldKey, "expired"}},
		{"none", newText, nil, after, Signature{SignatureAbsent, "", "the package has no signature"}},
	} {
		got := judge(c.text, c.sigs, keys, c.now)
		if got.State != c.want.State || got.KeyID != c.want.KeyID || !strings.Contains(got.Reason, c.want.Reason) || (got.Reason == "") != (got.State == SignatureValid) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestReadKeysRefuses(t *testing.T) {
	const good = `"keyid":"a","keytype":"ecdsa-sha2-nistp256","key":"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY6Ya7W++7aUPzvMTrezH6Ycx3c+HOKYCcNGybJZSCJq/fd7Qa8uuAKtdIkUQtQiEKERhAmE5lMMJhP8OkDOa2g=="`
	const p384 = `MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE`
	for src, want := range map[string]string{
		`{"keys":[{` + good + `}]}`: "",
		`{"keys":[]}`:               "",
		`{"keys":[{"keyid":"a","keytype":"ed25519","key":"???"}]}`: "", // kept, unusable
		`{}`:                         `no "keys"`,
		`{"keys":null}`:              `no "keys"`,
		`<html>`:                     "invalid character",
		`{"keys":[null]}`:            "no keyid",
		`{"keys":[{"keytype":"x"}]}`: "no keyid",
		`{"keys":[{` + good + `},{` + good + `}]}`:                                    "two keys",
		`{"keys":[{` + good + `,"expires":"soon"}]}`:                                  "expires",
		`{"keys":[{` + good + `,"expires":1738108800}]}`:                              "neither a date nor null",
		`{"keys":[{"keyid":"a","keytype":"` + ecdsaP256 + `"}]}`:                      `key "a"`,
		`{"keys":[` + strings.Repeat(`{"keyid":"a"},`, 64) + `{}]}`:                   "65 keys",
		`{"keys":[{"keyid":"a","keytype":"` + ecdsaP256 + `","key":"` + p384 + `"}]}`: `key "a"`,
	} {
		_, err := readKeys([]byte(src))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %q", src, err, want)
		}
	}
}

func TestReadSignatures(t *testing.T) {
	for src, want := range map[string]int{``: 0, `null`: 0, `[]`: 0, `[{"keyid":"a","sig":"b"}]`: 1, `{}`: -1, `"x"`: -1, `[1]`: -1, `[` + strings.Repeat(`{},`, 16) + `{}]`: -1} {
		got, err := readSignatures([]byte(src))
		if (err != nil) != (want < 0) || err == nil && len(got) != want {
			t.Errorf("%.40s: %v, %v", src, got, err)
		}
	}
}

func FuzzReadKeys(f *testing.F) {
	f.Add([]byte(npmKeys))
	f.Add([]byte(`{"keys":[{"keyid":"a","keytype":"ecdsa-sha2-nistp256","key":"MFkw","expires":"2025-01-29T00:00:00.000Z"}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, err := readKeys(src)
		if err != nil {
			return
		}
		for _, k := range doc.Keys {
			if k.KeyID == "" || doc.find(k.KeyID) != k {
				t.Fatalf("key %+v is not found by its id", k)
			}
			// A forged signature never passes, whatever the document holds.
			if got := judge(newText, []distSignature{{k.KeyID, oldSig}}, doc, time.Unix(0, 0)); got.State == SignatureValid {
				t.Fatalf("%+v", got)
			}
		}
	})
}
