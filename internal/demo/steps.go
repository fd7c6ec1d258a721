package main

import (
	"fmt"
	"os"

	"github.com/wuu-plugins/wuu/registry/registrytest"
)

const greetAda = `{"name":"Ada"}`

func makeAndCheck(t *tour) error {
	return first(
		func() error { return t.wuuShows("created hello", "plugin", "create", "hello") },
		func() error { return t.wuuShows("valid hello 0.1.0", "plugin", "validate", "hello") },
		func() error { return t.wuuShows("greet", "plugin", "test", "hello") },
	)
}

func packAndInspect(t *tour) error {
	return first(
		func() error {
			return t.wuuShows("packed hello-0.1.0.zip", "plugin", "pack", "hello", "--format", "both")
		},
		func() error { return t.wuuShows("hello 0.1.0", "plugin", "inspect", "hello-0.1.0.zip") },
		func() error { return t.wuuShows("hello 0.1.0", "plugin", "inspect", "wuu-hello-0.1.0.tgz") },
	)
}

func installZip(t *tour) error {
	return first(
		func() error {
			return t.wuuShows("installed hello 0.1.0", "plugin", "install", "--yes", "hello-0.1.0.zip")
		},
		func() error { return t.wuuShows("Hello, Ada!", "plugin", "call", "hello", "greet", greetAda) },
	)
}

// fromRegistry publishes both versions on the project's own npm registry,
// over HTTPS, and installs, updates and replays from there.
func fromRegistry(t *tour) error {
	server, err := registrytest.Start()
	if err != nil {
		return err
	}
	t.server = server
	fmt.Printf("\n# an npm registry now answers on %s\n", server.URL())
	t.env = append(t.env, "SSL_CERT_FILE="+server.CAFile(), "WUU_REGISTRY="+server.URL())
	lock := t.path("home/plugins/hello/.wuu-package-lock.json")
	return first(
		func() error { return t.publish("wuu-hello-0.1.0.tgz") },
		func() error { return t.wuuShows("hello 0.1.0", "plugin", "install", "--yes", "npm:wuu-hello@0.1.0") },
		func() error { return t.wuuShows("npm:wuu-hello@0.1.0", "plugin", "list") },
		func() error { return t.wuuShows("Hello, Ada!", "plugin", "call", "hello", "greet", greetAda) },
		func() error { return t.copy(lock, "hello.lock.json") },
		func() error { return t.edit("hello/plugin.json", `0.1.0`, `0.1.1`) },
		func() error { return t.edit("hello/package.json", `0.1.0`, `0.1.1`) },
		func() error {
			return t.wuuShows("packed wuu-hello-0.1.1.tgz", "plugin", "pack", "hello", "--format", "npm")
		},
		func() error { return t.publish("wuu-hello-0.1.1.tgz") },
		func() error {
			return t.wuuShows("updated hello 0.1.1", "plugin", "update", "hello", "npm:wuu-hello@0.1.1")
		},
		func() error {
			return t.wuuShows("hello 0.1.0", "plugin", "install", "--allow-downgrade", "lock:hello.lock.json")
		},
	)
}

func devLoop(t *tour) error {
	dev, err := t.start("plugin", "dev", "hello")
	if err != nil {
		return err
	}
	return first(
		func() error { return t.until("hello 0.1.1  active", "plugin", "hosts") },
		func() error { return t.edit("hello/src/index.ts", "Hello,", "Good evening,") },
		func() error { return t.until("Good evening, Ada!", "plugin", "call", "hello", "greet", greetAda) },
		func() error { return t.stop(dev) },
		func() error { return t.wuuShows("revoked hello", "plugin", "dev", "--revoke", "hello") },
	)
}

func liveHost(t *tour) error {
	if _, err := t.start("host", "run"); err != nil {
		return err
	}
	return first(
		func() error { return t.until("hello 0.1.0  active", "plugin", "hosts") },
		func() error { return t.wuuShows("active hello", "plugin", "reload", "hello") },
		func() error { return t.wuuShows("disabled hello", "plugin", "disable", "hello") },
		func() error { return t.wuuShows("enabled hello", "plugin", "enable", "hello") },
		func() error { return t.wuuShows("Hello, Ada!", "plugin", "call", "hello", "greet", greetAda) },
	)
}

func takeAway(t *tour) error {
	host := t.running[len(t.running)-1]
	return first(
		func() error { return t.wuuShows("removed hello", "plugin", "remove", "hello") },
		func() error { return t.wuuShows("no plugins installed", "plugin", "list") },
		func() error { return t.wuuShows("stopped", "host", "stop") },
		func() error {
			t.running = t.running[:len(t.running)-1]
			return host.Wait()
		},
	)
}

// first runs steps in order and returns the first error.
func first(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (t *tour) publish(file string) error {
	tgz, err := os.ReadFile(t.path(file))
	if err != nil {
		return err
	}
	fmt.Printf("\n# publish %s\n", file)
	_, err = t.server.Publish(tgz)
	return err
}

func (t *tour) copy(from, to string) error {
	fmt.Printf("\n$ cp ~/.wuu/plugins/hello/.wuu-package-lock.json %s\n", to)
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(t.path(to), data, 0o644)
}
