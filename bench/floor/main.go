// Command floor extracts a local npm tarball as barely as Go can with the same
// inflater as wuu: one thread, no hash, no check, no network. It is what an
// install is compared with.
package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/wuu-plugins/wuu/internal/inflate"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

// gzipHead is the length of a gzip header without names, as npm writes it.
const gzipHead = 10

func run(tgz, to string) error {
	in, err := os.Open(tgz)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.Chdir(to); err != nil {
		return err
	}
	if _, err := in.Seek(gzipHead, io.SeekStart); err != nil {
		return err
	}
	z := inflate.NewReader(in)
	buf := make([]byte, 128<<10)
	made := map[string]bool{}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if dir := path.Dir(h.Name); !made[dir] {
			made[dir] = true
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		if err := write(h.Name, t, buf); err != nil {
			return err
		}
	}
}

func write(name string, from io.Reader, buf []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := io.CopyBuffer(struct{ io.Writer }{f}, from, buf); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
