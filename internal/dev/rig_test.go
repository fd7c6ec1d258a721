package dev

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds the waiting for one event.
const patience = 30 * time.Second

// rig is a home with one real host and a loop that publishes to it.
type rig struct {
	t       *testing.T
	home    paths.Home
	catalog *catalog.Catalog
	host    *host.Host
	root    string // of the plugin
	options Options
	events  chan Event
	rebuild chan struct{}
	log     buffer

	mu    sync.Mutex
	notes []string
}

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// newRig makes a rig for the plugin folder tree, or for the file in it.
func newRig(t *testing.T, tree map[string]string, file string) *rig {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: node is not installed")
	}
	home, err := paths.At(filepath.Join(t.TempDir(), "home"))
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, home: home, root: files(t, tree), events: make(chan Event, 1000), rebuild: make(chan struct{})}
	r.catalog = catalog.Open(home, time.Now)
	r.host, err = host.New(host.Options{Home: home, Product: "test", Log: &r.log, Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.host.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if _, err := r.host.Start(t.Context(), catalog.State{}); err != nil {
		t.Fatal(err)
	}
	r.options = Options{
		Home: home, Catalog: r.catalog, Path: filepath.Join(r.root, file), Watch: true, Version: "2026.1130.0", BuildLog: &r.log,
		Hosts: func(context.Context) ([]host.Controller, func(), error) {
			return []host.Controller{r.host}, func() {}, nil
		},
		Emit: func(e Event) { r.events <- e },
		Note: func(code, message string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.notes = append(r.notes, code)
		},
		Rebuild: r.rebuild,
	}
	return r
}

// start runs the loop until the test ends.
func (r *rig) start() *rig {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, r.options) }()
	r.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			r.t.Errorf("the loop ended with %v", err)
		}
	})
	return r
}

func (r *rig) put(name, text string) { r.t.Helper(); put(r.t, r.root, name, text) }

// next returns the next event, which must be of that type.
func (r *rig) next(want string) Event {
	r.t.Helper()
	select {
	case e := <-r.events:
		if e.Type != want {
			line, _ := json.Marshal(e)
			r.t.Fatalf("event %s, want %s\nlog: %s", line, want, r.log.String())
		}
		if e.Schema != 1 || e.Seq == 0 || e.Time.IsZero() {
			r.t.Errorf("an incomplete event: %+v", e)
		}
		return e
	case <-time.After(patience):
		r.t.Fatalf("no event %s\nlog: %s", want, r.log.String())
		return Event{}
	}
}

// publishes reads the events of one publish; the last is the adoption.
func (r *rig) publishes(changes ...string) (published, adopted Event) {
	r.t.Helper()
	if b := r.next(Building); len(changes) > 0 && !slices.Equal(b.Changes, changes) {
		r.t.Errorf("changes %v, want %v", b.Changes, changes)
	}
	r.next(Built)
	published, adopted = r.next(Published), r.next(Adopted)
	if adopted.Error != nil || len(adopted.Observations) != 1 || adopted.Observations[0].State != host.StateActive {
		r.t.Fatalf("adopted %+v", adopted)
	}
	r.next(Idle)
	return published, adopted
}

// refuses reads the events of an attempt that stays without effect.
func (r *rig) refuses(want, kept string) Event {
	r.t.Helper()
	r.next(Building)
	e := r.next(want)
	if idle := r.next(Idle); e.Kept != kept || idle.Kept != kept {
		r.t.Errorf("kept %q and %q, want %q", e.Kept, idle.Kept, kept)
	}
	return e
}

// answer calls the tool and returns the text of its answer.
func (r *rig) answer(id, tool string) string {
	r.t.Helper()
	result, err := r.host.CallTool(r.t.Context(), host.ToolCall{PluginID: id, Tool: tool, Timeout: patience}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return text(result)
}

func text(result host.ToolResult) string {
	var parts []string
	for _, c := range result.Content {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, "\n")
}

// greeter is a runtime whose tool answers word.
func greeter(word string) string {
	return `
import { runJSONLRuntime, type RuntimePlugin } from "@wuu/plugin-sdk";
import { word } from "./word";
` + greeterPlugin + `
await runJSONLRuntime(plugin);
// ` + word
}

const greeterPlugin = `
const plugin: RuntimePlugin = {
	initialize: () => ({ tools: [{ id: "greet", description: "Greets.", input_schema: { type: "object" } }] }),
	executeTool: () => ({ result: { content: [{ type: "text", text: word }] } }),
};`

func word(w string) string { return "export const word: string = " + `"` + w + `";` }

// hello is a plugin folder.
func hello() map[string]string {
	return map[string]string{
		"plugin.json": `{
  "schema_version": 1, "id": "hello", "name": "hello", "version": "0.1.0", "description": "A greeter",
  "runtime": {"protocol": "wuu-plugin-v1", "command": "node", "args": ["dist/index.js"]}
}`,
		"package.json": `{"name": "hello", "version": "0.1.0", "private": true, "type": "module"}`,
		"src/index.ts": greeter("first"),
		"src/word.ts":  word("first"),
	}
}
