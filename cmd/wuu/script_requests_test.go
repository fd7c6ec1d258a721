package main_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// requestsCmd checks how many requests of each kind the registry has got since
// the last call, and that there were no others.
func requestsCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: requests [packument=N] [version=N] [tarball=N] [keys=N]")
	}
	names := map[registrytest.Target]string{
		registrytest.Packument: "packument", registrytest.VersionFile: "version", registrytest.Tarball: "tarball", registrytest.Keys: "keys",
	}
	server := ofScript(ts).server
	got, want := map[string]int{}, map[string]int{}
	var paths []string
	for _, r := range server.Requests() {
		got[names[r.Target]]++
		paths = append(paths, r.Path)
	}
	server.ResetRequests()
	for _, arg := range args {
		name, text, _ := strings.Cut(arg, "=")
		n, err := strconv.Atoi(text)
		ts.Check(err)
		want[name] = n
	}
	for _, name := range []string{"packument", "version", "tarball", "keys", ""} {
		if got[name] != want[name] {
			ts.Fatalf("%d %s requests, want %d; all: %v", got[name], name, want[name], paths)
		}
	}
}

// editCmd replaces a text, which must be there, in a file.
func editCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit file old new")
	}
	src := ts.ReadFile(args[0])
	if !strings.Contains(src, args[1]) {
		ts.Fatalf("%q is not in %s:\n%s", args[1], args[0], src)
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(path, []byte(strings.ReplaceAll(src, args[1], args[2])), 0o644))
}

// crlfCmd writes a file anew with the line ends of Windows.
func crlfCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: crlf file")
	}
	src := strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\r\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(src), 0o644))
}

// takeCmd sets a key of one JSON file to the value that it has in another.
func takeCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: take key from to")
	}
	value := func(file string) string {
		var doc map[string]any
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &doc))
		text, ok := doc[args[0]].(string)
		if !ok {
			ts.Fatalf("%s has no %s", file, args[0])
		}
		return text
	}
	editCmd(ts, false, []string{args[2], value(args[2]), value(args[1])})
}

type anotherKey struct{}

// anotherCmd starts a second registry, $ANOTHER, and publishes on it; "another
// off" ends it. $NODE_EXTRA_CA_CERTS makes wuu trust it.
func anotherCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: another file.tgz... | another off")
	}
	held := ts.Value(anotherKey{}).(*scriptRegistry)
	if args[0] == "off" {
		ts.Check(held.server.Close())
		return
	}
	if held.server == nil {
		server, err := registrytest.Start()
		ts.Check(err)
		held.server = server
		ts.Defer(func() { server.Close() })
		ca := ts.MkAbs("another.pem") // the server takes its own away when it ends
		src, err := os.ReadFile(server.CAFile())
		ts.Check(err)
		ts.Check(os.WriteFile(ca, src, 0o644))
		ts.Setenv("NODE_EXTRA_CA_CERTS", ca)
		ts.Setenv("ANOTHER", server.URL())
	}
	for _, file := range args {
		_, err := held.server.Publish([]byte(ts.ReadFile(file)))
		ts.Check(err)
	}
}

// truncateCmd keeps the first bytes of a file.
func truncateCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: truncate file bytes")
	}
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

// flipstoredCmd changes a bit of the archive that the content store has as
// npm:<name>@<version>.
func flipstoredCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: flipstored npm:name@version")
	}
	for _, b := range registry.OpenStore(filepath.Join(ts.Getenv("WUU_HOME"), "cache"), 0, nil).List() {
		for _, src := range b.Sources {
			if "npm:"+src.Package+"@"+src.Version == args[0] {
				name := hex.EncodeToString(b.SHA512[:])
				flipCmd(ts, false, []string{filepath.Join(ts.Getenv("WUU_HOME"), "cache", "sha512", name[:2], name)})
				return
			}
		}
	}
	ts.Fatalf("%s is not stored", args[0])
}
