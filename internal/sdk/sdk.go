// Package sdk embeds @wuu/plugin-sdk: the TypeScript library that a plugin
// runtime is written with. The bundler resolves the name to Files and Entry,
// so a plugin needs no npm install; editors and tsc read Types.
package sdk

import (
	"embed"
	"io/fs"
	"path"
)

const (
	// Module is the name that plugins import.
	Module = "@wuu/plugin-sdk"

	// Entry is the path of the index file in Files. Relative imports between
	// the sources carry their ".ts" extension.
	Entry = "index.ts"

	// Guard is the path in Files of a module that, when it is evaluated before
	// any other, also sends to stderr what plugin code prints while it loads.
	// Without it the redirection starts with runJSONLRuntime.
	Guard = "guard.ts"

	// Version is the SDK's own version. It follows upstream's surface, not the
	// product's CalVer (reference/wuu-facts.md §10).
	Version = "0.1.0"

	// TypesDir is the folder of the paths in Types.
	TypesDir = "plugin-sdk"
)

//go:embed src/*.ts
var sources embed.FS

//go:embed types/*.d.ts
var declarations embed.FS

// Files holds the SDK's TypeScript sources, all in one folder. They depend on
// nothing but Node 20 and each other.
func Files() fs.FS {
	sub, err := fs.Sub(sources, "src")
	if err != nil {
		panic(err) // "src" is a valid path
	}
	return sub
}

// Types returns the declarations of the public surface, by slash-separated
// path below the folder that they are written to: "plugin-sdk/index.d.ts" and
// what it reaches. They need no @types/node, only a global AbortSignal (lib
// "DOM" or @types/node).
func Types() map[string][]byte {
	entries, err := declarations.ReadDir("types")
	if err != nil {
		panic(err) // the folder is embedded
	}
	files := make(map[string][]byte, len(entries))
	for _, e := range entries {
		data, err := declarations.ReadFile(path.Join("types", e.Name()))
		if err != nil {
			panic(err) // the file is embedded
		}
		files[path.Join(TypesDir, e.Name())] = data
	}
	return files
}
