package cli

import "github.com/spf13/cobra"

// addTo gives a verb the flags that go with a spec.
func (f *sourceFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.Registry, "registry", "", "HTTPS `ORIGIN` of another npm registry")
	cmd.Flags().StringVar(&f.Integrity, "integrity", "", "expected `sha512-…` of the archive")
	cmd.Flags().BoolVar(&f.Offline, "offline", false, "use the content store alone, no network")
	cmd.Flags().StringVar(&f.Progress, "progress", "", "`json`: phases as JSON lines on stderr")
	choices(cmd, "progress", "json")
}
