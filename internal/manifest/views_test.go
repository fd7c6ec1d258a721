package manifest_test

import (
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

func TestViewRules(t *testing.T) {
	views := func(body string) string {
		return "{\n  \"id\": \"a\", \"desktop\": {\"entry\": \"r.js\"},\r\n\t\"contributes\": { " + body + " } }"
	}
	checkRules(t, []rule{
		{"presenter target", views(`"presenters": [{"id": "p", "mode": "wrap", "target": «"conversation.message"»}]`), diag.Error, "MANIFEST_VALUE", `contributes.presenters[0].target cannot be "conversation.message"`, "one of conversation.item, conversation.process, conversation.tool-activity, conversation.composer, header.conversation, header.workspace, navigation.primary, app.status, content.preview, settings"},
		{"presenter target misspelt", views(`"presenters": [{"id": "p", "mode": "wrap", "target": «"conversation.tool_activity"»}]`), diag.Error, "MANIFEST_VALUE", `contributes.presenters[0].target cannot be "conversation.tool_activity"`, `did you mean "conversation.tool-activity"?`},
		{"presenter without target", views(`"presenters": [«{»"id": "p", "mode": "wrap"}]`), diag.Error, "MANIFEST_REQUIRED", `"target" is missing in contributes.presenters[0]`, "one of conversation.item, conversation.process, conversation.tool-activity, conversation.composer, header.conversation, header.workspace, navigation.primary, app.status, content.preview, settings"},
		{"presenter mode", views(`"presenters": [{"id": "p", "mode": «"around"», "target": "settings"}]`), diag.Error, "MANIFEST_VALUE", `contributes.presenters[0].mode cannot be "around"`, "one of replace, wrap"},
		{"presenter without mode", views(`"presenters": [«{»"id": "p", "target": "settings"}]`), diag.Error, "MANIFEST_REQUIRED", `"mode" is missing in contributes.presenters[0]`, "one of replace, wrap"},
		{"presenter priority", views(`"presenters": [{"id": "p", "mode": "wrap", "target": "settings", "priority": «"high"»}]`), diag.Error, "MANIFEST_TYPE", "contributes.presenters[0].priority must be a number, not a string", ""},
		{"presenter title", views(`"presenters": [{"id": "p", "mode": "wrap", "target": "settings", "title": «{}»}]`), diag.Error, "MANIFEST_TYPE", "contributes.presenters[0].title must be a string, not an object", ""},
		{"presenter order", views(`"presenters": [{"id": "p", "mode": "wrap", "target": "settings", «"order"»: 1}]`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "order"`, "one of id, target, mode, priority, title"},
		{"presenter id", views(`"presenters": [{"id": «"P"», "mode": "wrap", "target": "settings"}]`), diag.Error, "CONTRIBUTION_ID", `"P" is no contribution id`, "use 1 to 64 of a-z, 0-9, _ and -"},
		{"presenters as object", views(`"presenters": «{}»`), diag.Error, "MANIFEST_TYPE", "contributes.presenters must be an array, not an object", ""},
		{"navigation as text", views(`"navigation": [«"main"»]`), diag.Error, "MANIFEST_TYPE", "contributes.navigation[0] must be an object, not a string", ""},
		{"navigation without view", views(`"navigation": [«{»"id": "n", "title": "N"}]`), diag.Error, "MANIFEST_REQUIRED", `"view" is missing in contributes.navigation[0]`, ""},
		{"tool without title", views(`"workspaceTools": [«{»"id": "n", "view": "v"}]`), diag.Error, "MANIFEST_REQUIRED", `"title" is missing in contributes.workspaceTools[0]`, ""},
		{"page without id", views(`"settingsPages": [«{»"title": "N", "view": "v"}]`), diag.Error, "MANIFEST_REQUIRED", `"id" is missing in contributes.settingsPages[0]`, ""},
		{"view as number", views(`"settingsPages": [{"id": "s", "title": "N", "view": «4»}]`), diag.Error, "MANIFEST_TYPE", "contributes.settingsPages[0].view must be a string, not a number", `write "4"`},
		{"order as text", views(`"navigation": [{"id": "s", "title": "N", "view": "v", "order": «"4"»}]`), diag.Error, "MANIFEST_TYPE", "contributes.navigation[0].order must be a number, not a string", "write 4 without quotes"},
		{"order without end", views(`"navigation": [{"id": "s", "title": "N", "view": "v", "order": «-1e999»}]`), diag.Error, "MANIFEST_VALUE", "contributes.navigation[0].order is no finite number", ""},
		{"icon", views(`"navigation": [{"id": "s", "title": "N", "view": "v", "icon": «"serach"»}]`), diag.Error, "MANIFEST_VALUE", `contributes.navigation[0].icon cannot be "serach"`, `did you mean "search"?`},
		{"description", views(`"workspaceTools": [{"id": "s", "title": "N", "view": "v", "description": «[]»}]`), diag.Error, "MANIFEST_TYPE", "contributes.workspaceTools[0].description must be a string, not an array", ""},
		{"placement of an older kind", views(`"navigation": [{"id": "s", "title": "N", "view": "v", «"target"»: "sidebar.primary"}]`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "target"`, "one of id, view, title, description, icon, order"},
		{"presenter and page of one id", views(`"settingsPages": [{"id": «"x"», "title": "N", "view": "v"}], "presenters": [{"id": "x", "mode": "wrap", "target": "settings"}]`), diag.Error, "CONTRIBUTION_DUPLICATE", `the id "x" is used twice`, ""},
		{"no desktop", `{"id": "a", "contributes": {«"navigation"»: [{"id": "n", "title": "N", "view": "v"}], "settingsPages": [{"id": "s", "title": "N", "view": "v"}]}}`, diag.Warning, "VIEW_WITHOUT_DESKTOP", "nothing renders contributes.navigation: there is no desktop module", `declare "desktop", whose module registers what is shown`},
		{"key of the manifest", views(`«"hooks"»: {}`), diag.Error, "CONTRIBUTES_UNKNOWN_KEY", `contributes has no key "hooks"`, "it is a field of the manifest itself: move it out of contributes"},
		{"views", views(`«"views"»: []`), diag.Error, "CONTRIBUTES_UNKNOWN_KEY", `contributes has no key "views"`, "the desktop module registers views; navigation, workspaceTools and settingsPages place them"},
		{"other spelling", views(`«"workspace_tools"»: []`), diag.Error, "CONTRIBUTES_UNKNOWN_KEY", `contributes has no key "workspace_tools"`, `did you mean "workspaceTools"?`},
		{"contributes as list", "{\"id\": \"a\",\n \"contributes\": «[]»}", diag.Error, "MANIFEST_TYPE", "contributes must be an object, not an array", ""},
	})
}

// Every target and mode is accepted, and a bad desktop module is one fault.
func TestPresenterLists(t *testing.T) {
	for _, target := range manifest.PresenterTargets() {
		for _, mode := range manifest.PresenterModes() {
			parse(t, `{"id": "a", "desktop": {"entry": "r.js"}, "contributes": {"presenters": [{"id": "p", "target": "`+target+`", "mode": "`+mode+`"}]}}`)
		}
	}
	_, found := manifest.Parse("plugin.json", []byte(`{"id": "a", "desktop": "r.js", "contributes": {"presenters": [{"id": "p", "target": "settings", "mode": "wrap"}], "commands": {"id": "c", "title": "C", "kind": "runtime_action"}}}`))
	if len(found) != 1 || found[0].Path != "/desktop" {
		t.Error(found)
	}
}
