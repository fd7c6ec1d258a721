// Package cli is wuu's command line: one file a verb, each a thin composition
// of the packages below. Only this package and term write to the streams.
package cli

import (
	"context"
	"os"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/config"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/host/control"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/internal/version"
	"github.com/wuu-plugins/wuu/registry"
)

// App is what every verb needs from outside, and the flags all verbs share.
type App struct {
	IO     *term.IO
	Getenv func(string) string
	Dir    string // working directory, absolute
	Now    func() time.Time

	// hard ends at a second signal, or patience after the first; nil means never.
	hard context.Context

	homeFlag string
	color    string
	json     bool
	quiet    bool
	verbose  bool

	home   paths.Home
	config config.Config
}

// NewApp takes streams, environment and clock from the system.
func NewApp() (*App, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &App{IO: term.System(), Getenv: os.Getenv, Dir: dir, Now: time.Now}, nil
}

// setup resolves the home and the settings once the flags are parsed.
func (a *App) setup() error {
	home, err := paths.Resolve(a.homeFlag, a.Getenv)
	if err != nil {
		return fault.New(fault.Usage, "HOME_UNKNOWN", "", "find the wuu home: %w", err).
			WithHint("set WUU_HOME or pass --home DIR")
	}
	if err := checkHome(home); err != nil {
		return err
	}
	a.home = home
	a.config, err = config.Load(home.Config(), a.Dir, a.Getenv)
	if err != nil {
		return fault.New(fault.Usage, "CONFIG_BAD", "", "%w", err).
			WithHint("correct or remove the setting")
	}
	if a.color == "" {
		a.color = a.config.Color
	}
	if err := a.IO.SetColor(a.color, a.Getenv); err != nil {
		return fault.New(fault.Usage, "USAGE", "", "%w", err)
	}
	return nil
}

func (a *App) catalog() *catalog.Catalog { return catalog.Open(a.home, a.Now) }

// insecureLoopback allows http://127.0.0.1 registries in tests; it needs the
// variable and an explicit --registry (design/distribution.md).
func (a *App) insecureLoopback() bool { return a.Getenv("WUU_INSECURE_LOOPBACK") == "1" }

func (a *App) registryClient(offline bool) (*registry.Client, error) {
	return registry.NewClient(registry.ClientOptions{
		CacheDir: a.home.Cache(), CacheMax: a.config.CacheMax, Offline: offline,
		Getenv: a.Getenv, Now: a.Now, UA: "wuu/" + version.String(),
		InsecureLoopback: a.insecureLoopback(),
	})
}

// liveHosts connects to every live host of the home. A host that does not
// answer is named on stderr and left out. release closes the connections.
func (a *App) liveHosts(ctx context.Context) (clients []*control.Client, release func()) {
	clients, errs := control.DialAll(ctx, a.home)
	for _, err := range errs {
		a.warn("%v", err)
	}
	return clients, func() {
		for _, c := range clients {
			c.Close()
		}
	}
}

func controllers(clients []*control.Client) []host.Controller {
	list := make([]host.Controller, len(clients))
	for i, c := range clients {
		list[i] = c
	}
	return list
}
