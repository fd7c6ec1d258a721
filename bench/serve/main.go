// Command serve is the registry of the benchmark: it publishes the tarballs
// named on the command line, without their dependencies, since every client is
// to fetch one package; prints a JSON document; and serves until its standard
// input ends. It is a process of its own because the memory of a process that
// starts another one counts as the peak of that one.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/wuu-plugins/wuu/registry/registrytest"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(files []string) error {
	server, err := registrytest.Start()
	if err != nil {
		return err
	}
	defer server.Close()
	server.Inject(registrytest.Packument, registrytest.Metadata(alone))
	doc := struct {
		URL, CAFile string
		Packages    []registrytest.Published
	}{URL: server.URL(), CAFile: server.CAFile()}
	for _, file := range files {
		tgz, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		p, err := server.Publish(tgz)
		if err != nil {
			return err
		}
		doc.Packages = append(doc.Packages, p)
	}
	if err := json.NewEncoder(os.Stdout).Encode(doc); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func alone(doc map[string]any) {
	for _, field := range []string{
		"dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies", "devDependencies", "engines", "os", "cpu",
	} {
		delete(doc, field)
	}
}
