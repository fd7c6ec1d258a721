package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wuu-plugins/wuu/internal/cli"
	"github.com/wuu-plugins/wuu/registry"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"wuu": func() { os.Exit(cli.Main(os.Args[1:])) },
	})
}

// TestScripts runs testdata/script/*.txtar: each drives the real binary as a
// user would, in a home of its own.
func TestScripts(t *testing.T) {
	second := &verdaccio{t: t}
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("WUU_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("NO_COLOR", "1")
			env.Values[registryKey{}] = new(scriptRegistry)
			env.Values[anotherKey{}] = new(scriptRegistry)
			env.Values[spawnKey{}] = map[string]*exec.Cmd{}
			plugins, err := filepath.Abs("../../testdata/plugins")
			env.Setenv("PLUGINS", plugins)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"registry": registryCmd,
			"until":    untilCmd,
			"flip":     flipCmd,
			"flipall":  flipallCmd,
			"fromjson": fromjsonCmd,
			"exits":    exitsCmd,
			"spawn":    spawnCmd,
			"end":      endCmd,
			"seen":     seenCmd,
			"gone":     goneCmd,
			"digest":   digestCmd,
			"keys":     keysCmd,
			"fault":    faultCmd,
			"proxy":    proxyCmd,
			"proxied":  proxiedCmd,
			"arrived":  arrivedCmd,
			"nofiles":  nofilesCmd,
			"requests": requestsCmd,
			"another":  anotherCmd,
			"edit":     editCmd,
			"truncate": truncateCmd,
			"crlf":     crlfCmd,
			"take":     takeCmd,

			"flipstored": flipstoredCmd,

			"verdaccio": second.start,
		},
		Condition: func(name string) (bool, error) {
			if name == "verdaccio" {
				return second.available()
			}
			return condition(name)
		},
	})
}

// condition knows [full] (WUU_FULL=1) and [npm] (the npm registry answers).
func condition(name string) (bool, error) {
	switch name {
	case "full":
		return os.Getenv("WUU_FULL") == "1", nil
	case "npm":
		client := http.Client{Timeout: 10 * time.Second}
		resp, err := client.Get(registry.DefaultRegistry + "/left-pad/1.3.0")
		if err != nil {
			return false, nil // not reachable is the answer
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// exitsCmd runs a command that must end with one exact exit code.
func exitsCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// untilCmd runs a command again and again until its output matches: the way
// to wait for a process in the background.
func untilCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until regexp command args...")
	}
	want, err := regexp.Compile(args[0])
	ts.Check(err)
	var out []byte
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		cmd := exec.Command(args[1], args[2:]...)
		cmd.Dir = ts.Getenv("WORK")
		cmd.Env = environ(ts)
		if out, _ = cmd.CombinedOutput(); want.Match(out) {
			return
		}
	}
	ts.Fatalf("no match for %q; the last output was:\n%s", args[0], out)
}

func environ(ts *testscript.TestScript) []string {
	var env []string
	for _, key := range []string{"PATH", "HOME", "TMPDIR", "WUU_HOME", "SSL_CERT_FILE", "WUU_REGISTRY", "NO_COLOR"} {
		env = append(env, key+"="+ts.Getenv(key))
	}
	return env
}

// flipCmd changes one byte in the middle of a file.
func flipCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: flip file")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	before := bytes.Clone(data)
	data[len(data)/2] ^= 0x40
	if bytes.Equal(before, data) {
		ts.Fatalf("nothing changed")
	}
	ts.Check(os.Chmod(path, 0o644))
	ts.Check(os.WriteFile(path, data, 0o644))
	ts.Logf("%s", fmt.Sprintf("flipped a bit at %d", len(data)/2))
}
