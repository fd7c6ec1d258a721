// Command docgen writes docs/reference.md from the code.
package main

import (
	"fmt"
	"os"

	"github.com/wuu-plugins/wuu/internal/cli"
)

func main() {
	if err := cli.WriteReference(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}
