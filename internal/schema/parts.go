package schema

import "github.com/wuu-plugins/wuu/internal/manifest"

const localID = "^[a-z0-9_-]{1,64}$"

// definitions are the parts of a manifest that are used by name.
func definitions() node {
	return node{
		"id": node{"type": "string", "minLength": 1, "maxLength": 128, "pattern": `^[^<>:"/\\|?*]+$`, "description": "A plugin id: one portable file name."},
		"version": node{
			"type":        "string",
			"pattern":     `^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`,
			"description": "A semantic version.",
		},
		"path": node{"type": "string", "minLength": 1, "pattern": `^[^/\\][^\\]*$`, "description": "A path inside the package, with forward slashes."},
		"localId": node{
			"type": "string", "pattern": localID, "description": "An id inside this plugin: a-z, 0-9, _ and -, at most 64.",
		},
		"icon": node{"description": "A public icon name, or files of the package.", "oneOf": []node{
			choice(manifest.Icons(), "A public icon."),
			closed("One picture.", []string{"path"}, node{"path": ref("path")}),
			closed("One picture for each colour scheme.", []string{"light", "dark"}, node{"light": ref("path"), "dark": ref("path")}),
		}},
		"family":      open("Groups the packages of one product.", []string{"id", "name"}, node{"id": text("Stable id with a publisher's prefix."), "name": text("Name of the product."), "description": text("What the product does.")}),
		"environment": node{"type": "object", "additionalProperties": node{"type": "string"}, "propertyNames": node{"pattern": "^[^=]+$"}, "description": "Environment variables, taken literally."},
		"runtime":     runtime(),
		"desktop": closed("The module that runs in the desktop app.", []string{"entry"}, node{
			"entry":             node{"type": "string", "pattern": `^[^/\\][^\\]*\.m?js$`, "description": "Self-contained ESM file of the package, at most 10 MiB."},
			"required_services": list(node{"type": "object"}, "Services that the module calls."),
		}),
		"dependency": closed("A relationship to another plugin.", []string{"id"}, node{
			"id": ref("id"), "version": text("Range of versions, for example ^1.2.0; every version when absent."),
			"optional": flag("Whether the plugin also works without it."),
		}),
		"hooks": hooks(),
		"servers": node{"type": "object", "description": "MCP servers by name.", "additionalProperties": open("A process or an endpoint.", nil, node{
			"command": text("Program to start."), "args": list(node{"type": "string"}, "Its arguments."), "env": ref("environment"),
			"url": text("Endpoint to connect to."), "transport": choice(manifest.MCPTransports(), "Found out when absent."),
			"headers": node{"type": "object", "additionalProperties": node{"type": "string"}}, "enabled": flag("Whether it is on."),
		})},
		"contributes": contributes(),
		"command":     command(),
		"setting":     setting(),
		"theme": closed("Colours and other tokens of the interface.", []string{"id", "name", "base", "tokens"}, node{
			"id": ref("localId"), "name": text("Name that people see."), "base": choice(manifest.ThemeBases(), "What unset tokens look like."),
			"tokens": node{"type": "object", "minProperties": 1, "propertyNames": node{"pattern": "^--wuu-."}, "additionalProperties": node{"type": "string", "minLength": 1}},
			"syntax": node{"type": "object", "propertyNames": node{"pattern": "^--(hljs|wuu-syntax)-."}, "additionalProperties": node{"type": "string", "minLength": 1}},
		}),
	}
}

func runtime() node {
	return open("The process that speaks "+manifest.Protocol+" over its standard streams.", []string{"protocol", "command"}, node{
		"protocol": node{"const": manifest.Protocol, "description": "The wire protocol."},
		"command":  text("Program to start: a name on the search path, or a path inside the package."),
		"args":     list(node{"type": "string"}, "Arguments, for example dist/runtime.js."),
		"env":      ref("environment"),
		"timeout":  node{"type": "integer", "minimum": 0, "description": "Seconds that a call may take; 0 means the host's default of 30."},
	})
}

