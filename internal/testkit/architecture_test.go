package testkit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/wuu-plugins/wuu/"

// layers is the table of ARCHITECTURE.md: a package imports only packages of
// lower layers, or a neighbour named in sameLayer.
var layers = map[string]int{
	"internal/testkit": 6, // tests only: nothing may import it
	"cmd/wuu":          5, "internal/cli": 5, "internal/demo": 5, "internal/fuzzall": 5, "internal/docgen": 5, "bench": 5, "bench/card": 5, "bench/hello": 5,
	"bench/floor": 5, "bench/hash": 5, "bench/installshape": 5, "bench/serve": 5,
	"internal/dev": 4, "internal/contract": 4, "internal/scaffold": 4,
	"internal/host": 3, "internal/host/service": 3, "internal/host/control": 3, "validate": 3, "devwatch": 3,
	"internal/catalog": 2, "pack": 2, "registry": 2, "registry/registrytest": 2, "internal/pluginproc": 2, "internal/bundle": 2,
	"lockfile": 1, "internal/manifest": 1, "internal/schema": 1, "internal/archive": 1, "internal/archive/archivetest": 1, "internal/protocol": 1, "internal/jsonl": 1,
	"internal/procgroup": 1, "internal/sri": 1, "internal/npmver": 1, "internal/httpx": 1, "internal/ignore": 1,
	"internal/filelock": 1, "internal/diag": 1, "internal/jsonpos": 1, "internal/sdk": 1, "internal/origin": 1, "internal/secret": 1, "internal/sbom": 1,
	"internal/fault": 0, "internal/term": 0, "internal/paths": 0, "internal/pathname": 0, "internal/fsx": 0,
	"internal/config": 0, "internal/version": 0, "internal/nearest": 0, "internal/lazyregexp": 0, "internal/inflate": 0,
}

// sameLayer lists the arrows between neighbours, each obvious and acyclic.
var sameLayer = []string{
	"cmd/wuu → internal/cli", "internal/docgen → internal/cli",
	"internal/dev → internal/scaffold", // refreshes .wuu/types
	"internal/host → internal/host/service",
	"internal/host/control → internal/host",
	"internal/catalog → pack", // fingerprints and reads what it stages
	"registry/registrytest → registry",
	"internal/manifest → internal/jsonpos", "internal/manifest → internal/diag", "internal/jsonpos → internal/diag",
	"internal/schema → internal/manifest", // the closed lists
	"internal/paths → internal/fsx",       // the home is made like everything below it
	"lockfile → internal/sri", "lockfile → internal/npmver", "lockfile → internal/origin", "internal/httpx → internal/origin", "internal/manifest → internal/npmver",
	"internal/archive → internal/diag",
}

// soleImporter names the one package that may import a heavy module.
var soleImporter = map[string][]string{
	"github.com/spf13/cobra":          {"internal/cli"},
	"github.com/spf13/viper":          {"internal/config"},
	"github.com/fsnotify/fsnotify":    {"devwatch"},
	"github.com/Masterminds/semver":   {"internal/npmver"},
	"github.com/klauspost/compress":   {"internal/archive"},
	"github.com/evanw/esbuild":        {"internal/bundle"},
	"github.com/tailscale/hujson":     {"internal/jsonpos"},
	"github.com/gofrs/flock":          {"internal/filelock"},
	"github.com/goccy/go-yaml":        {"internal/contract"},
	"golang.org/x/term":               {"internal/term"},
	"golang.org/x/sys":                {"internal/procgroup", "internal/fsx", "internal/filelock"},
	"github.com/rogpeppe/go-internal": nil, // tests only
}

type goPackage struct {
	ImportPath string
	Imports    []string
	Incomplete bool
}

// goList reads every package of the module for one system.
func goList(t *testing.T, goos string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Incomplete", "./...")
	cmd.Dir = "../.."
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

func TestLayers(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		packages := goList(t, goos)
		if len(packages) < 20 {
			t.Fatalf("%s: go list found %d packages only", goos, len(packages))
		}
		for _, p := range packages {
			for _, problem := range violations(p) {
				t.Errorf("%s: %s", goos, problem)
			}
		}
	}
}

// violations lists what p imports against the arrows.
func violations(p goPackage) []string {
	name := strings.TrimPrefix(p.ImportPath, module)
	layer, known := layers[name]
	if !known {
		return []string{name + " stands in no layer: add it to ARCHITECTURE.md and to this table"}
	}
	var out []string
	for _, path := range p.Imports {
		if local, ok := strings.CutPrefix(path, module); ok {
			arrow := name + " → " + local
			target, known := layers[local]
			switch {
			case !known:
				out = append(out, arrow+": the target stands in no layer")
			case target > layer:
				out = append(out, fmt.Sprintf("%s: layer %d imports layer %d", arrow, layer, target))
			case target == layer && !slices.Contains(sameLayer, arrow):
				out = append(out, arrow+": neighbours, and the arrow is not listed")
			}
			continue
		}
		for heavy, allowed := range soleImporter {
			if name != "bench/card" && (path == heavy || strings.HasPrefix(path, heavy+"/")) && !slices.Contains(allowed, name) {
				out = append(out, fmt.Sprintf("%s imports %s, which belongs to %v", name, path, allowed))
			}
		}
	}
	return out
}

// TestLayersCanFail proves that the rule sees what it forbids.
func TestLayersCanFail(t *testing.T) {
	for _, p := range []goPackage{
		{ImportPath: module + "internal/fault", Imports: []string{module + "internal/cli"}},
		{ImportPath: module + "internal/host", Imports: []string{module + "devwatch"}},
		{ImportPath: module + "pack", Imports: []string{"github.com/spf13/cobra"}},
		{ImportPath: module + "internal/util"},
	} {
		if len(violations(p)) == 0 {
			t.Errorf("%s with %v breaks no rule", p.ImportPath, p.Imports)
		}
	}
}
