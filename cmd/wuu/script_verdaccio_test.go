package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// verdaccio is a second real registry, installed from npm for one test run.
type verdaccio struct {
	t    *testing.T
	once sync.Once
	dir  string // holds node_modules; "" when npm could not fetch it
	err  error
}

// verdaccioPackage pins what is installed. node-fetch 2.6 warns and breaks on
// current Nodes; Verdaccio 6.10 needs Node 22, which is on npm as well.
const verdaccioPackage = `{"private":true,"dependencies":{"verdaccio":"6.10.4"%s},"overrides":{"node-fetch":"2.7.0"}}`

// available installs verdaccio. false means that npm could not fetch it; any
// other failure is an error, so that nothing is skipped by mistake.
func (v *verdaccio) available() (bool, error) {
	v.once.Do(v.install)
	return v.dir != "", v.err
}

// unreachable is how npm says that it got no answer, or not the package.
var unreachable = regexp.MustCompile(`\b(E404|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|ETARGET|E50[0234])\b`)

func (v *verdaccio) install() {
	extra := ""
	if nodeMajor() < 22 {
		arch := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
		if runtime.GOOS == "windows" || arch == "" {
			v.err = fmt.Errorf("verdaccio needs Node 22; this is an older one")
			return
		}
		extra = fmt.Sprintf(`,"node":"npm:node-%s-%s@22"`, runtime.GOOS, arch)
	}
	dir := v.t.TempDir()
	if v.err = os.WriteFile(filepath.Join(dir, "package.json"), fmt.Appendf(nil, verdaccioPackage, extra), 0o600); v.err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(v.t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", filepath.Join(dir, "cache"))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		v.dir = dir
	case unreachable.Match(out) || ctx.Err() != nil:
		v.t.Logf("npm could not fetch verdaccio: %v\n%s", err, out)
	default:
		v.err = fmt.Errorf("install verdaccio: %w\n%s", err, out)
	}
}

func nodeMajor() int {
	out, _ := exec.Command("node", "--version").Output() // no node: 0
	major := 0
	_, _ = fmt.Sscanf(string(out), "v%d", &major)
	return major
}

const verdaccioConfig = `storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
    max_users: 10
uplinks: {}
packages:
  '@*/*': { access: $all, publish: $authenticated, unpublish: $authenticated }
  '**': { access: $all, publish: $authenticated, unpublish: $authenticated }
log: { type: stdout, format: pretty, level: warn }
`

// start runs verdaccio on loopback for one script: $VERDACCIO is its origin, and
// npm is logged in to it.
func (v *verdaccio) start(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 || v.dir == "" {
		ts.Fatalf("usage: verdaccio, after [verdaccio]")
	}
	dir := ts.MkAbs("verdaccio")
	ts.Check(os.MkdirAll(dir, 0o700))
	ts.Check(os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(verdaccioConfig), 0o600))
	origin := "http://" + freeAddr(ts)
	cmd := exec.Command(v.node(), filepath.Join(v.dir, "node_modules", "verdaccio", "bin", "verdaccio"),
		"--config", filepath.Join(dir, "config.yaml"), "--listen", origin)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NODE_OPTIONS=--no-deprecation")
	var log lockedBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	ts.Check(cmd.Start())
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	ts.Defer(func() { _ = cmd.Process.Kill(); <-ended })
	waitForVerdaccio(ts, origin, ended, &log)
	logIn(ts, origin)
}

func (v *verdaccio) node() string {
	if own := filepath.Join(v.dir, "node_modules", "node", "bin", "node"); nodeMajor() < 22 {
		return own
	}
	return "node"
}

func freeAddr(ts *testscript.TestScript) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	return l.Addr().String()
}

func waitForVerdaccio(ts *testscript.TestScript, origin string, ended <-chan struct{}, log *lockedBuffer) {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		if res, err := client.Get(origin + "/-/ping"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-ended:
			ts.Fatalf("verdaccio ended:\n%s", log)
		case <-time.After(100 * time.Millisecond):
		}
	}
	ts.Fatalf("verdaccio does not answer:\n%s", log)
}

// logIn makes a user, and gives npm his token in an .npmrc of the script.
func logIn(ts *testscript.TestScript, origin string) {
	req, err := http.NewRequest(http.MethodPut, origin+"/-/user/org.couchdb.user:ada", strings.NewReader(`{"name":"ada","password":"correct horse battery"}`))
	ts.Check(err)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	ts.Check(err)
	var doc struct{ Token string }
	if json.Unmarshal(body, &doc) != nil || doc.Token == "" {
		ts.Fatalf("verdaccio gave no token: %d %s", res.StatusCode, body)
	}
	rc := ts.MkAbs("npmrc")
	ts.Check(os.WriteFile(rc, fmt.Appendf(nil, "registry=%s\n%s/:_authToken=%s\n", origin, strings.TrimPrefix(origin, "http:"), doc.Token), 0o600))
	ts.Setenv("npm_config_userconfig", rc)
	ts.Setenv("npm_config_cache", ts.MkAbs("npm-cache"))
	ts.Setenv("npm_config_update_notifier", "false")
	ts.Setenv("VERDACCIO", origin)
	ts.Setenv("TOKEN", doc.Token)
}

// lockedBuffer collects the output of a process that still runs.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