func hooks() node {
	events := node{}
	entry := open("One hook.", nil, node{
		"matcher": text("Tool name; every tool when empty or *."), "type": choice(manifest.HookTypes(), "What runs; command when absent."),
		"command": text("Command line."), "prompt": text("Prompt; $ARGUMENTS stands for the event."), "model": text("Model of a prompt hook."),
		"timeout": node{"type": "integer", "description": "Seconds; 30 when absent."},
	})
	for _, event := range manifest.HookEvents() {
		events[event] = list(entry, "Hooks of this event.")
	}
	return node{"type": "object", "properties": events, "description": "Hooks by event."}
}

func contributes() node {
	members := node{
		"commands": node{"description": "Commands: a list, one command, or the path of a JSON file with them.", "oneOf": []node{
			list(ref("command"), "Commands."), closed("Commands.", []string{"commands"}, node{"commands": node{}}), ref("command"), ref("path"),
		}},
		"settings": node{
			"type": "object", "description": "Settings by local id.", "additionalProperties": ref("setting"),
			"propertyNames": node{"maxLength": 128, "pattern": `^[a-z0-9_-]{1,64}(\.[a-z0-9_-]{1,64})*$`},
		},
		"themes": list(ref("theme"), "Themes of the interface."),
		"skins": list(open("A skin of the window.", []string{"id", "name", "light", "dark"}, node{
			"id": ref("localId"), "name": text("Name that people see."), "placement": choice([]string{"frame", "canvas"}, "Where the picture lies."),
			"userImage": flag("Whether the user's picture replaces the skin's."), "light": node{"type": "object"}, "dark": node{"type": "object"},
		}), "Skins of the window."),
		"presenters": list(open("A replaced or wrapped part of the interface.", []string{"id", "target"}, node{"id": ref("localId"), "target": text("The part.")}), "Presenters."),
	}
	for key, what := range map[string]string{"navigation": "Entries of the navigation.", "workspaceTools": "Tools of the workspace.", "settingsPages": "Pages of the settings."} {
		members[key] = list(open("An entry that opens a view.", []string{"id", "view", "title"}, node{
			"id": ref("localId"), "view": text("View that the desktop module registers."), "title": text("Text of the entry."),
			"description": text("More about it."), "icon": choice(manifest.Icons(), "A public icon."), "order": node{"type": "number"},
		}), what)
	}
	return closed("What the plugin adds without code of its own.", nil, members)
}

func command() node {
	return open("An action that people start.", []string{"id", "title", "kind"}, node{
		"id": ref("localId"), "title": text("Text of the button."), "description": text("What it does."),
		"kind":     choice(manifest.CommandKinds(), "prompt_template and side_conversation use a prompt; runtime_action is run by the desktop module."),
		"prompt":   described(ref("path"), "UTF-8 text file of the package, at most 1 MiB."),
		"contexts": list(node{"type": "string"}, "Where it is offered."), "aliases": list(node{"type": "string"}, "Other names."),
		"keywords": list(node{"type": "string"}, "Words that a search finds it by."),
	})
}

func setting() node {
	n := closed("A value that people set.", []string{"type", "title", "default", "scope", "apply"}, node{
		"type":        choice(manifest.SettingTypes(), "Type of the value."),
		"title":       text("Label."),
		"description": text("What it does."),
		"default":     node{"type": []string{"boolean", "string", "number"}, "description": "Value while nothing is set."},
		"enum":        node{"type": "array", "items": node{"type": "string", "minLength": 1}, "minItems": 1, "uniqueItems": true, "description": "Values of an enum."},
		"scope":       choice(manifest.SettingScopes(), "Whether the value holds for the user or for one workspace."),
		"apply":       choice(manifest.SettingApplies(), "When a running plugin sees a change."),
		"credential_origins": node{
			"type": "array", "items": node{"type": "string", "pattern": `^https://[^/?#@]+$`}, "minItems": 1,
			"description": "HTTPS origins that the host may send the secret to.",
		},
	})
	n["allOf"] = []node{
		{"if": has("type", "secret"), "then": node{"required": []string{"credential_origins"}, "properties": node{
			"default": node{"const": ""}, "scope": node{"const": "user"}, "apply": node{"const": "live"},
		}}},
		{"if": has("type", "enum"), "then": node{"required": []string{"enum"}}},
	}
	return n
}

func has(key, value string) node {
	return node{"properties": node{key: node{"const": value}}, "required": []string{key}}
}
