package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/wuu-plugins/wuu/internal/sdk"
)

// The namespaces of modules that stand on no disk. They show in the comments
// of an output, which therefore holds no absolute path.
const (
	guardName    = sdk.Module + "/guard"
	sdkNamespace = "wuu-sdk"
	runNamespace = "wuu-run"
)

// sdkPlugin resolves @wuu/plugin-sdk, whatever node_modules holds, to the
// sources in this binary: the SDK that matches the host always wins. For Node
// its guard comes first, so that stdout is the protocol's alone from the
// moment the SDK is loaded, and top-level code may print.
func sdkPlugin(files fs.FS, platform Platform) api.Plugin {
	return api.Plugin{Name: sdkNamespace, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^@wuu/plugin-sdk(/|$)`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			switch {
			case a.Path == sdk.Module:
				return api.OnResolveResult{Path: sdk.Entry, Namespace: sdkNamespace}, nil
			case a.Path == guardName && a.Namespace == runNamespace:
				return api.OnResolveResult{Path: sdk.Guard, Namespace: sdkNamespace}, nil
			}
			return api.OnResolveResult{}, fmt.Errorf("there is no module %q: import from %q", a.Path, sdk.Module)
		})
		b.OnResolve(api.OnResolveOptions{Filter: `^\.`, Namespace: sdkNamespace}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: path.Join(path.Dir(a.Importer), a.Path), Namespace: sdkNamespace}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: sdkNamespace}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			src, err := fs.ReadFile(files, a.Path)
			if err != nil {
				return api.OnLoadResult{}, fmt.Errorf("read %s: %w", sdk.Module, err)
			}
			text := string(src)
			if a.Path == sdk.Entry && platform == Node {
				text = "import \"./" + sdk.Guard + "\";\n" + text
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderTS}, nil
		})
	}}
}

// runPlugin makes the entry of a single-file plugin: the SDK's guard first, so
// that what the plugin's top-level code prints does not reach the protocol.
func runPlugin(root string) api.Plugin {
	return api.Plugin{Name: runNamespace, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^` + runNamespace + `:`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: strings.TrimPrefix(a.Path, runNamespace+":"), Namespace: runNamespace}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: runNamespace}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			text := fmt.Sprintf(runSource, guardName, sdk.Module, "./"+a.Path, a.Path+": ", LoadCheckArg)
			return api.OnLoadResult{Contents: &text, ResolveDir: root, Loader: api.LoaderJS}, nil
		})
	}}
}

const runSource = `import %q;
import { runJSONLRuntime } from %q;
import plugin from %q;

if (plugin === null || typeof plugin !== "object" || typeof plugin.initialize !== "function") {
  throw new TypeError(%q + "the default export is no RuntimePlugin: it has no initialize function");
}
if (process.argv[2] !== %q) {
  await runJSONLRuntime(plugin);
}
`

// tracker sees every import and every file of one build. esbuild calls it
// from several goroutines.
type tracker struct {
	mu      sync.Mutex
	imports map[lookup]struct{}
	read    map[string]struct{}
}

// lookup is one import as it is written, from the folder of its importer.
type lookup struct{ dir, path string }

func (t *tracker) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.imports, t.read = map[lookup]struct{}{}, map[string]struct{}{}
}

func (t *tracker) plugin() api.Plugin {
	return api.Plugin{Name: "wuu-inputs", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `.*`, Namespace: "file"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			t.mu.Lock()
			t.imports[lookup{a.ResolveDir, a.Path}] = struct{}{}
			t.mu.Unlock()
			return api.OnResolveResult{}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			t.mu.Lock()
			t.read[a.Path] = struct{}{}
			t.mu.Unlock()
			return api.OnLoadResult{}, nil
		})
	}}
}
