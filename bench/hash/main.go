// Command hash drives what `wuu plugin pack` is made of, one part at a time:
// fingerprint DIR hashes the packed set, read DIR only reads every file, and
// store DIR FILE writes a zip without compressing.
package main

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/pack"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "hash:", err)
		os.Exit(1)
	}
}

func run(verb string, args []string) error {
	root, err := os.OpenRoot(args[0])
	if err != nil {
		return err
	}
	defer root.Close()
	switch verb {
	case "fingerprint":
		p, findings, err := pack.OpenDir(context.Background(), root, pack.Options{})
		if err != nil {
			return err
		}
		if p == nil {
			return fmt.Errorf("refused: %+v", findings)
		}
		fmt.Println(p.Fingerprint)
		return nil
	case "read":
		buf := make([]byte, 128<<10)
		return each(root, func(_ string, f *os.File) error {
			_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{f}, buf)
			return err
		})
	case "store":
		return store(root, args[1])
	}
	return fmt.Errorf("no verb %q", verb)
}

func store(root *os.Root, file string) error {
	out, err := os.Create(filepath.Clean(file))
	if err != nil {
		return err
	}
	defer out.Close()
	z := zip.NewWriter(out)
	err = each(root, func(name string, f *os.File) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		_, err = io.Copy(w, f)
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}

func each(root *os.Root, do func(name string, f *os.File) error) error {
	return fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		return do(name, f)
	})
}
