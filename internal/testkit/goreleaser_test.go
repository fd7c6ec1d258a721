package testkit_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

type release struct {
	Version int
	Builds  []struct {
		Main, Binary               string
		Env, Goos, Goarch, Ldflags []string
	}
	Archives []struct{ Files []string }
}

// TestReleaseConfig reads goreleaser.yaml in parsed form: what it names must
// exist, and it must build for the three systems without cgo.
func TestReleaseConfig(t *testing.T) {
	src, err := os.ReadFile("../../goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var r release
	if err := yaml.Unmarshal(src, &r); err != nil {
		t.Fatal(err)
	}
	if r.Version != 2 || len(r.Builds) != 1 || len(r.Archives) != 1 {
		t.Fatalf("version %d, %d builds, %d archives", r.Version, len(r.Builds), len(r.Archives))
	}
	b := r.Builds[0]
	for _, goos := range []string{"linux", "darwin", "windows"} {
		if !slices.Contains(b.Goos, goos) {
			t.Errorf("builds nothing for %s", goos)
		}
	}
	if !slices.Contains(b.Env, "CGO_ENABLED=0") || b.Binary != "wuu" {
		t.Errorf("env %v, binary %q", b.Env, b.Binary)
	}
	if _, err := os.Stat("../../" + strings.TrimPrefix(b.Main, "./") + "/main.go"); err != nil {
		t.Error(err)
	}
	for _, f := range r.Archives[0].Files {
		if _, err := os.Stat("../../" + f); err != nil {
			t.Error(err)
		}
	}
	checkVersionFlag(t, strings.Join(b.Ldflags, " "))
}

// checkVersionFlag finds the variable that the linker is told to set.
func checkVersionFlag(t *testing.T, ldflags string) {
	t.Helper()
	m := regexp.MustCompile(`-X github\.com/wuu-plugins/wuu/(\S+)\.(\w+)=`).FindStringSubmatch(ldflags)
	if m == nil {
		t.Fatalf("ldflags %q set no version", ldflags)
	}
	src, err := os.ReadFile("../../" + m[1] + "/version.go")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^var ` + m[2] + ` = "\d{4}\.\d{3,4}\.\d+"$`).Match(src) {
		t.Errorf("%s has no CalVer variable %s", m[1], m[2])
	}
}
