package main_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wuu-plugins/wuu/registry/registrytest"
)

type registryKey struct{}

// scriptRegistry is the registry of one script, once it has asked for one.
type scriptRegistry struct {
	server *registrytest.Server
	keys   map[string]*registrytest.SigningKey
	proxy  *registrytest.Proxy
	faults []func()
}

// ofScript starts the script's registry on first use; $REGISTRY is its origin
// and $SSL_CERT_FILE makes wuu trust it.
func ofScript(ts *testscript.TestScript) *scriptRegistry {
	held := ts.Value(registryKey{}).(*scriptRegistry)
	if held.server == nil {
		server, err := registrytest.Start()
		ts.Check(err)
		held.server, held.keys = server, map[string]*registrytest.SigningKey{}
		ts.Defer(func() { server.Close() })
		ts.Setenv("SSL_CERT_FILE", server.CAFile())
		ts.Setenv("REGISTRY", server.URL())
		ts.Setenv("WUU_REGISTRY", server.URL())
	}
	return held
}

// registryCmd publishes the tarballs it is given.
func registryCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: registry file.tgz...")
	}
	held := ofScript(ts)
	for _, file := range args {
		tgz, err := os.ReadFile(ts.MkAbs(file))
		ts.Check(err)
		_, err = held.server.Publish(tgz)
		ts.Check(err)
	}
}

// keysCmd makes the registry offer keys, sign with them what is published from
// now on, or let one expire. Names are the script's own.
func keysCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: keys offer|sign|expire name...")
	}
	held := ofScript(ts)
	var list []*registrytest.SigningKey
	for _, name := range args[1:] {
		if held.keys[name] == nil {
			key, err := registrytest.NewSigningKey()
			ts.Check(err)
			held.keys[name] = key
			ts.Setenv("KEY_"+name, key.ID)
		}
		list = append(list, held.keys[name])
	}
	switch args[0] {
	case "offer":
		held.server.OfferKeys(list...)
	case "sign":
		held.server.SignWith(list...)
	case "expire":
		for _, key := range list {
			key.Expires = time.Now().Add(-time.Hour)
		}
	default:
		ts.Fatalf("keys does not know %q", args[0])
	}
}

// faultCmd lets something go wrong at the registry until "fault off".
func faultCmd(ts *testscript.TestScript, neg bool, args []string) {
	held := ofScript(ts)
	if !neg && len(args) == 1 && args[0] == "off" {
		for _, remove := range held.faults {
			remove()
		}
		held.faults = nil
		return
	}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fault off | fault target kind [argument]")
	}
	held.faults = append(held.faults, held.server.Inject(targetOf(ts, args[0]), faultOf(ts, args[1], append(args[2:], ""))))
}

func targetOf(ts *testscript.TestScript, name string) registrytest.Target {
	targets := map[string]registrytest.Target{
		"any": registrytest.Any, "packument": registrytest.Packument, "version": registrytest.VersionFile,
		"tarball": registrytest.Tarball, "keys": registrytest.Keys,
	}
	target, ok := targets[name]
	if !ok {
		ts.Fatalf("no target %q", name)
	}
	return target
}

// arrivedCmd waits until the registry has got a request of a kind, and empties
// its log.
func arrivedCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: arrived target")
	}
	server, target := ofScript(ts).server, targetOf(ts, args[0])
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if slices.ContainsFunc(server.Requests(), func(r registrytest.Request) bool { return r.Target == target }) {
			server.ResetRequests()
			return
		}
	}
	ts.Fatalf("no %s request came", args[0])
}

// nofilesCmd checks that there is no file but locks below a folder, which may be missing.
func nofilesCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nofiles folder")
	}
	_ = filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".lock" {
			ts.Fatalf("%s is there", path)
		}
		return nil
	})
}

func faultOf(ts *testscript.TestScript, kind string, args []string) registrytest.Fault {
	number := func() int {
		n, err := strconv.Atoi(args[0])
		ts.Check(err)
		return n
	}
	switch kind {
	case "captive":
		return registrytest.CaptivePage()
	case "corrupt":
		return registrytest.CorruptBody()
	case "redirect":
		return registrytest.RedirectTo(args[0])
	case "status":
		return registrytest.StatusCode(number(), "")
	case "slow":
		return registrytest.SlowBody(number(), 50*time.Millisecond)
	case "stall":
		return registrytest.StallBody(number())
	case "oversize":
		return registrytest.Oversize(number())
	case "integrity":
		return registrytest.WrongIntegrity()
	}
	ts.Fatalf("no fault %q", kind)
	return registrytest.Fault{}
}

// proxyCmd starts a CONNECT proxy before the registry, which is then reached as
// https://registry.example.com. $PROXY is the proxy's host:port.
func proxyCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: proxy user:password")
	}
	held := ofScript(ts)
	proxy, err := held.server.StartProxy(args[0])
	ts.Check(err)
	held.proxy = proxy
	ts.Defer(func() { proxy.Close() })
	ts.Setenv("PROXY", proxy.Addr())
	held.server.SetPublicURL("https://registry.example.com")
	ts.Setenv("WUU_REGISTRY", "https://registry.example.com")
}

// proxiedCmd checks which host:port the proxy was asked for, and that there
// was no other.
func proxiedCmd(ts *testscript.TestScript, neg bool, args []string) {
	proxy := ofScript(ts).proxy
	if neg || len(args) != 1 || proxy == nil {
		ts.Fatalf("usage: proxied host:port, after proxy")
	}
	if got := slices.Compact(slices.Sorted(slices.Values(proxy.Hosts()))); !slices.Equal(got, args) {
		ts.Fatalf("the proxy was asked for %v, want %v", got, args)
	}
}

// flipallCmd changes one byte of every archive in a content store.
func flipallCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: flipall folder")
	}
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "??", strings.Repeat("?", 128)))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no archive is in %s", args[0])
	}
	for _, file := range files {
		flipCmd(ts, false, []string{file})
	}
}

// fromjsonCmd sets a variable to a member of a JSON file, a text.
func fromjsonCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: fromjson variable key file")
	}
	var doc map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[2])), &doc))
	text, ok := doc[args[1]].(string)
	if !ok {
		ts.Fatalf("%s has no text %s", args[2], args[1])
	}
	ts.Setenv(args[0], text)
}
