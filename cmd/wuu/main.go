// Command wuu writes, checks, tests, packs, installs and live-reloads plugins
// for AI agents.
package main

import (
	"os"

	"github.com/wuu-plugins/wuu/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
