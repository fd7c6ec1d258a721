// Command installshape does what `wuu plugin install` does up to the commit,
// for packages that install refuses as plugins: resolve, download to the content
// store while hashing, compare, check every entry, extract into a private
// folder, one sync, one rename. It drives the same packages as the command, with
// raised limits, and is what the benchmark times.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "installshape:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	from := flag.String("registry", "", "origin of the registry; without it the argument is a tarball")
	home := flag.String("home", "", "folder for the content store, the staging folder and the result")
	sync := flag.Bool("sync", false, "make the result durable before the rename")
	flag.Parse()
	if flag.NArg() != 1 || *home == "" {
		return errors.New("usage: installshape --home DIR [--registry URL] [--sync] SPEC")
	}
	ctx := context.Background()
	client, err := registry.NewClient(registry.ClientOptions{CacheDir: filepath.Join(*home, "cache"), Getenv: os.Getenv})
	if err != nil {
		return err
	}
	defer client.Close()
	source, err := registry.ParseSource(flag.Arg(0), registry.SourceOptions{Registry: *from})
	if err != nil {
		return err
	}
	artifact, err := client.Fetch(ctx, source, nil)
	if err != nil {
		return err
	}
	defer artifact.Close()
	stage := filepath.Join(*home, "stage")
	if err := os.MkdirAll(stage, 0o700); err != nil {
		return err
	}
	if err := extract(ctx, artifact, stage); err != nil {
		return err
	}
	if *sync {
		if err := fsx.SyncFS(stage); err != nil {
			return err
		}
	}
	return os.Rename(stage, filepath.Join(*home, "package"))
}

// extract takes every finding for a failure but the one that all of these
// packages have: they are no plugins.
func extract(ctx context.Context, a *registry.Artifact, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	limits := pack.Limits{Archive: 1 << 30, Unpacked: 4 << 30, Entries: 100_000, Ratio: 1000}
	_, findings, err := pack.Extract(ctx, a.Blob, a.Size, root, pack.Options{Limits: limits, Format: pack.TGZ})
	if err != nil {
		return err
	}
	for _, f := range findings {
		if f.Severity == "error" && f.Code != "MANIFEST_MISSING" {
			return fmt.Errorf("%s: %s: %s", f.File, f.Code, f.Message)
		}
	}
	return nil
}
