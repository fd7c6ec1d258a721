package manifest

import (
	"iter"
	"slices"
)

// Protocol is the only value of runtime.protocol.
const Protocol = "wuu-plugin-v1"

// The closed lists of a manifest (reference/wuu-facts.md §2, corrected by the
// authoring document). Each call returns a fresh slice.

// Fields are the known top-level fields, both spellings.
func Fields() []string {
	return []string{
		"$schema", "schema_version", "schemaVersion", "id", "name", "description", "version", "homepage", "repository", "license", "icon",
		"default_enabled", "defaultEnabled", "author", "interface", "keywords", "platforms", "activity_kinds", "activityKinds", "skills",
		"runtime", "hooks", "mcp_servers", "mcpServers", "contributes", "desktop", "dependencies", "requires", "breaks", "conflicts",
		"requested_permissions", "requestedPermissions", "official_native_helper", "officialNativeHelper", "minimum_wuu_version",
		"minimumWuuVersion", "storageTransfers",
	}
}

// ContributesKeys are the keys of contributes.
func ContributesKeys() []string {
	return []string{"commands", "themes", "skins", "settings", "presenters", "navigation", "workspaceTools", "settingsPages"}
}

// Permissions is the catalogue of requested_permissions.
func Permissions() []string {
	return []string{
		"process.spawn", "session.read", "session.write", "tools.define", "tools.intercept", "shell.env", "network.connect", "commands.execute",
		"files.read", "files.write", "accessibility.read", "accessibility.control", "screen.capture", "app.activate", "input.synthesize",
	}
}

// permissionAlias returns the permission that an older name stands for.
func permissionAlias(name string) (string, bool) {
	switch name {
	case "network":
		return "network.connect", true
	case "filesystem.read":
		return "files.read", true
	case "filesystem.write":
		return "files.write", true
	}
	return "", false
}

// Platforms are the GOOS values that hosts run on.
func Platforms() []string { return []string{"darwin", "linux", "windows"} }

// CommandKinds are the values of a command's kind.
func CommandKinds() []string {
	return []string{"prompt_template", "runtime_action", "side_conversation"}
}

// SettingTypes are the values of a setting's type.
func SettingTypes() []string { return []string{"boolean", "string", "number", "enum", "secret"} }

// SettingScopes are the values of a setting's scope.
func SettingScopes() []string { return []string{"user", "workspace"} }

// SettingApplies are the values of a setting's apply.
func SettingApplies() []string { return []string{"live", "next-operation", "restart"} }

// ThemeBases are the values of a theme's base.
func ThemeBases() []string { return []string{"light", "dark"} }

// SkinPlacements are the values of a skin's placement; frame when absent.
func SkinPlacements() []string { return []string{"frame", "canvas"} }

// SkinPositions are the values of a scheme's position; center when absent.
func SkinPositions() []string { return []string{"center", "top", "bottom", "left", "right"} }

// DotShapes are the values of a grid's shape; round when absent.
func DotShapes() []string { return []string{"round", "square"} }

// SkinImages are the endings of a skin's pictures.
func SkinImages() []string { return []string{".png", ".jpg", ".jpeg", ".webp", ".svg"} }

// PresenterTargets are the parts of the interface that a presenter may take.
func PresenterTargets() []string {
	return []string{
		"conversation.item", "conversation.process", "conversation.tool-activity", "conversation.composer", "header.conversation",
		"header.workspace", "navigation.primary", "app.status", "content.preview", "settings",
	}
}

// PresenterModes are the values of a presenter's mode.
func PresenterModes() []string { return []string{"replace", "wrap"} }

// TransferScopes are the values of a storage transfer's scope.
func TransferScopes() []string { return []string{"user"} }

// HookEvents are the events that hooks may be declared for.
func HookEvents() []string {
	return []string{
		"PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "PreCompact", "PostCompact",
		"SubagentStart", "SubagentStop", "SessionStart", "SessionEnd", "Stop", "FileChanged",
	}
}

// HookTypes are the values of a hook's type.
func HookTypes() []string { return []string{"command", "prompt"} }

// MCPTransports are the values of an MCP server's transport.
func MCPTransports() []string { return []string{"http", "streamable-http", "sse"} }

// Icons are the public icon names.
func Icons() []string {
	return []string{
		"archive", "bot", "brain", "calendar", "check", "check-circle", "clock", "code", "database", "file-text", "folder", "gauge", "globe",
		"inbox", "layout-grid", "list-todo", "message-square", "moon", "plug", "pulse", "search", "settings", "shield", "sliders", "sparkles",
		"terminal", "users", "workflow", "wrench",
	}
}

// sortedSet returns the distinct non-empty strings of list, sorted; never nil.
func sortedSet(list []string) []string {
	out := slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" })
	slices.Sort(out)
	out = slices.Compact(out)
	if out == nil {
		return []string{}
	}
	return out
}

func flatten[T any](lists iter.Seq[[]T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for list := range lists {
			for _, item := range list {
				if !yield(item) {
					return
				}
			}
		}
	}
}
