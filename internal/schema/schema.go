// Package schema writes the JSON Schema (2020-12) of plugin.json, for editors
// that complete and check while a person types. Its closed lists are those of
// package manifest, which stays the judge: what a schema cannot say (files
// that must exist, versions that must agree) only validate finds.
package schema

import (
	"bytes"
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

// ManifestID is the schema's $id; it is a name, not an address.
const ManifestID = "urn:wuu:schema:manifest:1"

// node is one schema object. encoding/json writes its keys in order.
type node map[string]any

// Manifest returns the schema of plugin.json, indented by two spaces, with a
// final newline; the same bytes each time.
func Manifest() []byte {
	root := node{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         ManifestID,
		"title":       "wuu plugin manifest",
		"description": "plugin.json: what a plugin is, what it runs and what it adds.",
		"type":        "object",
		"properties":  properties(),
		"anyOf":       []node{{"required": []string{"id"}}, {"required": []string{"name"}}},
		"$defs":       definitions(),
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(root); err != nil {
		panic(err) // maps, lists and strings always encode
	}
	return out.Bytes()
}

func text(description string) node { return node{"type": "string", "description": description} }

func flag(description string) node { return node{"type": "boolean", "description": description} }

func list(item node, description string) node {
	return node{"type": "array", "items": item, "description": description}
}

func choice(values []string, description string) node {
	return node{"type": "string", "enum": values, "description": description}
}

func ref(name string) node { return node{"$ref": "#/$defs/" + name} }

func described(n node, description string) node {
	n["description"] = description
	return n
}

// closed is an object without other members.
func closed(description string, required []string, members node) node {
	n := open(description, required, members)
	n["additionalProperties"] = false
	return n
}

func open(description string, required []string, members node) node {
	n := node{"type": "object", "properties": members, "description": description}
	if len(required) > 0 {
		n["required"] = required
	}
	return n
}

func deprecated(n node) node {
	n["deprecated"] = true
	return n
}

func properties() node {
	minimum := "Oldest wuu that can run the plugin, for example 2026.1108.0."
	out := node{
		"$schema":             text("The schema of this file, for editors; wuu ignores it."),
		"schema_version":      node{"const": 1, "description": "Version of the manifest format: always 1."},
		"id":                  described(ref("id"), "Stable identity of the package; never change it in an update."),
		"name":                text("Name that people see. Without an id it is the id too."),
		"version":             described(ref("version"), "Version of the plugin itself, for example 0.1.0."),
		"description":         text("One or two sentences about what the plugin does."),
		"homepage":            text("Web page of the plugin."),
		"repository":          text("Where the source is."),
		"license":             text("License, as an SPDX expression."),
		"icon":                ref("icon"),
		"default_enabled":     flag("Whether the plugin is on after it is installed; true when absent."),
		"author":              node{"description": "Who made the plugin; any form."},
		"interface":           open("How catalogues show the plugin.", nil, node{"family": ref("family")}),
		"keywords":            list(node{"type": "string"}, "Words that a search finds the plugin by."),
		"platforms":           list(choice(manifest.Platforms(), "A platform."), "Where the plugin runs; everywhere when absent or empty."),
		"activity_kinds":      list(node{"type": "string"}, "Kinds of activity that the plugin reports."),
		"skills":              described(pathOrPaths(), "Skill files or folders of the package; the folder skills when absent."),
		"runtime":             ref("runtime"),
		"hooks":               node{"description": "Hooks by event, or the path of a JSON file with a hooks object, or several.", "oneOf": []node{ref("hooks"), ref("path"), list(ref("path"), "Several files.")}},
		"mcp_servers":         node{"description": "MCP servers by name, or the path of a JSON file with an mcpServers object.", "oneOf": []node{ref("servers"), ref("path")}},
		"contributes":         ref("contributes"),
		"desktop":             ref("desktop"),
		"dependencies":        list(ref("dependency"), "Plugins that this one needs or works with."),
		"requires":            list(ref("id"), "Ids of required plugins, without versions; prefer dependencies."),
		"breaks":              list(ref("id"), "Ids of plugins that must not be active together with this one."),
		"conflicts":           list(ref("id"), "Ids of plugins that may disturb this one; only reported."),
		"minimum_wuu_version": text(minimum),
		"requested_permissions": list(choice(manifest.Permissions(), "A permission."),
			"Permissions that the plugin asks for. They inform people and do not build a sandbox."),
		"official_native_helper": deprecated(node{"enum": []any{false, nil}, "description": "Only for packages that come with the product."}),
		"storageTransfers":       open("Storage prefixes that this plugin hands over or takes over.", nil, node{"exports": node{"type": "array"}, "imports": node{"type": "array"}}),
	}
	for camel, snake := range camelSpellings() {
		out[camel] = deprecated(node{"$ref": "#/properties/" + snake, "description": "Other spelling of " + snake + "."})
	}
	return out
}

// camelSpellings maps the second spelling of a field to its first.
func camelSpellings() map[string]string {
	return map[string]string{
		"schemaVersion": "schema_version", "defaultEnabled": "default_enabled", "mcpServers": "mcp_servers", "minimumWuuVersion": "minimum_wuu_version",
		"requestedPermissions": "requested_permissions", "activityKinds": "activity_kinds", "officialNativeHelper": "official_native_helper",
	}
}

func pathOrPaths() node {
	return node{"oneOf": []node{ref("path"), list(ref("path"), "Several paths.")}}
}
