package pack_test

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/pack"
)

// otherReader is what somebody else makes of an archive: path → content of
// the regular files, or an error when it refuses.
type otherReader struct {
	name    string
	formats string // "tgz", "zip" or both
	read    func(file string, format pack.Format) (map[string]string, error)
}

// otherReaders are the readers that this machine has. Those of the standard
// library are always there.
func otherReaders(t testing.TB) []otherReader {
	t.Helper()
	list := []otherReader{{"archive/tar", "tgz", stdTar}, {"archive/zip", "zip", stdZip}}
	script := func(program, name string, args ...string) otherReader {
		return otherReader{name: name, read: serve(t, program, args...)}
	}
	if python, err := exec.LookPath("python3"); err == nil {
		r := script(python, "python", filepath.Join("testdata", "readers", "reader.py"))
		r.formats = "tgz zip"
		list = append(list, r)
	}
	if tar := nodeTar(); tar != "" {
		r := script("node", "node-tar", filepath.Join("testdata", "readers", "reader.mjs"), tar)
		r.formats = "tgz"
		list = append(list, r)
	}
	for _, p := range []struct {
		program, formats string
		args             []string
	}{
		{"tar", "tgz", []string{"-xzf", "FILE", "-C", "DIR"}},
		{"bsdtar", "tgz zip", []string{"-xf", "FILE", "-C", "DIR"}},
		{"unzip", "zip", []string{"-qq", "-o", "FILE", "-d", "DIR"}},
		{"7z", "zip", []string{"x", "-y", "-bd", "-oDIR", "FILE"}},
	} {
		if program, err := exec.LookPath(p.program); err == nil {
			list = append(list, otherReader{p.program, p.formats, extractWith(t, program, p.args)})
		}
	}
	var names []string
	for _, r := range list {
		names = append(names, r.name)
	}
	t.Logf("other readers here: %s", strings.Join(names, ", "))
	return list
}

// nodeTar finds the node-tar of the npm on this machine, "" without one.
func nodeTar() string {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return ""
	}
	if npm, err = filepath.EvalSymlinks(npm); err != nil {
		return ""
	}
	for dir := filepath.Dir(npm); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if at := filepath.Join(dir, "node_modules", "tar"); exists(at) {
			return at
		}
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// serve keeps a reader running that answers one line for each line.
func serve(t testing.TB, program string, args ...string) func(string, pack.Format) (map[string]string, error) {
	cmd := exec.Command(program, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	lines := bufio.NewReader(out)
	return func(file string, format pack.Format) (map[string]string, error) {
		if _, err := io.WriteString(in, string(format)+" "+file+"\n"); err != nil {
			t.Fatalf("%s is gone: %v", program, err)
		}
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%s is gone: %v", program, err)
		}
		var answer struct {
			Files map[string]string
			Error string
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			t.Fatalf("%s answers %q", program, line)
		}
		if answer.Error != "" {
			return nil, errors.New(answer.Error)
		}
		for name, body := range answer.Files {
			raw, err := hex.DecodeString(body)
			if err != nil {
				return nil, err
			}
			answer.Files[name] = string(raw)
		}
		return answer.Files, nil
	}
}

// extractWith runs a program that extracts FILE into DIR.
func extractWith(t testing.TB, program string, args []string) func(string, pack.Format) (map[string]string, error) {
	return func(file string, _ pack.Format) (map[string]string, error) {
		dir, err := os.MkdirTemp(filepath.Dir(file), "x")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var real []string
		for _, a := range args {
			real = append(real, strings.ReplaceAll(strings.ReplaceAll(a, "FILE", file), "DIR", dir))
		}
		cmd := exec.Command(program, real...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, errors.New(err.Error() + ": " + string(out))
		}
		files := map[string]string{}
		err = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			if !e.Type().IsRegular() {
				return errors.New("a special entry")
			}
			rel, err := filepath.Rel(dir, p)
			if err != nil {
				return err
			}
			body, err := os.ReadFile(p)
			files[filepath.ToSlash(rel)] = string(body)
			return err
		})
		return files, err
	}
}

func stdTar(file string, _ pack.Format) (map[string]string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for r := tar.NewReader(zr); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(r)
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeCont:
			files[h.Name] = string(body)
		case tar.TypeDir, tar.TypeXGlobalHeader:
		default:
			err = errors.New("a special entry")
		}
		if err != nil {
			return nil, err
		}
	}
}

func stdZip(file string, _ pack.Format) (map[string]string, error) {
	r, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	files := map[string]string{}
	for _, f := range r.File {
		if f.Mode().IsDir() {
			continue
		}
		if !f.Mode().IsRegular() {
			return nil, errors.New("a special entry")
		}
		rc, err := f.Open()
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(rc)
		if err != nil {
			return nil, err
		}
		files[f.Name] = string(body)
	}
	return files, nil
}
