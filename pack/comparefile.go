package pack

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"runtime"
)

// modesKept reports whether the file system keeps the executable bit.
func modesKept() bool { return runtime.GOOS != "windows" }

func hashText(f File) string { return "sha256-" + hex.EncodeToString(f.SHA256[:]) }

func modeText(f File) string {
	if f.Exec {
		return "0755"
	}
	return "0644"
}

// installedFile hashes one file as it stands on the disk, until ctx ends.
func installedFile(ctx context.Context, root *os.Root, path string) (File, error) {
	f, err := root.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	out := File{Path: path, Exec: info.Mode()&0o111 != 0}
	for buf := make([]byte, 256<<10); ; {
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		n, err := f.Read(buf)
		sum.Write(buf[:n])
		out.Size += int64(n)
		if errors.Is(err, io.EOF) {
			copy(out.SHA256[:], sum.Sum(nil))
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}
