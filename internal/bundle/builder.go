package bundle

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/sdk"
)

// requireBanner gives bundled CommonJS modules the require that an ES module
// lacks. esbuild keeps the name free: a plugin's own require is renamed.
const requireBanner = `import { createRequire as __wuuCreateRequire } from "node:module";
const require = __wuuCreateRequire(import.meta.url);`

// Builder keeps what makes the next build fast: one esbuild context for each
// set of options, rebuilt in series. It is used by one goroutine. esbuild's own
// cancelling and watching are not used: the first leaks, the second is slow.
type Builder struct {
	plan    Plan
	options Options
	groups  []*group
	stamps  stamps
}

// group is the entries that share their options.
type group struct {
	platform Platform
	tracker  *tracker
	context  api.BuildContext
}

// NewBuilder prepares the embedded builder for a plan's entries; a plan
// without entries gives a builder with nothing to do.
func NewBuilder(p Plan, o Options) (*Builder, error) {
	b := &Builder{plan: p, options: o}
	if err := b.open(); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// open makes the contexts.
func (b *Builder) open() error {
	entries := map[[2]string][]Entry{}
	for _, e := range b.plan.Entries {
		key := [2]string{string(e.Platform), path.Ext(e.Output)}
		entries[key] = append(entries[key], e)
	}
	keys := make([][2]string, 0, len(entries))
	for key := range entries {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [2]string) int {
		return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
	})
	for _, key := range keys {
		g := &group{platform: Platform(key[0]), tracker: &tracker{}}
		options := buildOptions(entries[key], key[1], b.options)
		options.Plugins = []api.Plugin{g.tracker.plugin(), sdkPlugin(sdk.Files(), g.platform), runPlugin(b.options.Root)}
		context, err := api.Context(options)
		if err != nil {
			return fmt.Errorf("prepare esbuild: %w", err)
		}
		g.context = context
		b.groups = append(b.groups, g)
	}
	return nil
}

func buildOptions(entries []Entry, ext string, o Options) api.BuildOptions {
	options := api.BuildOptions{
		AbsWorkingDir:     o.Root,
		Outdir:            o.Root,
		OutExtension:      map[string]string{".js": ext},
		AllowOverwrite:    true, // nothing is written: outputs stay in memory
		Bundle:            true,
		Format:            api.FormatESModule,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsInline,
		LogLevel:          api.LogLevelSilent,
		LogLimit:          0,
		Metafile:          o.Modules,
		MinifyWhitespace:  o.Minify,
		MinifyIdentifiers: o.Minify,
		MinifySyntax:      o.Minify,
	}
	if o.Sourcemap {
		options.Sourcemap = api.SourceMapLinked
	}
	for _, e := range entries {
		input := "./" + e.Source
		if e.Run {
			input = runNamespace + ":" + e.Source
		}
		options.EntryPointsAdvanced = append(options.EntryPointsAdvanced,
			api.EntryPoint{InputPath: input, OutputPath: strings.TrimSuffix(e.Output, ext)})
	}
	if entries[0].Platform == Browser {
		options.Platform = api.PlatformBrowser
		options.Target = api.ES2022
		options.Define = map[string]string{"process.env.NODE_ENV": `"production"`}
		return options
	}
	options.Platform = api.PlatformNode
	options.Engines = []api.Engine{{Name: api.EngineNode, Version: "20"}}
	if ext == ".cjs" { // Node reads such a file as CommonJS, whatever it holds
		options.Format = api.FormatCommonJS
		return options
	}
	options.Banner = map[string]string{"js": requireBanner}
	return options
}

// Build runs once. Findings of severity error mean that the Result has no
// Outputs; its Inputs and Absent are filled in all the same, because they say
// which files may mend the build. A build is not cut short when ctx ends.
func (b *Builder) Build(ctx context.Context) (*Result, []diag.Finding, error) {
	if b.stamps.deceptive() {
		b.Close()
		if err := b.open(); err != nil {
			return nil, nil, err
		}
	}
	root, result := b.options.Root, &Result{}
	var list []diag.Finding
	for _, g := range b.groups {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		g.tracker.reset()
		out := g.context.Rebuild()
		list = append(list, findings(root, g.platform, diag.Error, out.Errors)...)
		list = append(list, findings(root, g.platform, diag.Warning, out.Warnings)...)
		present, absent := g.tracker.inputs(root, unresolved(out.Errors))
		result.Inputs = append(result.Inputs, present...)
		result.Absent = append(result.Absent, absent...)
		if b.options.Modules && len(out.Errors) == 0 {
			list, err := modules(root, out.Metafile)
			if err != nil {
				return nil, nil, err
			}
			result.Modules = append(result.Modules, list...)
		}
		for _, file := range out.OutputFiles {
			rel, err := filepath.Rel(root, file.Path)
			if err != nil {
				return nil, nil, fmt.Errorf("place output: %w", err)
			}
			result.Outputs = append(result.Outputs, Output{Path: filepath.ToSlash(rel), Content: file.Contents})
		}
	}
	slices.SortFunc(result.Modules, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(result.Inputs)
	slices.Sort(result.Absent)
	result.Inputs, result.Absent = slices.Compact(result.Inputs), slices.Compact(result.Absent)
	b.stamps = b.stamps.update(result.Inputs)
	slices.SortFunc(result.Outputs, func(a, b Output) int { return strings.Compare(a.Path, b.Path) })
	diag.Sort(list)
	list = slices.CompactFunc(list, func(a, b diag.Finding) bool {
		return a.Code == b.Code && a.File == b.File && a.Start == b.Start && a.Message == b.Message
	})
	if failed(list) {
		result.Outputs = nil
	}
	return result, list, nil
}

// Close frees the builder.
func (b *Builder) Close() {
	for _, g := range b.groups {
		g.context.Dispose()
	}
	b.groups = nil
}
