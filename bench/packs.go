package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// plant writes a plugin of the given number of files and size: three quarters
// text like code, one quarter bytes that do not shrink, the same on every run.
func plant(dir string, files int, size int64) error {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 4000)
	for i := range words {
		words[i] = fmt.Sprintf("w%x", r.Uint64())[:3+r.IntN(7)]
	}
	each := size / int64(files)
	for i := range files {
		folder := i * 40 / files // 40 of them, in eight
		name := filepath.Join(dir, fmt.Sprintf("src/d%d/m%02d", folder%8, folder), fmt.Sprintf("f%05d.js", i))
		body := make([]byte, 0, 2*each)
		want := each/2 + r.Int64N(each)
		if i%4 == 3 {
			name = strings.TrimSuffix(name, ".js") + ".bin"
			body = body[:want]
			for j := range body {
				body[j] = byte(r.Uint32())
			}
		}
		for int64(len(body)) < want {
			// Some words stand everywhere, most hardly anywhere, as in code.
			word := func() string { return words[min(int(r.ExpFloat64()*120), len(words)-1)] }
			body = fmt.Appendf(body, "  const %s = await %s.%s(%q, %d);\n", word(), word(), word(), word(), r.IntN(100))
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, body, 0o644); err != nil {
			return err
		}
	}
	for name, body := range map[string]string{
		"plugin.json":   `{"$schema":"./.wuu/plugin.schema.json","id":"big","name":"Big","version":"1.0.0","description":"A large plugin","runtime":{"protocol":"wuu-plugin-v1","command":"node","args":["main.js"]}}`,
		"main.js":       "process.stdin.resume();\n",
		"package.json":  `{"name":"wuu-big","version":"1.0.0"}`,
		"manifest.json": `{"manifest_version":"0.2","name":"big","version":"1.0.0","description":"A large plugin","author":{"name":"x"},"server":{"type":"node","entry_point":"main.js","mcp_config":{"command":"node","args":["main.js"]}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// packs compares packing and hashing of a tree.
type packs struct {
	t     *table
	bin   string // of the rivals
	wuu   string
	print string // the fingerprint program
	tmp   string
	only  filter
}

type tree struct {
	name     string
	files    int
	size     int64
	rounds   int
	zip, npm goal
	hashed   float64
}

func (b *packs) run() error {
	for _, t := range []tree{
		{
			name: "200 files, 5 MB", files: 200, size: 5e6, rounds: 15, hashed: 4,
			zip: goal{target: 3, gate: 2.2}, npm: goal{target: 20, gate: 8},
		},
		{
			name: "5,000 files, 190 MB", files: 5000, size: 190e6, rounds: 5, hashed: 4,
			zip: goal{target: 4, gate: 3}, npm: goal{target: 15, gate: 8},
		},
	} {
		if !b.only.wants(t.name) {
			continue
		}
		dir := filepath.Join(b.tmp, fmt.Sprintf("tree-%d", t.files))
		if err := plant(dir, t.files, t.size); err != nil {
			return err
		}
		progress("pack %s", t.name)
		if err := b.tree(t, dir); err != nil {
			return err
		}
	}
	return nil
}

func (b *packs) tree(t tree, dir string) error {
	out := func(name string) string { return filepath.Join(b.tmp, "out-"+name) }
	command := func(name string, argv ...string) contender {
		return contender{name: name, start: func(int) (*exec.Cmd, error) {
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Dir, cmd.Env = dir, environment()
			return cmd, os.RemoveAll(out(name))
		}}
	}
	list := []contender{
		command("wuu", b.wuu, "plugin", "pack", dir, "--no-build", "--output", out("wuu")+".zip"),
		command("wuu npm", b.wuu, "plugin", "pack", dir, "--no-build", "--format", "npm", "--output", out("wuu npm")+".tgz"),
		command("npm", "npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", b.tmp),
		command("store", b.print, "store", dir, out("store")),
		command("print", b.print, "fingerprint", dir),
		command("read", b.print, "read", dir),
		command("sha256sum", "bash", "-c", "find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum"),
	}
	for name, argv := range map[string][]string{
		"zip":   {"zip", "-q", "-r", "-X", out("zip") + ".zip", "."},
		"mcpb":  {filepath.Join(b.bin, "mcpb"), "pack", dir, out("mcpb") + ".mcpb"},
		"b3sum": {"bash", "-c", "find . -type f -print0 | sort -z | xargs -0 b3sum --num-threads 1 | sha256sum"},
	} {
		if _, err := exec.LookPath(map[string]string{"bash": "b3sum"}[argv[0]] + strings.TrimPrefix(argv[0], "bash")); err == nil {
			list = append(list, b.fresh(command(name, argv...), argv))
		}
	}
	r, err := race(list, t.rounds)
	if err != nil {
		return err
	}
	b.report(t, r)
	return b.identical(dir)
}

// fresh removes what the program would update instead of making it.
func (b *packs) fresh(c contender, argv []string) contender {
	start := c.start
	c.start = func(round int) (*exec.Cmd, error) {
		for _, a := range argv {
			if strings.HasPrefix(a, b.tmp) && filepath.Ext(a) != "" {
				if err := os.RemoveAll(a); err != nil {
					return nil, err
				}
			}
		}
		return start(round)
	}
	return c
}

func (b *packs) report(t tree, r map[string][]sample) {
	b.t.head("pack " + t.name)
	line := ""
	for _, c := range []string{"wuu", "wuu npm", "zip", "npm", "mcpb", "store", "print", "read", "sha256sum", "b3sum"} {
		if len(r[c]) > 0 {
			line += fmt.Sprintf("%s %.0f ms %.0f MiB   ", c, wall(r[c]), peak(r[c]))
		}
	}
	b.t.note("%s", line)
	b.rival("P1", "zip -r -X / pack", "zip", r, t.zip.target, t.zip.gate)
	b.rival("P2", "npm pack / pack --format npm", "npm", r, t.npm.target, t.npm.gate)
	b.rival("P2", "mcpb pack / pack", "mcpb", r, 10, 6)
	b.t.add(goal{"P3", "pack / read and store without compressing", ratio(r["wuu"], r["store"]), 4.2, 6, false})
	b.t.add(goal{"F1", "sha256sum pipeline / fingerprint", ratio(r["sha256sum"], r["print"]), t.hashed, 2.5, true})
	b.t.add(goal{"F2", "fingerprint / reading alone", ratio(r["print"], r["read"]), 2.6, 3.5, false})
	if t.files > 1000 && len(r["b3sum"]) > 0 {
		b.t.add(goal{"F4", "b3sum pipeline / fingerprint", ratio(r["b3sum"], r["print"]), 1.3, 1, true})
	}
}

func (b *packs) rival(id, what, name string, r map[string][]sample, target, gate float64) {
	if len(r[name]) == 0 {
		b.t.skip(id, what, name+" is not here")
		return
	}
	ours := "wuu"
	if name == "npm" {
		ours = "wuu npm"
	}
	b.t.add(goal{id, what, ratio(r[name], r[ours]), target, gate, true})
}

// identical packs once more after every file was touched, with one worker,
// and compares the bytes; it compares the size with zip's, too.
func (b *packs) identical(dir string) error {
	first, err := os.ReadFile(filepath.Join(b.tmp, "out-wuu.zip"))
	if err != nil {
		return err
	}
	if out, err := exec.Command("find", dir, "-type", "f", "-exec", "touch", "-d", "2001-02-03", "{}", "+").CombinedOutput(); err != nil {
		return fmt.Errorf("touch: %w\n%s", err, out)
	}
	again := filepath.Join(b.tmp, "out-again.zip")
	cmd := exec.Command(b.wuu, "plugin", "pack", dir, "--no-build", "--output", again)
	cmd.Env = append(environment(), "GOMAXPROCS=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("pack: %w\n%s", err, out)
	}
	second, err := os.ReadFile(again)
	if err != nil {
		return err
	}
	if sha256.Sum256(first) != sha256.Sum256(second) {
		return errors.New("P4: two packs of the same tree differ")
	}
	b.t.note("P4 two packs, the second after touching every file and on one core: identical, %.1f MB", float64(len(first))/1e6)
	if info, err := os.Stat(filepath.Join(b.tmp, "out-zip.zip")); err == nil {
		b.t.add(goal{"P1", "size of our zip / size of zip -r's", float64(len(first)) / float64(info.Size()), 1.035, 1.05, false})
	}
	return nil
}
