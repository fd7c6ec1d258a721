// Command fuzzall finds every fuzz target of the module and runs each for a
// short time: go test takes one target at a time only.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	limit := flag.String("time", "5s", "how long each target runs")
	flag.Parse()
	if err := run(*limit); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

var target = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

func run(limit string) error {
	found := 0
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range target.FindAllStringSubmatch(string(src), -1) {
			found++
			if err := fuzz(m[1], "./"+filepath.ToSlash(filepath.Dir(path)), limit); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && found == 0 {
		return fmt.Errorf("no fuzz target found")
	}
	return err
}

func fuzz(name, pkg, limit string) error {
	fmt.Println("fuzz", pkg, name)
	args := []string{"test", "-run", "^$", "-fuzz", "^" + name + "$", "-fuzztime", limit, pkg}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil && bytes.Contains(out, []byte("context deadline exceeded")) && !bytes.Contains(out, []byte("Failing input")) {
		// the fuzzer sometimes takes the end of its own time for a failure
		out, err = exec.Command("go", args...).CombinedOutput()
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", pkg, name, err, out)
	}
	return nil
}
