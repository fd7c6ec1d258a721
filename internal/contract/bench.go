package contract

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/pack"
)

// closeLimit bounds the end of one host, also after ctx has ended.
const closeLimit = 10 * time.Second

// bench is a temporary home with one package, for one host after the other.
type bench struct {
	o       Options
	dir     string
	home    paths.Home
	project string
	state   host.State
}

// newBench copies the package out, so that the plugin runs from what would be
// installed and from nothing else.
func newBench(ctx context.Context, o Options) (*bench, error) {
	dir, err := os.MkdirTemp("", "wuu-test-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary home: %w", err)
	}
	b := &bench{o: o, dir: dir, project: filepath.Join(dir, "project")}
	if err := b.fill(ctx); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) fill(ctx context.Context) (err error) {
	if b.home, err = paths.At(filepath.Join(b.dir, "home")); err != nil {
		return err
	}
	root := filepath.Join(b.dir, "package")
	for _, d := range []string{b.home.Dir(), b.project, root} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	if err := copyOut(ctx, b.o.Package, root); err != nil {
		return fmt.Errorf("copy the package: %w", err)
	}
	b.state = host.State{Epoch: 1, Plugins: []catalog.Record{record(b.o.Package, root)}}
	return nil
}

// record describes p as if it had been installed into root.
func record(p *pack.Package, root string) catalog.Record {
	enabled := true
	return catalog.Record{
		ID: p.ID, Name: p.ID, Version: p.Version, ManifestPath: p.ManifestPath,
		Origin:    catalog.Origin{Kind: "directory", Path: root, Identity: "test:" + p.ID},
		FileCount: len(p.Files), UnpackedSize: p.Size,
		PackageFingerprint: p.Fingerprint, Fingerprint: p.Fingerprint,
		Trusted: true, DefaultEnabled: true, EnabledOverride: &enabled, Root: root,
	}
}

func copyOut(ctx context.Context, p *pack.Package, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return p.CopyTo(ctx, root)
}

// close removes everything. A temporary folder that stays is worth a note, not
// a failed test.
func (b *bench) close() {
	if err := fsx.RemoveAll(b.dir); err != nil && b.o.Log != nil {
		fmt.Fprintf(b.o.Log, "cannot remove %s: %v\n", b.dir, err)
	}
}

// session is one life of the plugin: a host with it alone.
type session struct {
	*host.Host
	id   string
	rec  *recorder
	seen host.Observation // of the start

	mu      sync.Mutex
	endings []ending // of the processes that were asked to end
}

// ending is how a process took its end.
type ending struct {
	err      error
	leftover bool
}

// start makes a host and lets it start the plugin; how that went is in seen.
func (b *bench) start(ctx context.Context) (*session, error) {
	s := &session{id: b.o.Package.ID, rec: newRecorder(b.o.Log)}
	h, err := host.New(host.Options{
		Home: b.home, Project: b.project, Product: "wuu plugin test", Node: b.o.Node,
		Hard: b.o.Hard, Log: s.rec, Getenv: b.o.Getenv, Now: b.o.Now, Trace: s.rec.trace,
		Ended: func(_ string, err error, leftover bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.endings = append(s.endings, ending{err, leftover})
		},
	})
	if err != nil {
		return nil, err
	}
	s.Host = h
	seen, err := h.Start(ctx, b.state)
	if err != nil {
		s.close()
		return nil, err
	}
	for _, o := range seen {
		if o.PluginID == s.id {
			s.seen = o
		}
	}
	return s, nil
}

// close ends the host and its plugin. It may be called more than once.
func (s *session) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	_ = s.Close(ctx) // how the plugin took it is in endings
}

// ended is the worst of the endings; false when no process was asked to end,
// because all had ended before.
func (s *session) ended() (worst ending, asked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.endings {
		if worst.err == nil {
			worst.err = e.err
		}
		worst.leftover = worst.leftover || e.leftover
	}
	return worst, len(s.endings) > 0
}

// because makes a failed check of what the host says about the plugin.
func (s *session) because(id string, f *host.Failure) Check {
	c := Check{ID: id, Message: "the host gave no reason"}
	if f != nil {
		c.Message, c.Hint = f.Code+": "+f.Message, f.Hint
	}
	c.Frames, c.Log = s.rec.since(0)
	return c
}
