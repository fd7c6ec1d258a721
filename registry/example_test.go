package registry_test

import (
	"context"
	"fmt"
	"os"

	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

func Example() {
	// A registry with one package; in real life this is the npm registry.
	server, err := registrytest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	tgz, err := registrytest.Pack(map[string]string{"package.json": `{"name":"@me/hello","version":"1.2.3"}`})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := server.Publish(tgz); err != nil {
		fmt.Println(err)
		return
	}
	cache, err := os.MkdirTemp("", "cache-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(cache)

	source, err := registry.ParseSource("npm:@me/hello@1.2.3", registry.SourceOptions{Default: server.URL()})
	if err != nil {
		fmt.Println(err)
		return
	}
	client, err := registry.NewClient(registry.ClientOptions{CacheDir: cache, Getenv: server.Getenv})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	artifact, err := client.Fetch(context.Background(), source, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer artifact.Close()
	fmt.Println(artifact.Name, artifact.Version, artifact.Size == int64(len(tgz)))
	// Output: @me/hello 1.2.3 true
}

func ExampleParseSource() {
	for _, spec := range []string{"npm:left-pad@1.3.0", "npm:left-pad@^1", "left-pad@1.3.0"} {
		s, err := registry.ParseSource(spec, registry.SourceOptions{})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(s.Kind, s.Identity())
	}
	// Output:
	// npm npm:https://registry.npmjs.org/left-pad
	// npm:left-pad@^1: "^1" is a range; wuu takes exact versions only
	// left-pad@1.3.0: no such file or folder
}
