package main_test

import (
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
)

// digestCmd sets $DIGEST to the capabilities digest in a JSON document.
func digestCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: digest file")
	}
	doc, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	found := regexp.MustCompile(`"capabilities_digest": "([^"]+)"`).FindSubmatch(doc)
	if found == nil {
		ts.Fatalf("no digest in %s", doc)
	}
	ts.Setenv("DIGEST", string(found[1]))
}
