package validate

import (
	"github.com/wuu-plugins/wuu/internal/diag"
)

// Code describes one kind of finding.
type Code struct {
	Code     string
	Severity diag.Severity // the highest that it can have
	Summary  string        // what it means, as a clause
}

// Codes is the table of every code that a check of a package's content can
// find, sorted by code. Codes are stable: scripts and ignore lists name them.
func Codes() []Code {
	return []Code{
		{"COMMAND_PROMPT", diag.Warning, "a runtime_action names a prompt, which nothing reads"},
		{"COMMAND_WITHOUT_DESKTOP", diag.Warning, "a runtime_action has no desktop module that could run it"},
		{"CONTENT_NOT_CHECKED", diag.Info, "a file's content was not at hand"},
		{"CONTRIBUTES_REJECTED", diag.Error, "contributes.slots or contributes.surfaces, which hosts refuse"},
		{"CONTRIBUTES_UNKNOWN_KEY", diag.Error, "a key of contributes that does not exist"},
		{"CONTRIBUTION_DUPLICATE", diag.Error, "two contributions with one id"},
		{"CONTRIBUTION_ID", diag.Error, "a contribution id is not 1 to 64 of a-z, 0-9, _ and -"},
		{"DESKTOP_ENTRY_LARGE", diag.Error, "the desktop entry is larger than 10 MiB"},
		{"DESKTOP_ENTRY_MISSING", diag.Error, "the desktop entry is not in the package"},
		{"DESKTOP_ENTRY_TYPE", diag.Error, "the desktop entry does not end in .js or .mjs"},
		{"HOOK_EVENT", diag.Warning, "hooks for an event that does not exist"},
		{"HOOK_NESTED", diag.Error, "a hook entry holds a list of hooks, as in another product's format"},
		{"ICON_MISSING", diag.Error, "an icon file is not in the package"},
		{"INTERFACE_FAMILY", diag.Warning, "interface.family is incomplete or malformed"},
		{"JSON_BOM", diag.Warning, "a file starts with a byte order mark"},
		{"JSON_DEPTH", diag.Error, "a JSON file is nested deeper than 64 levels"},
		{"JSON_DUPLICATE_KEY", diag.Error, "a key stands twice in an object, or once more in another case"},
		{"JSON_ENCODING", diag.Error, "a JSON file is not UTF-8"},
		{"JSON_SIZE", diag.Error, "a JSON file is larger than 1 MiB"},
		{"JSON_SURROGATE", diag.Error, "an escape is half of a surrogate pair"},
		{"JSON_SYNTAX", diag.Error, "a file is not JSON"},
		{"JSON_TRAILING_DATA", diag.Error, "a JSON file goes on after its value"},
		{"MANIFEST_BOTH_SPELLINGS", diag.Error, "a field stands there in both spellings"},
		{"MANIFEST_EMPTY", diag.Warning, "the package declares nothing"},
		{"MANIFEST_FILES", diag.Error, "a manifest is spread over more than 64 files"},
		{"MANIFEST_FILE_MISSING", diag.Error, "a file with hooks, MCP servers or commands is not in the package"},
		{"MANIFEST_FILE_TWICE", diag.Error, "a file with a part of the manifest is named twice"},
		{"MANIFEST_ID", diag.Error, "an id cannot name a folder on every system"},
		{"MANIFEST_IS_LINK_STUB", diag.Error, "the manifest is a symbolic link that was checked out as text"},
		{"MANIFEST_NATIVE_HELPER", diag.Error, "a field that only packages bundled with the product may have"},
		{"MANIFEST_NULL", diag.Warning, "a field is null, which counts as absent"},
		{"MANIFEST_PERMISSION", diag.Error, "a permission that does not exist"},
		{"MANIFEST_PLATFORM", diag.Warning, "a platform that no host runs on"},
		{"MANIFEST_REQUIRED", diag.Error, "a required field is missing or empty"},
		{"MANIFEST_SCHEMA_VERSION", diag.Error, "a schema version that this wuu does not read"},
		{"MANIFEST_TYPE", diag.Error, "a field has the wrong JSON type"},
		{"MANIFEST_UNKNOWN_FIELD", diag.Error, "a field that does not exist; a warning where newer hosts may know it"},
		{"MANIFEST_VALUE", diag.Error, "a field has a value that is not allowed"},
		{"MINIMUM_VERSION", diag.Error, "the plugin needs a newer wuu"},
		{"MINIMUM_VERSION_INVALID", diag.Error, "minimum_wuu_version is no wuu version"},
		{"MORE_FINDINGS", diag.Info, "further findings are not shown"},
		{"NPM_DEPENDENCIES", diag.Error, "package.json has dependencies, which are not installed; a warning outside of npm"},
		{"NPM_NAME", diag.Error, "the npm package name is missing or not allowed"},
		{"NPM_PACKAGE_JSON", diag.Error, "package.json is missing or no object"},
		{"NPM_VERSION", diag.Error, "package.json and the manifest have different versions; a warning outside of npm"},
		{"PATH_ABSOLUTE", diag.Error, "a path is absolute"},
		{"PATH_BACKSLASH", diag.Error, "a path holds a backslash"},
		{"PATH_CHARACTER", diag.Error, "a path holds a character that some system refuses"},
		{"PATH_CONTROL", diag.Error, "a path holds an invisible or control character"},
		{"PATH_DRIVE", diag.Error, "a path starts with a drive letter"},
		{"PATH_EMPTY", diag.Error, "a path or a part of it is empty"},
		{"PATH_ENCODING", diag.Error, "a path is not UTF-8"},
		{"PATH_RESERVED", diag.Error, "a path holds a device name of Windows"},
		{"PATH_SHORTNAME", diag.Error, "a path looks like a short name of Windows"},
		{"PATH_TOO_DEEP", diag.Error, "a path has more than 32 parts"},
		{"PATH_TOO_LONG", diag.Error, "a path or a part of it is too long"},
		{"PATH_TRAILING", diag.Error, "a part of a path ends in a dot or space"},
		{"PATH_TRAVERSAL", diag.Error, "a path leads out of the package"},
		{"PATH_UNC", diag.Error, "a path names a network share"},
		{"PATH_VCS", diag.Error, "a path leads into a version control folder"},
		{"PLATFORM_MISMATCH", diag.Error, "the plugin does not run on this platform"},
		{"PROMPT_ENCODING", diag.Error, "a prompt is not UTF-8"},
		{"PROMPT_LARGE", diag.Error, "a prompt is larger than 1 MiB"},
		{"PROMPT_MISSING", diag.Error, "a prompt is not in the package"},
		{"RELATION_CONTRADICTION", diag.Error, "a package is required and optional, or required and broken"},
		{"RELATION_DUPLICATE", diag.Error, "a dependency is listed twice"},
		{"RELATION_RANGE", diag.Error, "a dependency's version is no range"},
		{"RELATION_SELF", diag.Error, "a package names itself"},
		{"RUNTIME_COMMAND_ABSOLUTE", diag.Warning, "runtime.command is an absolute path"},
		{"RUNTIME_COMMAND_SPACES", diag.Warning, "runtime.command looks like a command line"},
		{"RUNTIME_ENTRY_MISSING", diag.Error, "the runtime's program or script is not in the package"},
		{"SETTING_DEFAULT", diag.Error, "a setting's default is missing or has the wrong type"},
		{"SETTING_ENUM", diag.Error, "a setting's enum is missing, empty or out of place"},
		{"SETTING_ID", diag.Error, "a setting's id is malformed"},
		{"SETTING_ORIGIN", diag.Error, "a credential origin is not a complete HTTPS origin"},
		{"SETTING_SECRET", diag.Error, "a secret setting breaks a rule for secrets"},
		{"SKILL_MISSING", diag.Error, "a skill is not in the package"},
		{"TEXT_CONTROL", diag.Error, "a text holds a control, direction or invisible character"},
		{"THEME_TOKEN", diag.Error, "a theme token has a foreign name"},
		{"VERSION_INVALID", diag.Error, "the plugin's version is no semantic version"},
		{"VERSION_MISSING", diag.Error, "the plugin has no version; a warning outside of npm"},
	}
}

// Explain returns the entry of a code.
func Explain(code string) (Code, bool) {
	for _, c := range Codes() {
		if c.Code == code {
			return c, true
		}
	}
	return Code{}, false
}
