package sbom_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/sbom"
)

// bills are documents of all kinds.
func bills() map[string]sbom.Bill {
	plugin := sbom.Component{Name: "wuu-hello", Version: "0.1.0", License: "MIT"}
	return map[string]sbom.Bill{
		"empty":   {Plugin: plugin, Fingerprint: strings.Repeat("0a", 32), Complete: true, Tool: "2026.1130.0"},
		"unknown": {Plugin: sbom.Component{Name: "hello"}, Fingerprint: "f", Tool: "2026.1130.0", Time: time.Unix(1700000000, 0)},
		"full": {Plugin: sbom.Component{Name: "@me/hello", Version: "1.0.0-rc.1+b", Needs: []string{"pkg:npm/b@2.0.0", "pkg:npm/%40a/b@1.0.0", "pkg:npm/b@2.0.0"}}, Complete: true, Tool: "x",
			Components: []sbom.Component{
				{Name: "b", Version: "2.0.0", License: "(MIT OR Apache-2.0) AND BSD-3-Clause", SHA512: strings.Repeat("07", 64)},
				{Name: "@a/b", Version: "1.0.0", License: "SEE LICENSE IN LICENSE.txt", Needs: []string{"pkg:npm/b@2.0.0"}},
				{Name: "c", Version: "1.0.0", License: "UNLICENSED"}, {Name: "d", License: "Public Domain"}, {Name: "e", Version: "1.0.0"},
			}},
	}
}

func TestDeterministic(t *testing.T) {
	serials := map[string]bool{}
	for name, b := range bills() {
		first, err := b.JSON()
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(b.Components)
		slices.Reverse(b.Plugin.Needs)
		again, err := b.JSON()
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: another order gives other bytes", name)
		}
		var doc struct{ SerialNumber string }
		if err := json.Unmarshal(first, &doc); err != nil || serials[doc.SerialNumber] {
			t.Errorf("%s: %v, serial number %q", name, err, doc.SerialNumber)
		}
		serials[doc.SerialNumber] = true
		if bytes.Contains(first, []byte(`"timestamp"`)) != (name == "unknown") {
			t.Errorf("%s: a clock", name)
		}
		if !bytes.HasSuffix(first, []byte("}\n")) {
			t.Errorf("%s: no line feed at the end", name)
		}
	}
}

func TestRef(t *testing.T) {
	for _, tt := range []struct{ name, version, want string }{
		{"zod", "3.0.0", "pkg:npm/zod@3.0.0"},
		{"@scope/name", "1.0.0", "pkg:npm/%40scope/name@1.0.0"},
		{"a", "1.0.0-rc.1+build", "pkg:npm/a@1.0.0-rc.1%2Bbuild"},
		{"a b", "", "pkg:npm/a%20b"},
	} {
		if got := (sbom.Component{Name: tt.name, Version: tt.version}).Ref(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestLicenses(t *testing.T) {
	for license, want := range map[string]string{
		"":                                      `null`,
		"MIT":                                   `[{"expression":"MIT"}]`,
		"(MIT OR Apache-2.0)":                   `[{"expression":"(MIT OR Apache-2.0)"}]`,
		"GPL-2.0+ WITH Classpath-exception-2.0": `[{"expression":"GPL-2.0+ WITH Classpath-exception-2.0"}]`,
		"SEE LICENSE IN x":                      `[{"license":{"name":"SEE LICENSE IN x"}}]`,
		"UNLICENSED":                            `[{"license":{"name":"UNLICENSED"}}]`,
		"MIT, ISC":                              `[{"license":{"name":"MIT, ISC"}}]`,
		"MIT OR":                                `[{"license":{"name":"MIT OR"}}]`,
		"(MIT":                                  `[{"license":{"name":"(MIT"}}]`,
		"Public Domain":                         `[{"license":{"name":"Public Domain"}}]`,
	} {
		text, err := sbom.Bill{Plugin: sbom.Component{Name: "a", License: license}}.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Metadata struct {
				Component struct{ Licenses json.RawMessage }
			}
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if doc.Metadata.Component.Licenses == nil {
			got.WriteString("null")
		} else if err := json.Compact(&got, doc.Metadata.Component.Licenses); err != nil {
			t.Fatal(err)
		}
		if got.String() != want {
			t.Errorf("%q: %s, want %s", license, got.String(), want)
		}
	}
}

// TestOfficialSchema checks every kind of document with the validator and the
// strict schema that the makers of CycloneDX publish.
func TestOfficialSchema(t *testing.T) {
	if os.Getenv("WUU_FULL") == "" {
		t.Skip("skipped: needs the CycloneDX schema from npm; set WUU_FULL=1")
	}
	dir := t.TempDir()
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("package.json", []byte(`{"private": true}`))
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional",
		"@cyclonedx/cyclonedx-library@10", "ajv@8", "ajv-formats@3", "ajv-formats-draft2019@1")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("skipped: npm or its registry not reachable: %v\n%s", err, out)
	}
	write("check.mjs", []byte(validator))
	args := []string{"check.mjs"}
	for name, b := range bills() {
		text, err := b.JSON()
		if err != nil {
			t.Fatal(err)
		}
		write(name+".cdx.json", text)
		args = append(args, name+".cdx.json")
		write("broken-"+name+".cdx.json", bytes.Replace(text, []byte(`"type": "application"`), []byte(`"type": "thing"`), 1))
		args = append(args, "broken-"+name+".cdx.json")
	}
	node := exec.Command("node", args...)
	node.Dir = dir
	out, err := node.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		name, verdict, _ := strings.Cut(strings.TrimSpace(line), " ")
		if (verdict == "valid") == strings.HasPrefix(name, "broken-") {
			t.Errorf("%s: %s", name, verdict)
		}
	}
	if n := strings.Count(string(out), "\n"); n != 2*len(bills()) {
		t.Errorf("%d verdicts:\n%s", n, out)
	}
}

const validator = `import { readFileSync } from "node:fs";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
const strict = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
for (const file of process.argv.slice(2)) {
  const error = await strict.validate(readFileSync(file, "utf8"));
  console.log(file, error === null ? "valid" : JSON.stringify(error).slice(0, 300));
}
`
