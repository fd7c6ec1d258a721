// Command card links the five libraries that wuu is known to be made of and
// prints a help text: the floor that wuu's own start is compared with.
package main

import (
	"io"
	"os"

	"github.com/Masterminds/semver/v3"
	"github.com/fsnotify/fsnotify"
	"github.com/klauspost/compress/gzip"
	"github.com/spf13/cobra"
	"github.com/spf13/viper"
)

func main() {
	cmd := &cobra.Command{Use: "card", Short: "Nothing but help", RunE: func(*cobra.Command, []string) error { return use() }}
	cmd.AddCommand(&cobra.Command{Use: "child", Run: func(*cobra.Command, []string) {}})
	if cmd.Execute() != nil {
		os.Exit(1)
	}
}

// use keeps the linker from dropping what a real program would use.
func use() error {
	if _, err := semver.NewConstraint("^1.2"); err != nil {
		return err
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer w.Close()
	viper.New().SetConfigType("toml")
	return gzip.NewWriter(io.Discard).Close()
}
