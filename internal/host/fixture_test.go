package host_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/internal/testkit"
)

// lines collects a log and lets tests wait for one.
type lines struct {
	mu   sync.Mutex
	all  bytes.Buffer
	wake chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wake != nil {
		close(l.wake)
		l.wake = nil
	}
	return l.all.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// await blocks until the log holds want.
func (l *lines) await(t *testing.T, want string) {
	t.Helper()
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	for {
		l.mu.Lock()
		found := strings.Contains(l.all.String(), want)
		if !found && l.wake == nil {
			l.wake = make(chan struct{})
		}
		wake := l.wake
		l.mu.Unlock()
		if found {
			return
		}
		select {
		case <-wake:
		case <-limit.C:
			t.Fatalf("the log never said %q:\n%s", want, l.text())
		}
	}
}

type fixture struct {
	*host.Host
	home    paths.Home
	project string
	log     *lines
}

// newHost makes a host with a home of its own, closed with the test.
func newHost(t *testing.T, change ...func(*host.Options)) *fixture {
	t.Helper()
	home, err := paths.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return hostAt(t, home, change...)
}

func hostAt(t *testing.T, home paths.Home, change ...func(*host.Options)) *fixture {
	t.Helper()
	f := &fixture{home: home, log: &lines{}}
	o := host.Options{Home: home, Product: "test", Log: f.log}
	for _, c := range change {
		c(&o)
	}
	f.project = o.Project
	var err error
	if f.Host, err = host.New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(context.Background()); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return f
}

// start makes records the first generation.
func (f *fixture) start(t *testing.T, records ...catalog.Record) []host.Observation {
	t.Helper()
	seen, err := f.Start(t.Context(), state(records...))
	if err != nil {
		t.Fatalf("Start: %v", err)
	}
	return seen
}

func state(records ...catalog.Record) host.State {
	var s host.State
	for _, r := range records {
		if r.Dev {
			s.Dev = append(s.Dev, r)
		} else {
			s.Plugins = append(s.Plugins, r)
		}
	}
	return s
}

// kitManifest is the manifest of a package whose runtime is this test binary.
// env is the kit's; more overlays top-level fields.
func kitManifest(id string, env map[string]string, more map[string]any) map[string]any {
	argv, own := testkit.PluginCommand("kit")
	vars := map[string]string{}
	for _, pair := range own {
		name, value, _ := strings.Cut(pair, "=")
		if name != "PATH" {
			vars[name] = value
		}
	}
	maps.Copy(vars, env)
	m := map[string]any{
		"schema_version": 1, "id": id, "name": id, "version": "1.0.0",
		"runtime": map[string]any{"protocol": "wuu-plugin-v1", "command": argv[0], "env": vars},
	}
	maps.Copy(m, more)
	return m
}

// kitPackage is an enabled, trusted package of the kit.
func kitPackage(t *testing.T, id string, env map[string]string, more map[string]any) catalog.Record {
	t.Helper()
	return packageOf(t, map[string]any{"plugin.json": kitManifest(id, env, more)})
}

// packageOf writes the files (strings, or values to be encoded) to a folder
// and describes it as an installed package.
func packageOf(t *testing.T, files map[string]any) catalog.Record {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		b, isText := content.(string)
		if !isText {
			encoded, err := json.MarshalIndent(content, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			b = string(encoded)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return describe(t, dir)
}

func describe(t *testing.T, dir string) catalog.Record {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "plugin.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ ID, Name, Version string }
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return catalog.Record{
		ID: m.ID, Name: m.Name, Version: m.Version, ManifestPath: "plugin.json", Root: dir,
		Fingerprint: fingerprint(t, dir), Trusted: true, DefaultEnabled: true,
	}
}

// fingerprint follows design/distribution.md, independently of package pack.
func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		exec := "-"
		if info.Mode()&0o111 != 0 {
			exec = "x"
		}
		fmt.Fprintf(sum, "%s\x00%s\x00%d\x00%x\n", filepath.ToSlash(name), exec, len(content), sha256.Sum256(content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// call returns the text of a tool's first part.
func (f *fixture) call(t *testing.T, id, tool, arguments string) string {
	t.Helper()
	r, err := f.CallTool(t.Context(), host.ToolCall{PluginID: id, Tool: tool, Arguments: json.RawMessage(arguments)}, nil)
	if err != nil {
		t.Fatalf("CallTool %s %s: %v", id, tool, err)
	}
	return r.Content[0].Text
}

// states is "id:state" and, where there is one, the code of the error.
func states(seen []host.Observation) string {
	var out []string
	for _, o := range seen {
		s := o.PluginID + ":" + o.State
		if o.Err != nil {
			s += "(" + o.Err.Code + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func (f *fixture) status(t *testing.T) host.Status {
	t.Helper()
	s, err := f.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (f *fixture) plugin(t *testing.T, id string) host.PluginStatus {
	t.Helper()
	for _, p := range f.status(t).Plugins {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("the host has no plugin %s", id)
	return host.PluginStatus{}
}
